// SPDX-License-Identifier: BSD-3-Clause
#include "cards.hpp"

#include <tlmetry/device/driver_bus.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <functional>
#include <thread>

using namespace tlmetry;
using Catch::Contains;
using device::SimulatedCard;
using test::busy_card;
using test::idle_card;
using test::read32;
using test::write32;

TEST_CASE("an access takes the cycles of the bus") {
    SimulatedCard card(idle_card());
    CHECK(read32(card, regs::magic) == regs::magic_value);
    CHECK(card.now() == 20 * fs_per_ns);
    write32(card, regs::read_sel, 1);
    CHECK(card.now() == 30 * fs_per_ns);
    CHECK(test::read_bytes(card, regs::counter_window, 512).size() == 512);
    CHECK(card.now() == 30 * fs_per_ns + (128 + 1) * 10 * fs_per_ns);
    card.sleep(1);
    CHECK(read32(card, regs::read_sel) == 1);
    CHECK(card.now() == (30 + 1290 + 10 + 20) * fs_per_ns);
}

TEST_CASE("latency of the bus, and faults of it, come on top") {
    SimulatedCard::Config config = idle_card();
    config.request_fs = 100 * fs_per_ns;
    config.completion_fs = 200 * fs_per_ns;
    config.faults.delay_fs = 1000 * fs_per_ns;
    SimulatedCard posted(config);
    write32(posted, regs::read_sel, 0);
    CHECK(posted.now() == 10 * fs_per_ns);
    read32(posted, regs::read_sel);
    CHECK(posted.now() == (10 + 100 + 20 + 200 + 1000) * fs_per_ns);
    config.posted_writes = false;
    SimulatedCard waiting(config);
    write32(waiting, regs::read_sel, 0);
    CHECK(waiting.now() == (100 + 10 + 200 + 1000) * fs_per_ns);
}

TEST_CASE("bytes at any address are parts of words") {
    SimulatedCard card(idle_card());
    const auto all = test::read_bytes(card, 0, 16);
    for (std::uint32_t address = 0; address < 12; ++address) {
        for (std::uint32_t bytes = 1; bytes <= 4; ++bytes) {
            const auto part = test::read_bytes(card, address, bytes);
            CHECK(std::equal(part.begin(), part.end(), all.begin() + address));
        }
    }
}

TEST_CASE("an access outside the component is refused, and costs nothing") {
    SimulatedCard card(idle_card());
    CHECK_THROWS_AS(read32(card, regs::component_bytes), device::AccessError);
    CHECK_THROWS_WITH(read32(card, regs::component_bytes - 2),
                      "MI read of 4 bytes at 0xfffe: expected bytes within the component, 0 to 0xffff");
    CHECK_THROWS_AS(write32(card, 0xFFFFFFFE, 0), device::AccessError);
    CHECK_NOTHROW(card.write(0xFFFFFFFE, nullptr, 0));
    CHECK(card.now() == 0);
    CHECK(read32(card, regs::component_bytes - 4) == 0);
}

