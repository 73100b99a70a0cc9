// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/probe_pins.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

namespace tlmetry::telemetry {

namespace {

/// Stores a value; true when it is another one.
template <class T, class Value>
bool update(T& stored, Value value) {
    const T converted = static_cast<T>(value);
    if (stored == converted) return false;
    stored = converted;
    return true;
}

}  // namespace

ProbePins::ProbePins(Telemetry& core, std::uint32_t endpoint, bool pcie)
    : m_probe(pcie ? core.pcie_probe(endpoint) : core.dma_probe(endpoint)),
      m_regions(m_probe.shape().regions),
      m_eof_pos_width(pcie ? core.config().pcie_eof_pos_width : core.config().dma_eof_pos_width),
      m_buses(m_probe.shape().buses) {
    for (std::uint32_t b = 0; b < buses(); ++b) {
        m_buses[b].shape = pcie ? core.pcie_bus(b) : core.dma_bus(b);
        m_buses[b].mfb.eof_pos.resize(m_regions);
    }
}

void ProbePins::tell_mfb(cycle_t from, const MfbVectors& pins) {
    for (std::uint32_t b = 0; b < buses(); ++b) {
        MfbPins& bus = m_buses[b].mfb;
        bool changed = update(bus.src_rdy, pin_bits(pins.src_rdy, b, 1));
        changed |= update(bus.dst_rdy, pin_bits(pins.dst_rdy, b, 1));
        // The other pins mean something only where a word moves, EOF_POS only where a frame ends.
        if (bus.src_rdy && bus.dst_rdy) {
            const std::uint32_t first = b * m_regions;
            changed |= update(bus.sof, pin_bits(pins.sof, first, m_regions));
            changed |= update(bus.eof, pin_bits(pins.eof, first, m_regions));
            for (std::uint64_t ends = bus.eof; ends != 0; ends &= ends - 1) {
                const auto region = static_cast<std::uint32_t>(__builtin_ctzll(ends));
                changed |=
                    update(bus.eof_pos[region],
                           pin_bits(pins.eof_pos, (first + region) * m_eof_pos_width, m_eof_pos_width));
            }
        }
        if (changed) m_probe.mfb(b).hold(from, m_buses[b].shape.decode(bus));
    }
}

void ProbePins::tell_mvb(cycle_t from, const MvbVectors& pins) {
    for (std::uint32_t b = 0; b < buses(); ++b) {
        Bus& bus = m_buses[b];
        bool changed = update(bus.mvb_src_rdy, pin_bits(pins.src_rdy, b, 1));
        changed |= update(bus.mvb_dst_rdy, pin_bits(pins.dst_rdy, b, 1));
        if (bus.mvb_src_rdy && bus.mvb_dst_rdy) {
            changed |= update(bus.mvb_vld, pin_bits(pins.vld, b * m_regions, m_regions));
        }
        if (!changed) continue;
        const auto items = static_cast<std::uint32_t>(__builtin_popcountll(bus.mvb_vld));
        m_probe.mvb(b).hold(from, {bus.mvb_src_rdy, bus.mvb_dst_rdy, items});
    }
}

std::uint32_t settings_of_pins(std::uint32_t mps, std::uint32_t mrrs, bool ext_tag_en, bool tag_10b_req_en,
                               bool rcb_size, bool link_up) {
    namespace f = regs::fields::pcie_status;
    return f::mps.make(mps) | f::mrrs.make(mrrs) | f::ext_tag.make(ext_tag_en) |
           f::tag_10bit.make(tag_10b_req_en) | f::rcb.make(rcb_size) | f::link_up.make(link_up);
}

}  // namespace tlmetry::telemetry
