// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/trace_unit.hpp"

#include <tlmetry/ptt/record.hpp>

#include <algorithm>
#include <utility>

namespace tlmetry::ptt {

namespace {

constexpr std::uint32_t base_stride = 8;

bool is_base(std::uint32_t offset) {
    return offset >= reg::trace_addr_base && offset < reg::trace_addr_base + base_stride * reg::buffers;
}

}  // namespace

TraceUnit::TraceUnit(const Config& config, Memory memory)
    : m_config(config),
      m_headers(config.topology),
      m_ticks(static_cast<std::uint64_t>(config.tick_fs)),
      m_memory(std::move(memory)) {}

std::optional<std::uint32_t> TraceUnit::read(std::uint32_t offset) const {
    if (is_base(offset)) {
        const std::uint64_t base = m_bases[(offset - reg::trace_addr_base) / base_stride];
        return static_cast<std::uint32_t>(offset % base_stride == 0 ? base : base >> 32);
    }
    const card::Topology& topology = m_config.topology;
    const std::uint32_t first = m_config.core * card::Topology::ports_of_core;
    const std::uint32_t last = std::min(first + card::Topology::ports_of_core, topology.ports()) - 1;
    switch (offset) {
        case reg::trace_addr_size:
            return m_size;
        case reg::trace_ctrl:
            return m_ctrl;
        case reg::trace_int_stat:
            return m_int_stat;
        case reg::trace_int_mask:
            return m_int_mask;
        case reg::trace_wr_sts:
            return m_buffer << reg::wr_sts_buffer | m_bytes;
        case reg::trace_sts:
            return reg::sts_idle;  // it writes at once
        case reg::trace_overwritten:
            return m_overwritten;
        case reg::device_range:
            return std::uint32_t{topology.root_port(last)} << 16 | topology.root_port(first);
        case reg::location:
            return m_config.core;
        default:
            return std::nullopt;
    }
}

void TraceUnit::write(std::uint32_t offset, std::uint32_t value) {
    if (is_base(offset)) {
        std::uint64_t& base = m_bases[(offset - reg::trace_addr_base) / base_stride];
        const unsigned shift = offset % base_stride == 0 ? 0 : 32;
        base = (base & ~(std::uint64_t{0xffff'ffff} << shift)) | std::uint64_t{value} << shift;
        return point_to_buffer();
    }
    switch (offset) {
        case reg::trace_addr_size:
            m_size = value;
            return point_to_buffer();
        case reg::trace_ctrl:
            m_ctrl = value;
            m_filter = TraceFilter(value, m_config.topology, m_config.core);
            if ((value & reg::ctrl_reset) != 0) restart();
            return;
        case reg::trace_int_stat:
            m_int_stat &= ~value;
            return;
        case reg::trace_int_mask:
            m_int_mask = value & reg::all_buffers;
            return;
        default:
            return;
    }
}

void TraceUnit::restart() {
    m_buffer = m_bytes = 0;
    m_overwritten = 0;
    point_to_buffer();
}

void TraceUnit::point_to_buffer() {
    m_to = m_size == 0 ? nullptr : m_memory(m_bases[m_buffer], m_size);
}

void TraceUnit::pass(const LinkTlp* first, const LinkTlp* last) {
    if (!enabled()) return;
    m_statistics.seen += static_cast<std::uint64_t>(last - first);
    if (m_filter.format() == Format::eight_dwords)
        pass_all<Format::eight_dwords>(first, last);
    else
        pass_all<Format::four_dwords>(first, last);
}

template <Format format>
void TraceUnit::pass_all(const LinkTlp* first, const LinkTlp* last) {
    constexpr std::uint32_t bytes = record_bytes(format);
    // Copies, which the compiler need not load again after each byte that is written.
    const TraceFilter filter = m_filter;
    const endpoint::Divisor ticks = m_ticks;
    const LinkHeaders::Maker header_of = m_headers.maker();
    while (first != last) {
        if (m_to == nullptr || bytes > m_size) {
            m_statistics.unwritable += static_cast<std::uint64_t>(
                std::count_if(first, last, [&](const LinkTlp& tlp) { return filter.takes(tlp); }));
            return;
        }
        std::uint8_t* const begin = m_to + m_bytes;
        std::uint8_t* const end = begin + std::size_t{(m_size - m_bytes) / bytes} * bytes;
        std::uint8_t* to = begin;
        time_fs at = 0;
        for (; first != last && to != end; ++first) {
            if (!filter.takes(*first)) continue;
            at = first->at;
            Record record;
            record.header = header_of(*first);
            record.time = static_cast<std::uint32_t>(ticks(static_cast<std::uint64_t>(at)));
            put_record(format, record, to);
            to += bytes;
        }
        m_bytes += static_cast<std::uint32_t>(to - begin);
        m_statistics.traced += static_cast<std::uint64_t>(to - begin) / bytes;
        if (to == end) next_buffer(at);
    }
}

void TraceUnit::next_buffer(time_fs at) {
    const std::uint32_t bit = 1u << m_buffer;
    ++m_statistics.full_buffers;
    if ((m_int_stat & bit) != 0) {
        ++m_overwritten;
        ++m_statistics.overwritten_buffers;
    }
    m_int_stat |= bit;
    m_buffer = (m_buffer + 1) % reg::buffers;
    m_bytes = 0;
    point_to_buffer();
    if ((m_int_mask & bit) == 0 && m_interrupt) m_interrupt(at);
}

}  // namespace tlmetry::ptt
