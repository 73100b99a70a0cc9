// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt_driver/trace_driver.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/ptt/registers.hpp>

#include <algorithm>

namespace tlmetry::ptt {

namespace {

std::uint32_t ctrl_of(const TraceConfig& config) {
    const bool ports = (config.filter & TraceConfig::root_ports) != 0;
    return config.direction << reg::ctrl_direction | config.types << reg::ctrl_type |
           (config.format == Format::eight_dwords ? reg::ctrl_eight_dwords : 0) |
           (config.both_directions ? reg::ctrl_both_directions : 0) |
           (ports ? 0 : reg::ctrl_filter_requester) | (config.filter & 0xffff) << reg::ctrl_target;
}

}  // namespace

TraceDriver::TraceDriver(UnitBus& bus, const std::array<DmaBuffer, buffers>& memory, std::uint32_t bytes)
    : m_bus(bus), m_memory(memory), m_bytes(bytes) {}

void TraceDriver::start(const TraceConfig& config) {
    const auto wait_for = [&](const char* what, const auto& done) {
        for (int i = 0; i < patience; ++i)
            if (done()) return;
        throw UserError(std::string("trace unit: expected it to ") + what + ", found it does not");
    };
    const auto idle = [&] { return (m_bus.read32(reg::trace_sts) & reg::sts_idle) != 0; };
    wait_for("be idle", idle);
    m_bus.write32(reg::trace_ctrl, reg::ctrl_reset);
    wait_for("reset its write position", [&] { return m_bus.read32(reg::trace_wr_sts) == 0; });
    for (const DmaBuffer& buffer : m_memory)
        std::fill_n(buffer.data, m_bytes, std::uint8_t{0});
    m_bus.write32(reg::trace_addr_size, m_bytes);
    for (std::uint32_t b = 0; b < buffers; ++b) {
        m_bus.write32(reg::trace_addr_base + 8 * b, static_cast<std::uint32_t>(m_memory[b].bus_address));
        m_bus.write32(reg::trace_addr_base + 8 * b + 4,
                      static_cast<std::uint32_t>(m_memory[b].bus_address >> 32));
    }
    m_bus.write32(reg::trace_int_stat, reg::all_buffers);
    m_bus.write32(reg::trace_int_mask, 0);
    m_statistics = {};
    m_overwritten = m_bus.read32(reg::trace_overwritten);
    m_bus.write32(reg::trace_ctrl, ctrl_of(config) | reg::ctrl_enable);
}

void TraceDriver::serve(const Sink& sink) {
    const std::uint32_t full = m_bus.read32(reg::trace_int_stat) & reg::all_buffers;
    if (full == 0) return;
    const std::uint32_t position = m_bus.read32(reg::trace_wr_sts);
    const unsigned current = position >> reg::wr_sts_buffer & (buffers - 1);
    const bool written_over = (full >> current & 1) != 0 && (position & 0x0fff'ffff) != 0;

    // Whole laps that nobody has seen, and the buffer that is being written over.
    const std::uint32_t overwritten = m_bus.read32(reg::trace_overwritten);
    const std::uint32_t lost = overwritten - m_overwritten + (written_over ? 1 : 0);
    m_overwritten = overwritten;
    if (lost != 0) {
        ++m_statistics.overruns;
        m_statistics.lost_bytes += std::uint64_t{lost} * m_bytes;
    }
    // The oldest one is behind the current one, which is whole itself as long as nothing has been written to
    // it.
    const unsigned oldest = written_over || (full >> current & 1) == 0 ? current + 1 : current;
    for (unsigned i = 0; i < buffers; ++i) {
        const unsigned buffer = (oldest + i) % buffers;
        if ((full >> buffer & 1) == 0 || (written_over && buffer == current)) continue;
        hand_over(buffer, m_bytes, sink);
        ++m_statistics.buffers;
    }
    m_bus.write32(reg::trace_int_stat, full);
}

void TraceDriver::stop(const Sink& sink) {
    m_bus.write32(reg::trace_ctrl, 0);
    serve(sink);
    const std::uint32_t position = m_bus.read32(reg::trace_wr_sts);
    hand_over(position >> reg::wr_sts_buffer & (buffers - 1), position & 0x0fff'ffff, sink);
}

std::uint8_t* TraceDriver::memory_at(std::uint64_t bus_address) const {
    for (const DmaBuffer& buffer : m_memory)
        if (buffer.bus_address == bus_address) return buffer.data;
    return nullptr;
}

void TraceDriver::hand_over(unsigned buffer, std::size_t bytes, const Sink& sink) {
    if (bytes == 0) return;
    m_memory[buffer].data = sink(m_memory[buffer].data, bytes);
    m_statistics.bytes += bytes;
}

}  // namespace tlmetry::ptt
