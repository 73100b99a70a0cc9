// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/pins/pin_signals.hpp"

namespace tlmetry::pins {

SideSignals::SideSignals(telemetry::PinAdapter& adapter, std::uint32_t endpoint, bool pcie) {
    const std::uint32_t e = endpoint;
    std::vector<sc_core::sc_in<std::uint64_t>*> vectors;
    std::vector<sc_core::sc_in<bool>*> bits;
    if (pcie) {
        vectors = {&adapter.pcie_mfb_sof[e],     &adapter.pcie_mfb_eof[e],     &adapter.pcie_mfb_eof_pos[e],
                   &adapter.pcie_mfb_src_rdy[e], &adapter.pcie_mfb_dst_rdy[e], &adapter.pcie_ptc_brake[e],
                   &adapter.pcie_stfifo_free[e], &adapter.pcie_tag_free[e],    &adapter.pcie_mps[e],
                   &adapter.pcie_mrrs[e]};
        bits = {&adapter.pcie_ext_tag_en[e], &adapter.pcie_10b_tag_req_en[e], &adapter.pcie_rcb_size[e],
                &adapter.pcie_link_up[e]};
    } else {
        vectors = {&adapter.dma_mfb_sof[e],     &adapter.dma_mfb_eof[e],     &adapter.dma_mfb_eof_pos[e],
                   &adapter.dma_mfb_src_rdy[e], &adapter.dma_mfb_dst_rdy[e], &adapter.dma_mvb_vld[e],
                   &adapter.dma_mvb_src_rdy[e], &adapter.dma_mvb_dst_rdy[e]};
    }
    m_vectors.init(vectors.size());
    m_bits.init(bits.size());
    for (std::size_t i = 0; i < vectors.size(); ++i)
        vectors[i]->bind(m_vectors[i]);
    for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i]->bind(m_bits[i]);
}

void SideSignals::drive(const endpoint_pins::SidePins& pins) {
    for (std::size_t i = 0; i < pins.pins().size(); ++i) {
        const endpoint_pins::Pin& pin = pins.pins()[i];
        if (!pin.changed) continue;
        if (i < m_vectors.size()) {
            m_vectors[i].write(pin.value[0]);
        } else {
            m_bits[i - m_vectors.size()].write(pin.value[0] != 0);
        }
    }
}

}  // namespace tlmetry::pins