TEST_CASE("results do not depend on the steps in which time passes") {
    SimulatedCard once(busy_card());
    SimulatedCard often(busy_card());
    once.sleep(10 * fs_per_ms);
    for (int i = 0; i < 10'000; ++i)
        often.sleep(fs_per_us);
    CHECK(once.now() == often.now());
    for (SimulatedCard* card : {&once, &often})
        write32(*card, regs::read_sel, 1);
    CHECK(test::read_bytes(once, regs::counter_window, 512) ==
          test::read_bytes(often, regs::counter_window, 512));
}

TEST_CASE("the counters go on when the models are restarted") {
    constexpr time_fs restart = 2 * fs_per_ms;
    SimulatedCard card(idle_card(), restart);
    write32(card, regs::read_sel, 1);
    const auto cycles = [&] {
        return std::uint64_t{read32(card, regs::counter_window + 4)} << 32 |
               read32(card, regs::counter_window);
    };
    std::uint64_t before = 0;
    for (int ms = 1; ms <= 20; ++ms) {
        card.sleep(fs_per_ms);
        const std::uint64_t now = cycles();
        CHECK(now > before);
        before = now;
    }
    // Accesses take time of their own, and each restart loses up to about a read-out and what is under way.
    CHECK(card.restarts() == 10);
    CHECK(card.seconds() == Approx(20e-3).epsilon(0.001));
    CHECK(static_cast<double>(before) == Approx(20e-3 * 400e6).epsilon(0.015));
    CHECK(read32(card, regs::read_sel) == 1);
    CHECK(card.now() < restart);
}

TEST_CASE("models are restarted also where time passes with accesses only") {
    SimulatedCard::Config config = idle_card();
    config.faults.delay_fs = fs_per_ms;
    SimulatedCard card(config, 10 * fs_per_ms);
    for (int i = 0; i < 100; ++i) {
        CHECK(read32(card, regs::magic) == regs::magic_value);
        CHECK(card.now() < 10 * fs_per_ms);
    }
    CHECK(card.restarts() >= 9);
    CHECK(card.seconds() == Approx(0.1).epsilon(0.001));
}

TEST_CASE("a long sleep goes over restarts") {
    SimulatedCard card(idle_card());
    device::DriverClock clock(card);
    clock.sleep(24 * 3600);
    CHECK(clock.now() == Approx(24 * 3600.0));
    CHECK(card.restarts() == 21);
    write32(card, regs::read_sel, 1);
    const double cycles = static_cast<double>(read32(card, regs::counter_window)) +
                          static_cast<double>(read32(card, regs::counter_window + 4)) * 0x1p32;
    CHECK(cycles / (24 * 3600) == Approx(400e6).epsilon(1e-6));
}

TEST_CASE("a sleep that begins during a command goes over restarts, too") {
    for (const bool command : {false, true}) {
        SimulatedCard card(idle_card(), 10 * fs_per_ms);
        card.sleep(10 * fs_per_ms - 20 * fs_per_ns);
        // The command runs over the time of the restart.
        if (command) write32(card, regs::command, regs::fields::command::snapshot.mask());
        card.sleep(20 * fs_per_ms);
        CHECK(card.restarts() == 2);
        CHECK(card.now() < 11 * fs_per_ms);
        CHECK(card.seconds() == Approx(30e-3));
    }
}

TEST_CASE("a day of measurements of a second each") {
    SimulatedCard card(idle_card());
    device::DriverBus bus(card, "card");
    device::DriverClock clock(card);
    driver::Telemetry telemetry(bus, clock);
    int wrong = 0;
    int measurements = 0;
    for (; clock.now() < 24 * 3600; ++measurements) {
        const auto result = driver::evaluate(telemetry.layout(), telemetry.record(1));
        const double hertz =
            static_cast<double>(result.endpoints[0].pcie_cycles) / result.seconds.value_or(1);
        // One read-out less or more, and what a restart loses.
        wrong += result.cleared || hertz < 399.98e6 || hertz > 400.02e6;
    }
    CHECK(measurements >= 86'390);
    CHECK(wrong == 0);
}

namespace {

/// What the driver says of a card with faults.
std::string complaint(const device::Faults& faults) {
    SimulatedCard::Config config = idle_card();
    config.faults = faults;
    SimulatedCard card(config);
    device::DriverBus bus(card, "card");
    device::DriverClock clock(card);
    try {
        driver::Telemetry telemetry(bus, clock);
        driver::evaluate(telemetry.layout(), telemetry.record(1e-3));
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the driver says clearly what is wrong with the bus") {
    CHECK(complaint({}) == "");
    device::Faults slow;
    slow.delay_fs = 10 * fs_per_us;
    CHECK(complaint(slow) == "");
    device::Faults busy;
    busy.stuck_busy = true;
    CHECK(complaint(busy) == "card: STATUS.BUSY is still set 1 s after a command");
    device::Faults magic;
    magic.bad_magic = true;
    CHECK(complaint(magic) ==
          "card: MAGIC is 0xafabb3b2, expected 0x50544c4d: this is not the telemetry component");
    device::Faults version;
    version.wrong_version = true;
    CHECK(complaint(version) == "card: VERSION is 3.0, expected 2.x");
    device::Faults gone;
    gone.all_ones_ppm = 1'000'000;
    CHECK(complaint(gone) ==
          "card: MAGIC is 0xffffffff, expected 0x50544c4d: this is not the telemetry component");
    device::Faults errors;
    errors.bit_errors_ppm = 1'000'000;
    CHECK_THAT(complaint(errors), Contains("card: MAGIC is 0x"));
}

TEST_CASE("bit errors hit as often as asked for") {
    SimulatedCard::Config config = idle_card();
    config.faults.bit_errors_ppm = 100'000;
    SimulatedCard card(config);
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint32_t difference = read32(card, regs::magic) ^ regs::magic_value;
        CHECK((difference & (difference - 1)) == 0);
        wrong += difference != 0;
    }
    CHECK(wrong > 900);
    CHECK(wrong < 1100);
}

TEST_CASE("what takes long to work out ends when it is interrupted") {
    // Days of simulation each, whichever of them lets the time pass.
    const auto interrupted = [](SimulatedCard& card, const std::function<void()>& access) {
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            card.interrupt();
        });
        CHECK_THROWS_AS(access(), device::Interrupted);
        other.join();
    };
    auto config = test::busy_card();
    SimulatedCard sleeping(config);
    interrupted(sleeping, [&] { sleeping.sleep(3000 * fs_per_s); });
    config.request_fs = 3000 * fs_per_s;
    SimulatedCard reading(config);
    interrupted(reading, [&] { test::read32(reading, regs::magic); });
    SimulatedCard writing(config);
    interrupted(writing, [&] { test::write32(writing, regs::read_sel, 1); });
    auto slow = test::busy_card();
    slow.clocks.mi = ClockDomain(fs_per_s / 10, 0);
    SimulatedCard block(slow);
    interrupted(block, [&] { test::read_bytes(block, regs::counter_window, 0x8000); });
    config.request_fs = 0;
    config.faults.delay_fs = 3000 * fs_per_s;
    SimulatedCard delayed(config);
    CHECK(test::read32(delayed, regs::magic) == regs::magic_value);
    interrupted(delayed, [&] { test::read32(delayed, regs::magic); });
    SimulatedCard restarting(config, fs_per_s);
    interrupted(restarting, [&] { test::read32(restarting, regs::magic); });
}
