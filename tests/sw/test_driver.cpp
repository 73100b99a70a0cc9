// SPDX-License-Identifier: BSD-3-Clause
#include "fake_component.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/telemetry.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using test::FakeClock;
using test::FakeComponent;
using test::Shape;

namespace {

using Accesses = std::vector<std::string>;

Accesses block_accesses(std::uint32_t counters) {
    Accesses accesses;
    for (std::uint32_t i = 0; i < 2 * counters; ++i)
        accesses.push_back("R " + FakeComponent::hex(0x8000 + 4 * i));
    return accesses;
}

Accesses operator+(Accesses a, const Accesses& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

TEST_CASE("opening reads the configuration registers once, in order") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    CHECK(bus.accesses == Accesses{"R 00", "R 04", "R 08", "R 0c", "R 10", "R 14", "R 18", "R 1c", "R 30",
                                   "R 3c", "R 2c", "R 34", "R 38"});
}

TEST_CASE("a wrong magic ends after one read") {
    FakeComponent bus;
    FakeClock clock;
    bus.registers[0] = 0xFFFFFFFF;
    CHECK_THROWS_WITH(driver::Telemetry(bus, clock),
                      "fake: MAGIC is 0xffffffff, expected 0x50544c4d: this is not the telemetry component");
    CHECK(bus.accesses == Accesses{"R 00"});
}

TEST_CASE("another major version is refused, another minor version is not") {
    FakeComponent bus;
    FakeClock clock;
    bus.registers[4] = 0x00030001;
    CHECK_THROWS_WITH(driver::Telemetry(bus, clock), "fake: VERSION is 3.1, expected 2.x");
    CHECK(bus.accesses == Accesses{"R 00", "R 04"});
    bus.registers[4] = 0x00020007;
    CHECK_NOTHROW(driver::Telemetry(bus, clock));
}

TEST_CASE("a snapshot reads counters, status and levels") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.accesses.clear();
    bus.counters[5] = 0xFFFF'1234'5678'9ABC;  // the upper 16 bits are none of a counter of 48
    bus.registers[0x24] = 6;
    const driver::Snapshot snapshot = telemetry.snapshot();
    CHECK(bus.accesses ==
          Accesses{"W 20 01", "R 24"} + block_accesses(64) + Accesses{"R 24", "R 40", "R 80", "R c0"});
    CHECK(snapshot.counters.size() == 64);
    CHECK(snapshot.counters[5] == 0x1234'5678'9ABC);
    CHECK(snapshot.registers ==
          driver::RegisterValues{{0x24, 6}, {0x40, 0x26A}, {0x80, 0x00030076}, {0xC0, 0x00600280}});
    CHECK(snapshot.time == 1000.0);
}

TEST_CASE("on a bus with posted writes one read goes between a command and the first look at BUSY") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.posted = true;
    bus.accesses.clear();
    telemetry.clear();
    CHECK(bus.accesses == Accesses{"W 20 0e", "R 24", "R 24"});
    bus.posted = false;
    bus.accesses.clear();
    telemetry.clear();
    CHECK(bus.accesses == Accesses{"W 20 0e", "R 24"});
}

TEST_CASE("clearing flags and marks starts no wait") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.accesses.clear();
    telemetry.clear_flags();
    telemetry.clear_marks();
    CHECK(bus.accesses == Accesses{"W 20 04", "W 20 08"});
}

TEST_CASE("status") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.registers[0x24] = 2;
    CHECK(telemetry.status().lost_deltas);
    CHECK_FALSE(telemetry.status().readout_overrun);
    bus.registers[0x24] = 5;
    CHECK(telemetry.status().busy);
    CHECK_FALSE(telemetry.status().lost_deltas);
    CHECK(telemetry.status().readout_overrun);
}

TEST_CASE("a command that ends just within a second of the bus's time is waited for") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.busy_looks_after_command = 999'000;
    CHECK_NOTHROW(telemetry.clear());
    bus.busy_looks_after_command = 1'001'000;
    CHECK_THROWS_WITH(telemetry.clear(), "fake: STATUS.BUSY is still set 1 s after a command");
}

TEST_CASE("an interval clears flags and marks, and lies between two snapshots") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.accesses.clear();
    clock.on_sleep = [&] { bus.counters[0] = 77; };
    const driver::Recording recording = telemetry.record(0.25);
    const Accesses snapshot =
        Accesses{"W 20 01", "R 24"} + block_accesses(64) + Accesses{"R 24", "R 40", "R 80", "R c0"};
    CHECK(bus.accesses == Accesses{"W 20 04", "W 20 08"} + snapshot + snapshot);
    CHECK(recording.seconds() == 0.25);
    CHECK(recording.first.counters[0] == 0);
    REQUIRE(recording.second);
    CHECK(recording.second->counters[0] == 77);
    CHECK(clock.sleeps == std::vector<double>{0.25});
}

TEST_CASE("an interval of zero is one snapshot and clears nothing") {
    FakeComponent bus;
    FakeClock clock;
    driver::Telemetry telemetry(bus, clock);
    bus.accesses.clear();
    const driver::Recording recording = telemetry.record(0);
    CHECK(bus.accesses.front() == "W 20 01");
    CHECK_FALSE(recording.second);
    CHECK_FALSE(recording.seconds());
    CHECK(clock.sleeps.empty());
}

TEST_CASE("a clock that stands still is noticed") {
    class Stopped : public driver::Clock {
        double now() override { return 5; }
        void sleep(double) override {}
    } clock;
    FakeComponent bus;
    driver::Telemetry telemetry(bus, clock);
    CHECK_THROWS_WITH(telemetry.record(1), "fake: no time passed during the interval");
}

TEST_CASE("the clock of the host goes on") {
    driver::HostClock clock;
    const double start = clock.now();
    clock.sleep(0.01);
    CHECK(clock.now() - start >= 0.01);
}
