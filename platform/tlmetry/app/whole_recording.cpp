// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/whole_recording.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

namespace tlmetry::app {

namespace {

/// The registers of a model as they are at one moment.
class PeekBus : public driver::MiBus {
public:
    PeekBus(telemetry::Telemetry& model, time_fs now) : m_model(model), m_now(now) {}
    std::string name() const override { return "model"; }
    std::uint32_t read32(std::uint32_t address) override { return m_model.peek(m_now, address); }
    void write32(std::uint32_t, std::uint32_t) override {}

private:
    telemetry::Telemetry& m_model;
    time_fs m_now;
};

driver::RegisterValues status_registers(driver::MiBus& bus, std::uint32_t endpoints) {
    driver::RegisterValues values;
    values[regs::status] = bus.read32(regs::status);
    for (std::uint32_t e = 0; e < endpoints; ++e) {
        for (const std::uint32_t base : {regs::pcie_status, regs::pcie_tags, regs::pcie_stfifo}) {
            values[base + 4 * e] = bus.read32(base + 4 * e);
        }
    }
    return values;
}

}  // namespace

WholeRecording read_out(replay::Player& player) {
    telemetry::Telemetry& model = player.telemetry();
    PeekBus bus(model, player.look_time());
    const driver::RegisterValues configuration = driver::read_configuration(bus);
    const driver::Layout layout(configuration, bus.name());

    driver::Snapshot end;
    end.registers = status_registers(bus, layout.endpoints);
    end.counters = player.counters();
    end.time = static_cast<double>(player.end_time() - player.first_time()) / static_cast<double>(fs_per_s);
    if (player.cleared() || end.time == 0) {
        WholeRecording since_clear{configuration, {end, {}}, driver::totals(layout, end)};
        since_clear.measurement.cleared = player.cleared();
        return since_clear;
    }
    driver::Snapshot begin;
    begin.registers = end.registers;
    const std::uint64_t all_ones = ~std::uint64_t{0} >> (64 - layout.counter_width);
    begin.counters.assign(end.counters.size(), model.config().memory_starts_at_ones ? all_ones : 0);
    const driver::Recording snapshots{begin, end};
    return {configuration, snapshots, driver::evaluate(layout, snapshots)};
}

}  // namespace tlmetry::app
