// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/trace_unit.hpp"

#include <tlmetry/tlp/header.hpp>

#include <algorithm>
#include <utility>

namespace tlmetry::ptt {

namespace {

constexpr std::uint32_t type_of(LinkTlp::Kind kind) {
    return 1u << static_cast<unsigned>(kind);  // posted, non-posted, completion
}

/// Bytes of the first and of the last dword that a request enables.
std::uint8_t first_enables(std::uint64_t address, std::uint32_t length) {
    const auto offset = static_cast<std::uint32_t>(address & 3);
    const std::uint32_t in_first = std::min(length, 4 - offset);
    return static_cast<std::uint8_t>(((1u << in_first) - 1) << offset);
}

std::uint8_t last_enables(std::uint64_t address, std::uint32_t length) {
    const auto offset = static_cast<std::uint32_t>(address & 3);
    if (offset + length <= 4) return 0;
    const std::uint32_t behind = (offset + length) & 3;
    return static_cast<std::uint8_t>(behind == 0 ? 0xf : (1u << behind) - 1);
}

}  // namespace

TraceSelection TraceSelection::of(std::uint32_t ctrl) {
    TraceSelection selection;
    selection.direction = ctrl >> reg::ctrl_direction & 3;
    selection.types = ctrl >> reg::ctrl_type & 0xf;
    selection.format = (ctrl & reg::ctrl_eight_dwords) != 0 ? Format::eight_dwords : Format::four_dwords;
    selection.by_requester = (ctrl & reg::ctrl_filter_requester) != 0;
    selection.target = static_cast<std::uint16_t>(ctrl >> reg::ctrl_target);
    return selection;
}

bool TraceSelection::takes(const LinkTlp& tlp, const Topology& topology) const {
    if ((types & type_of(tlp.kind)) == 0) return false;
    // Completions of native requests (CPL A) come inbound as their answers; those of DMA go out.
    const bool native_completion = tlp.native && tlp.kind == LinkTlp::Kind::completion;
    const bool four = format == Format::four_dwords;
    bool direction_taken = false;
    switch (direction) {
        case 0:
            direction_taken = four && tlp.inbound;
            break;
        case 1:
            direction_taken = !tlp.inbound;
            break;
        case 2:
            direction_taken = tlp.inbound ? !native_completion : four;
            break;
        default:
            direction_taken = tlp.inbound ? native_completion : four;
            break;
    }
    if (!direction_taken) return false;
    if (by_requester) return topology.endpoint(tlp.endpoint) == target;
    return (target & Topology::filter_bit(topology.root_port(topology.port_of(tlp.endpoint)))) != 0;
}

tlp::Header header_of(const LinkTlp& tlp, const Topology& topology) {
    tlp::Header header;
    const std::uint16_t endpoint = topology.endpoint(tlp.endpoint);
    const auto offset = static_cast<std::uint32_t>(tlp.address & 3);
    header.length_dwords = static_cast<std::uint16_t>((offset + tlp.length + 3) / 4);
    header.no_snoop = (tlp.flags & 1) != 0;
    header.relaxed_ordering = (tlp.flags & 2) != 0;
    header.requester = endpoint;
    header.tag = tlp.tag;
    if (tlp.kind == LinkTlp::Kind::completion) {
        header.kind = tlp::Kind::completion_data;
        header.completer = topology.root_port(topology.port_of(tlp.endpoint));
        header.byte_count = static_cast<std::uint16_t>(tlp.byte_count);
        header.lower_address = static_cast<std::uint8_t>(tlp.address & 0x7f);
        return header;
    }
    header.kind = tlp.kind == LinkTlp::Kind::read ? tlp::Kind::memory_read : tlp::Kind::memory_write;
    header.four_dwords = tlp.address >> 32 != 0;
    header.address = tlp.address & ~std::uint64_t{3};
    header.first_be = first_enables(tlp.address, tlp.length);
    header.last_be = last_enables(tlp.address, tlp.length);
    return header;
}

TraceUnit::TraceUnit(const Config& config, Memory memory) : m_config(config), m_memory(std::move(memory)) {}

std::uint32_t TraceUnit::read(std::uint32_t offset) const {
    if (offset >= reg::trace_addr_base && offset < reg::trace_addr_base + 8 * reg::buffers &&
        offset % 4 == 0) {
        const std::uint64_t base = m_bases[(offset - reg::trace_addr_base) / 8];
        return static_cast<std::uint32_t>(offset % 8 == 0 ? base : base >> 32);
    }
    const Topology& topology = m_config.topology;
    const std::uint32_t first = m_config.core * Topology::ports_of_core;
    const std::uint32_t last = std::min(first + Topology::ports_of_core, topology.ports()) - 1;
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
            return reg::sts_idle;
        case reg::trace_overwritten:
            return m_overwritten;
        case reg::device_range:
            return std::uint32_t{topology.root_port(last)} << 16 | topology.root_port(first);
        case reg::location:
            return m_config.core;
        default:
            return 0;
    }
}

void TraceUnit::write(std::uint32_t offset, std::uint32_t value) {
    if (offset >= reg::trace_addr_base && offset < reg::trace_addr_base + 8 * reg::buffers &&
        offset % 4 == 0) {
        std::uint64_t& base = m_bases[(offset - reg::trace_addr_base) / 8];
        const unsigned shift = offset % 8 == 0 ? 0 : 32;
        base = (base & ~(std::uint64_t{0xffff'ffff} << shift)) | std::uint64_t{value} << shift;
        return point_to_buffer();
    }
    switch (offset) {
        case reg::trace_addr_size:
            m_size = value;
            return point_to_buffer();
        case reg::trace_ctrl:
            m_ctrl = value;
            m_selection = TraceSelection::of(value);
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
    for (; first != last; ++first)
        if (m_selection.takes(*first, m_config.topology)) put(*first);
}

void TraceUnit::put(const LinkTlp& tlp) {
    const auto bytes = static_cast<std::uint32_t>(record_bytes(m_selection.format));
    if (m_to == nullptr || bytes > m_size) {
        ++m_statistics.unwritable;
        return;
    }
    Record record;
    record.header = tlp::encode(header_of(tlp, m_config.topology));
    record.time = static_cast<std::uint32_t>(tlp.at / m_config.tick_fs);
    put_record(m_selection.format, record, m_to + m_bytes);
    m_bytes += bytes;
    ++m_statistics.traced;
    if (m_size - m_bytes < bytes) next_buffer(tlp.at);
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
