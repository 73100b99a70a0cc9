// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry_sc/pin_signals.hpp"

namespace tlmetry::testing {

namespace {

/// One vector out of the fields of each bus, `width` bits each, bus 0 in the lowest bits.
template <class Field>
std::uint64_t pack(const std::vector<BusPins>& buses, std::uint32_t width, Field field) {
    std::uint64_t vector = 0;
    for (std::size_t b = 0; b < buses.size(); ++b) {
        if (width != 0) vector |= std::uint64_t{field(buses[b])} << (b * width);
    }
    return vector;
}

}  // namespace

void PinSignals::bind(telemetry::PinAdapter& adapter) {
    adapter.mi_reset(mi_reset), adapter.mi_rd(mi_rd), adapter.mi_wr(mi_wr), adapter.mi_be(mi_be);
    adapter.mi_dwr(mi_dwr), adapter.mi_addr(mi_addr);
    adapter.mi_ardy(mi_ardy), adapter.mi_drdy(mi_drdy), adapter.mi_drd(mi_drd);
    adapter.dma_reset(dma_reset);
    for (std::size_t e = 0; e < pcie.size(); ++e) {
        Pcie& p = pcie[e];
        adapter.pcie_reset[e](p.reset);
        adapter.pcie_mfb_sof[e](p.mfb.sof), adapter.pcie_mfb_eof[e](p.mfb.eof);
        adapter.pcie_mfb_eof_pos[e](p.mfb.eof_pos);
        adapter.pcie_mfb_src_rdy[e](p.mfb.src_rdy), adapter.pcie_mfb_dst_rdy[e](p.mfb.dst_rdy);
        adapter.pcie_ptc_brake[e](p.brake);
        adapter.pcie_stfifo_free[e](p.stfifo_free), adapter.pcie_tag_free[e](p.tag_free);
        adapter.pcie_mps[e](p.mps), adapter.pcie_mrrs[e](p.mrrs);
        adapter.pcie_ext_tag_en[e](p.ext_tag_en), adapter.pcie_10b_tag_req_en[e](p.tag_10b_req_en);
        adapter.pcie_rcb_size[e](p.rcb_size), adapter.pcie_link_up[e](p.link_up);
        Dma& d = dma[e];
        adapter.dma_mfb_sof[e](d.mfb.sof), adapter.dma_mfb_eof[e](d.mfb.eof);
        adapter.dma_mfb_eof_pos[e](d.mfb.eof_pos);
        adapter.dma_mfb_src_rdy[e](d.mfb.src_rdy), adapter.dma_mfb_dst_rdy[e](d.mfb.dst_rdy);
        adapter.dma_mvb_vld[e](d.mvb_vld);
        adapter.dma_mvb_src_rdy[e](d.mvb_src_rdy), adapter.dma_mvb_dst_rdy[e](d.mvb_dst_rdy);
    }
}

void PinSignals::drive(const MiPins& pins) {
    mi_dwr.write(pins.dwr), mi_addr.write(pins.addr), mi_be.write(pins.be);
    mi_rd.write(pins.rd), mi_wr.write(pins.wr);
}

void PinSignals::drive(Mfb& mfb, const std::vector<BusPins>& buses, std::uint32_t eof_pos_width) {
    const auto regions = static_cast<std::uint32_t>(buses[0].eof_pos.size());
    mfb.sof.write(pack(buses, regions, [](const BusPins& b) { return b.sof; }));
    mfb.eof.write(pack(buses, regions, [](const BusPins& b) { return b.eof; }));
    mfb.eof_pos.write(pack(buses, regions * eof_pos_width, [=](const BusPins& b) {
        std::uint64_t fields = 0;
        for (std::uint32_t r = 0; r < regions; ++r)
            fields |= std::uint64_t{b.eof_pos[r]} << (r * eof_pos_width);
        return fields;
    }));
    mfb.src_rdy.write(pack(buses, 1, [](const BusPins& b) { return b.src_rdy; }));
    mfb.dst_rdy.write(pack(buses, 1, [](const BusPins& b) { return b.dst_rdy; }));
}

void PinSignals::drive(std::uint32_t endpoint, const PciePins& pins) {
    Pcie& p = pcie[endpoint];
    drive(p.mfb, pins.bus, m_pcie_eof_pos_width);
    p.brake.write(pins.brake), p.stfifo_free.write(pins.stfifo_free), p.tag_free.write(pins.tag_free);
    p.mps.write(pins.mps), p.mrrs.write(pins.mrrs);
    p.ext_tag_en.write(pins.ext_tag), p.tag_10b_req_en.write(pins.tag10);
    p.rcb_size.write(pins.rcb), p.link_up.write(pins.link_up);
}

void PinSignals::drive(std::uint32_t endpoint, const DmaPins& pins) {
    Dma& d = dma[endpoint];
    drive(d.mfb, pins.bus, m_dma_eof_pos_width);
    const auto regions = static_cast<std::uint32_t>(pins.bus[0].eof_pos.size());
    d.mvb_vld.write(pack(pins.bus, regions, [](const BusPins& b) { return b.mvb_vld; }));
    d.mvb_src_rdy.write(pack(pins.bus, 1, [](const BusPins& b) { return b.mvb_src_rdy; }));
    d.mvb_dst_rdy.write(pack(pins.bus, 1, [](const BusPins& b) { return b.mvb_dst_rdy; }));
}

}  // namespace tlmetry::testing
