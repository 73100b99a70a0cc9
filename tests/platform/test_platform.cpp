// SPDX-License-Identifier: BSD-3-Clause
// The platform around the telemetry, with software of the test inside.
#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/platform/platform.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using platform::Platform;

namespace {

Platform::Config idle() {
    Platform::Config config;
    config.requests = false;
    config.pins.kind = traffic::Kind::idle;
    return config;
}

}  // namespace

TEST_CASE("software measures the clocks of the component in simulated time") {
    Platform platform("platform", idle(), [](driver::MiBus& bus, driver::Clock& clock) {
        driver::Telemetry telemetry(bus, clock);
        clock.sleep(1e-3);
        const driver::Recording recording = telemetry.record(10e-3);
        const auto measurement = driver::evaluate(telemetry.layout(), recording);
        REQUIRE(measurement.seconds);
        CHECK(*measurement.seconds == Approx(10e-3).epsilon(0.001));
        const driver::EndpointCounts& endpoint = measurement.endpoints.at(0);
        CHECK(static_cast<double>(endpoint.pcie_cycles) / *measurement.seconds ==
              Approx(400e6).epsilon(0.002));
        CHECK(static_cast<double>(endpoint.dma_cycles) / *measurement.seconds ==
              Approx(200e6).epsilon(0.004));
        CHECK(endpoint.link_up);
        CHECK(endpoint.tags.now == 256);
    });
    platform.run();
}

TEST_CASE("a sleep takes exactly its time and can be ended") {
    std::vector<double> times;
    int looks = 0;
    Platform platform("platform", idle(), [&](driver::MiBus&, driver::Clock& clock) {
        times.push_back(clock.now());
        clock.sleep(0.025);
        times.push_back(clock.now());
        looks = 1000;  // the watch says no from now on
        clock.sleep(1);
        times.push_back(clock.now());
    });
    platform.on_sleep([&](time_fs) { return ++looks < 1000; });
    platform.run();
    CHECK(times == std::vector<double>{0, 0.025, 0.025});
}

TEST_CASE("what the software throws comes out of the run") {
    Platform platform("platform", idle(), [](driver::MiBus&, driver::Clock&) { throw UserError("no"); });
    CHECK_THROWS_WITH(platform.run(), "no");
}

TEST_CASE("an access that the bus refuses is an error of the user") {
    Platform platform("platform", idle(), [](driver::MiBus& bus, driver::Clock&) {
        CHECK(bus.read32(regs::magic) == regs::magic_value);
        CHECK_THROWS_AS(bus.read32(regs::component_bytes), UserError);
        CHECK_THROWS_AS(bus.write32(regs::component_bytes, 0), UserError);
        CHECK_THROWS_AS(bus.read_block(regs::component_bytes - 4, 8), UserError);
        CHECK(bus.read_block(0, 8) == std::vector<std::uint32_t>{regs::magic_value, regs::version_value});
    });
    platform.run();
    CHECK(platform.bus.unmapped_accesses() == 3);
}

TEST_CASE("a bus without latency shows the cycle in which a command is not busy yet") {
    Platform platform("platform", idle(), [](driver::MiBus& bus, driver::Clock&) {
        CHECK(bus.posted_writes());
        bus.write32(regs::command, regs::fields::command::snapshot.mask());
        CHECK(bus.read32(regs::status) == 0);
        CHECK(bus.read32(regs::status) == regs::fields::status::busy.mask());
    });
    platform.run();
}

TEST_CASE("a bus with non-posted writes says so") {
    Platform::Config config = idle();
    config.bus.posted_writes = false;
    config.bus.request.fs = config.bus.completion.fs = 100 * fs_per_ns;
    Platform platform("platform", config, [](driver::MiBus& bus, driver::Clock&) {
        CHECK_FALSE(bus.posted_writes());
        bus.write32(regs::command, regs::fields::command::snapshot.mask());
        CHECK(bus.read32(regs::status) == regs::fields::status::busy.mask());
    });
    platform.run();
}

TEST_CASE("a configuration of the platform is checked before anything is built") {
    Platform::Config config;
    config.telemetry.generics.pcie_endpoints = 17;
    CHECK_THROWS_AS(Platform("platform", config, platform::Platform::Software()), UserError);
}
