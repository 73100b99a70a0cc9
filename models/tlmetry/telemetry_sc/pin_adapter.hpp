// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/telemetry/mi_pins.hpp>
#include <tlmetry/telemetry/probe_pins.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <systemc>
#include <vector>

namespace tlmetry::telemetry {

/// PCIE_TELEMETRY_MI with the ports of its documentation, in lower case: the counting core driven by signals,
/// clock edge by clock edge. std_logic is bool, a vector one integer with the documented packing (bus 0 and
/// region 0 in the lowest bits); vectors of ports have one element per endpoint. See docs/pins.md.
///
/// Every port must be bound; bind what a design does not have to a constant signal. A register samples what
/// stood on its port in the delta cycle in which its clock rises.
class PinAdapter : public sc_core::sc_module {
    using BitIn = sc_core::sc_in<bool>;
    using WordIn = sc_core::sc_in<std::uint32_t>;
    using VectorIn = sc_core::sc_in<std::uint64_t>;
    using BitsIn = sc_core::sc_vector<BitIn>;
    using VectorsIn = sc_core::sc_vector<VectorIn>;

public:
    BitIn mi_clk{"mi_clk"}, mi_reset{"mi_reset"};
    WordIn mi_dwr{"mi_dwr"}, mi_addr{"mi_addr"}, mi_be{"mi_be"};
    BitIn mi_rd{"mi_rd"}, mi_wr{"mi_wr"};
    sc_core::sc_out<std::uint32_t> mi_drd{"mi_drd"};  ///< valid while mi_drdy is high, else the last answer
    sc_core::sc_out<bool> mi_ardy{"mi_ardy"}, mi_drdy{"mi_drdy"};

    BitsIn pcie_clk, pcie_reset;
    VectorsIn pcie_mfb_sof, pcie_mfb_eof, pcie_mfb_eof_pos, pcie_mfb_src_rdy, pcie_mfb_dst_rdy;
    VectorsIn pcie_ptc_brake, pcie_stfifo_free, pcie_tag_free;
    VectorsIn pcie_mps, pcie_mrrs;
    BitsIn pcie_ext_tag_en, pcie_10b_tag_req_en, pcie_rcb_size, pcie_link_up;

    BitIn dma_clk{"dma_clk"}, dma_reset{"dma_reset"};
    VectorsIn dma_mfb_sof, dma_mfb_eof, dma_mfb_eof_pos, dma_mfb_src_rdy, dma_mfb_dst_rdy;
    VectorsIn dma_mvb_vld, dma_mvb_src_rdy, dma_mvb_dst_rdy;

    /// Throws UserError for generics that the hardware refuses, and for vectors of more than 64 bits.
    PinAdapter(const sc_core::sc_module_name& name, const Config& generics);

    Telemetry& core() { return m_core; }
    const Telemetry& core() const { return m_core; }

private:
    /// The place of a port's value, and what was there when last looked at.
    template <class T>
    class Watched {
    public:
        void bind(const sc_core::sc_in<T>& port) { m_now = &port->read(); }
        /// True when the value is another one than at the last call.
        bool update() {
            if (*m_now == m_last) return false;
            m_last = *m_now;
            return true;
        }
        const T& last() const { return m_last; }

    private:
        const T* m_now = nullptr;
        T m_last{};
    };
    using Bit = Watched<bool>;
    using Vector = Watched<std::uint64_t>;

    struct Mfb {
        ProbePins pins;
        Vector sof, eof, eof_pos, src_rdy, dst_rdy;
        void sample(cycle_t edge);
    };
    struct PcieProbe {
        Mfb mfb;
        Bit reset;
        Vector brake, stfifo_free, tag_free, mps, mrrs;
        Bit ext_tag_en, tag_10b_req_en, rcb_size, link_up;
        cycle_t edges = 0;
    };
    struct DmaProbe {
        Mfb mfb;
        Vector mvb_vld, mvb_src_rdy, mvb_dst_rdy;
    };

    void start_of_simulation() override;
    void make_processes();
    void mi_edge();
    void dma_edge();
    void pcie_edge(std::uint32_t endpoint);
    void sample_status(std::uint32_t endpoint, cycle_t edge);
    void show_ardy();
    void follow_resets();
    void count_step();

    Clocks m_clocks;
    Telemetry m_core;
    MiPins m_mi;
    std::vector<PcieProbe> m_pcie;
    std::vector<DmaProbe> m_dma;
    Bit m_mi_reset;
    Bit m_dma_reset;
    cycle_t m_mi_edges = 0;
    cycle_t m_dma_edges = 0;
    std::uint32_t m_steps = 0;  // clock edges since the core was last brought up to date
};

}  // namespace tlmetry::telemetry
