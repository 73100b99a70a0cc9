// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reference/ticking_config.hpp"

#include <tlmetry/telemetry_sc/pin_adapter.hpp>

#include <cstdint>
#include <systemc>
#include <vector>

namespace tlmetry::testing {

/// A signal for each input of the component, driven from plain structs of pins.
class PinSignals {
    template <class T>
    using Signal = sc_core::sc_signal<T>;
    using Bit = Signal<bool>;
    using Vector = Signal<std::uint64_t>;
    using Word = Signal<std::uint32_t>;

public:
    struct Mfb {
        Vector sof, eof, eof_pos, src_rdy, dst_rdy;
    };
    struct Pcie {
        Bit reset;
        Mfb mfb;
        Vector brake, stfifo_free, tag_free, mps, mrrs;
        Bit ext_tag_en, tag_10b_req_en, rcb_size, link_up;
    };
    struct Dma {
        Mfb mfb;
        Vector mvb_vld, mvb_src_rdy, mvb_dst_rdy;
    };

    explicit PinSignals(const telemetry::Config& config)
        : pcie(config.pcie_endpoints),
          dma(config.pcie_endpoints),
          m_pcie_eof_pos_width(config.pcie_eof_pos_width),
          m_dma_eof_pos_width(config.dma_eof_pos_width) {}

    Bit mi_reset, mi_rd, mi_wr, dma_reset;
    Word mi_dwr, mi_addr, mi_be;
    Bit mi_ardy, mi_drdy;
    Word mi_drd;
    std::vector<Pcie> pcie;
    std::vector<Dma> dma;

    /// Everything but the clocks.
    void bind(telemetry::PinAdapter& adapter);

    // Everything but the resets.
    void drive(const MiPins& pins);
    void drive(std::uint32_t endpoint, const PciePins& pins);
    void drive(std::uint32_t endpoint, const DmaPins& pins);

private:
    void drive(Mfb& mfb, const std::vector<BusPins>& buses, std::uint32_t eof_pos_width);

    std::uint32_t m_pcie_eof_pos_width;
    std::uint32_t m_dma_eof_pos_width;
};

}  // namespace tlmetry::testing
