// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/mi/initiator.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/systemc/time.hpp>
#include <tlmetry/telemetry_sc/telemetry_module.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <systemc>
#include <utility>

using namespace tlmetry;
using telemetry::TelemetryModule;

namespace {

class Software : public sc_core::sc_module {
public:
    mi::MiInitiator initiator;

    Software(const sc_core::sc_module_name& name, std::function<void(mi::MiInitiator&)> body)
        : sc_module(name), initiator("initiator", {}), m_body(std::move(body)) {
        SC_HAS_PROCESS(Software);
        SC_THREAD(run);
    }

private:
    void run() { m_body(initiator); }

    std::function<void(mi::MiInitiator&)> m_body;
};

}  // namespace

TEST_CASE("software counts elapsed cycles through the socket, and a reset stops them") {
    TelemetryModule::Config config;
    config.generics.drain_period = 1024;
    TelemetryModule module("telemetry", config);
    std::uint32_t before = 0;
    std::uint32_t in_reset = 0;
    std::uint32_t later_in_reset = 0;
    Software software("software", [&](mi::MiInitiator& bus) {
        CHECK(bus.read32(regs::magic) == regs::magic_value);
        bus.write32(regs::read_sel, 1);
        bus.sleep(10 * fs_per_us);
        before = bus.read32(regs::counter_window);
        bus.sync();
        module.set_pcie_reset(0, true);
        bus.sleep(2 * fs_per_us);
        in_reset = bus.read32(regs::counter_window);
        bus.sleep(10 * fs_per_us);
        later_in_reset = bus.read32(regs::counter_window);
        bus.sync();
        module.set_pcie_reset(0, false);
        bus.sleep(10 * fs_per_us);
        CHECK(bus.read32(regs::counter_window) > later_in_reset);
    });
    software.initiator.socket.bind(module.mi.socket);
    sc_core::sc_start();

    // 10 us are 4000 PCIe cycles; what is missing is still in the probe or on its way.
    CHECK(before > 4000 - 2 * 1024);
    CHECK(before <= 4000);
    CHECK(later_in_reset == in_reset);
}

TEST_CASE("a clock that ends and a missing clock are refused") {
    TelemetryModule::Config config;
    config.generics.pcie_endpoints = 2;
    CHECK_THROWS_AS(config.validate(), UserError);
    config.clocks.pcie.emplace_back(4 * fs_per_ns, 0);
    CHECK_NOTHROW(config.validate());
    config.clocks.mi = ClockDomain();
    CHECK_THROWS_AS(config.validate(), UserError);
}
