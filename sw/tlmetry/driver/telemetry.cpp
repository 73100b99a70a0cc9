// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

namespace tlmetry::driver {
namespace {

namespace fields = regs::fields;

constexpr double busy_timeout_s = 1.0;
constexpr double poll_pause_s = 1e-6;

}  // namespace

Status Status::decode(std::uint32_t word) {
    Status status;
    status.busy = fields::status::busy.extract(word) != 0;
    status.lost_deltas = fields::status::lost_delta.extract(word) != 0;
    status.readout_overrun = fields::status::overrun.extract(word) != 0;
    return status;
}

Telemetry::Telemetry(MiBus& bus, Clock& clock)
    : m_bus(bus),
      m_clock(clock),
      m_configuration(read_configuration(bus)),
      m_layout(m_configuration, bus.name()) {}

Status Telemetry::status() {
    return Status::decode(m_bus.read32(regs::status));
}

void Telemetry::command_and_wait(std::uint32_t command) {
    m_bus.write32(regs::command, command);
    if (m_bus.posted_writes()) m_bus.read32(regs::status);  // too early to show BUSY
    const double start = m_clock.now();
    while (status().busy) {
        if (m_clock.now() - start >= busy_timeout_s)
            throw UserError(m_bus.name() + ": STATUS.BUSY is still set 1 s after a command");
        m_clock.sleep(poll_pause_s);
    }
}

Snapshot Telemetry::snapshot() {
    Snapshot snapshot;
    snapshot.time = m_clock.now();
    command_and_wait(fields::command::snapshot.mask());

    const std::vector<std::uint32_t> words =
        m_bus.read_block(m_layout.counter_base, std::size_t{m_layout.counters} * regs::counter_bytes);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - m_layout.counter_width);
    snapshot.counters.resize(m_layout.counters);
    for (std::size_t i = 0; i < snapshot.counters.size(); ++i)
        snapshot.counters[i] = ((std::uint64_t{words.at(2 * i + 1)} << 32) | words.at(2 * i)) & mask;

    snapshot.registers[regs::status] = m_bus.read32(regs::status);
    for (std::uint32_t endpoint = 0; endpoint < m_layout.endpoints; ++endpoint)
        for (const std::uint32_t base : {regs::pcie_status, regs::pcie_tags, regs::pcie_stfifo})
            snapshot.registers[base + 4 * endpoint] = m_bus.read32(base + 4 * endpoint);
    return snapshot;
}

Recording Telemetry::record(double interval_s) {
    Recording recording;
    if (interval_s == 0) {
        recording.first = snapshot();
        return recording;
    }
    clear_flags();
    clear_marks();
    recording.first = snapshot();
    m_clock.sleep(interval_s);
    recording.second = snapshot();
    if (!(*recording.seconds() >= shortest_interval_s))
        throw UserError(m_bus.name() + ": no time passed during the interval");
    return recording;
}

void Telemetry::clear() {
    command_and_wait(fields::command::clear_counters.mask() | fields::command::clear_flags.mask() |
                     fields::command::clear_marks.mask());
}

void Telemetry::clear_flags() {
    m_bus.write32(regs::command, fields::command::clear_flags.mask());
}

void Telemetry::clear_marks() {
    m_bus.write32(regs::command, fields::command::clear_marks.mask());
}

}  // namespace tlmetry::driver
