// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/probe_pins.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <algorithm>

namespace tlmetry::telemetry {

ProbePins::ProbePins(Telemetry& core, std::uint32_t endpoint, bool pcie)
    : m_probe(pcie ? core.pcie_probe(endpoint) : core.dma_probe(endpoint)),
      m_regions(m_probe.shape().regions),
      m_eof_pos_width(pcie ? core.config().pcie_eof_pos_width : core.config().dma_eof_pos_width),
      m_buses(m_probe.shape().buses) {
    for (std::uint32_t b = 0; b < buses(); ++b) {
        m_buses[b].shape = pcie ? core.pcie_bus(b) : core.dma_bus(b);
        m_buses[b].eof_pos.resize((m_regions * m_eof_pos_width + 63) / 64);
    }
    m_word.eof_pos.resize(m_regions);
}

// Pins other than the two RDY mean something only where a word moves; elsewhere they are taken as zero. This
// is done with masks: traffic is as good as random to the processor, and a branch that it guesses wrong costs
// more than all the rest.
void ProbePins::tell_mfb(cycle_t from, const MfbVectors& pins) {
    const std::uint32_t pos_bits = m_regions * m_eof_pos_width;
    for (std::uint32_t b = 0; b < buses(); ++b) {
        Bus& bus = m_buses[b];
        const std::uint64_t src_rdy = pin_bits(pins.src_rdy, b, 1);
        const std::uint64_t dst_rdy = pin_bits(pins.dst_rdy, b, 1);
        const std::uint64_t moves = std::uint64_t{0} - (src_rdy & dst_rdy);
        const std::uint64_t sof = pin_bits(pins.sof, b * m_regions, m_regions) & moves;
        const std::uint64_t eof = pin_bits(pins.eof, b * m_regions, m_regions) & moves;
        std::uint64_t change =
            (src_rdy ^ bus.src_rdy) | (dst_rdy ^ bus.dst_rdy) | (sof ^ bus.sof) | (eof ^ bus.eof);
        for (std::uint32_t i = 0; i < bus.eof_pos.size(); ++i) {
            const std::uint64_t pos =
                pin_bits(pins.eof_pos, b * pos_bits + 64 * i, std::min(64u, pos_bits - 64 * i)) & moves;
            change |= pos ^ bus.eof_pos[i];
            bus.eof_pos[i] = pos;
        }
        if (change == 0) continue;
        bus.src_rdy = src_rdy, bus.dst_rdy = dst_rdy, bus.sof = sof, bus.eof = eof;
        m_word.src_rdy = src_rdy != 0;
        m_word.dst_rdy = dst_rdy != 0;
        m_word.sof = sof;
        m_word.eof = eof;
        for (std::uint32_t r = 0; r < m_regions; ++r) {
            m_word.eof_pos[r] = static_cast<std::uint32_t>(
                pin_bits(bus.eof_pos.data(), r * m_eof_pos_width, m_eof_pos_width));
        }
        m_probe.mfb(b).hold(from, bus.shape.decode(m_word));
    }
}

void ProbePins::tell_mvb(cycle_t from, const MvbVectors& pins) {
    for (std::uint32_t b = 0; b < buses(); ++b) {
        Bus& bus = m_buses[b];
        const std::uint64_t src_rdy = pin_bits(pins.src_rdy, b, 1);
        const std::uint64_t dst_rdy = pin_bits(pins.dst_rdy, b, 1);
        const std::uint64_t moves = std::uint64_t{0} - (src_rdy & dst_rdy);
        const std::uint64_t vld = pin_bits(pins.vld, b * m_regions, m_regions) & moves;
        if (((src_rdy ^ bus.mvb_src_rdy) | (dst_rdy ^ bus.mvb_dst_rdy) | (vld ^ bus.mvb_vld)) == 0) continue;
        bus.mvb_src_rdy = src_rdy, bus.mvb_dst_rdy = dst_rdy, bus.mvb_vld = vld;
        const auto items = static_cast<std::uint32_t>(__builtin_popcountll(vld));
        m_probe.mvb(b).hold(from, {src_rdy != 0, dst_rdy != 0, items});
    }
}

std::uint32_t settings_of_pins(std::uint32_t mps, std::uint32_t mrrs, bool ext_tag_en, bool tag_10b_req_en,
                               bool rcb_size, bool link_up) {
    namespace f = regs::fields::pcie_status;
    return f::mps.make(mps) | f::mrrs.make(mrrs) | f::ext_tag.make(ext_tag_en) |
           f::tag_10bit.make(tag_10b_req_en) | f::rcb.make(rcb_size) | f::link_up.make(link_up);
}

}  // namespace tlmetry::telemetry
