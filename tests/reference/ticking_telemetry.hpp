// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reference/ticking_accumulator.hpp"
#include "reference/ticking_config.hpp"
#include "reference/ticking_probe.hpp"
#include "reference/ticking_status.hpp"

#include <cstdint>
#include <vector>

namespace tlmetry::testing {

/// The whole telemetry block, register by register: the independent reference other models are compared with.
/// Shares nothing with them. The bench writes the pins, then calls edges(); a register samples what stood
/// there.
class TickingTelemetry {
public:
    explicit TickingTelemetry(const TickingConfig& config);

    MiPins mi;
    bool dma_reset = true;
    std::vector<PciePins> pcie;  ///< per endpoint; RQ, RC
    std::vector<DmaPins> dma;    ///< per endpoint; 2*p UP, 2*p+1 DOWN

    /// To be called after any reset pin changed (and after the edges of the same moment): resets act at once.
    void resets_changed();

    /// Rising edges that coincide; bit e of pcie_mask is the PCIe clock of endpoint e.
    void edges(bool mi_edge, bool dma_edge, std::uint32_t pcie_mask);

    std::uint32_t mi_drd() const { return m_q.drd; }
    bool mi_drdy() const { return m_q.drdy; }
    bool mi_ardy() const { return mi.rd || mi.wr; }

    // Observers. Probe 2*e is the PCIe one of endpoint e, 2*e+1 the DMA one.
    std::uint32_t entries() const { return m_accumulator.entries(); }
    std::uint64_t live(std::uint32_t entry) const { return m_accumulator.word(entry); }
    std::uint64_t snapshot(std::uint32_t entry) const { return m_accumulator.word(entries() + entry); }
    bool busy() const { return m_accumulator.busy(); }
    const TickingProbe& probe(std::uint32_t index) const { return m_probes[index]; }
    const TickingStatus& status(std::uint32_t endpoint) const { return m_status[endpoint]; }

    /// One delta taken by the accumulator.
    struct Delta {
        std::uint32_t stream;
        std::uint32_t channel;
        std::uint64_t value;
    };
    /// From now on every delta is recorded in `deltas` in the order in which the accumulator takes them.
    void record_deltas() { m_record_deltas = true; }
    std::vector<Delta> deltas;

private:
    struct Registers {
        // never reset: the read data path
        bool read1 = false;
        std::uint32_t register_data = 0;
        std::uint64_t memory_data = 0;
        bool window = false;
        bool high_word = false;
        std::uint32_t drd = 0;
        bool drdy = false;
        // reset by MI_RESET
        bool read_sel = false;
        bool snapshot = false;
        bool clear = false;
        bool clear_marks = false;
        bool clear_flags_toggle = false;
    };

    void evaluate_mi();
    void evaluate_reads();
    void evaluate_writes();
    std::uint32_t read_register(std::uint32_t offset) const;
    std::uint32_t status_flags() const;

    TickingConfig m_config;
    std::vector<TickingProbe> m_probes;
    std::vector<TickingStatus> m_status;
    TickingAccumulator m_accumulator;
    std::vector<char> m_valid;
    Registers m_q;
    Registers m_d;
    bool m_record_deltas = false;
};

}  // namespace tlmetry::testing
