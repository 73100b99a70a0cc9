// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reference/ticking_config.hpp"
#include "reference/ticking_fifo.hpp"

#include <cstdint>
#include <vector>

namespace tlmetry::testing {

/// One probe: the observed clock with its counters and read-out, the FIFO, and the flags on the MI clock.
class TickingProbe {
public:
    explicit TickingProbe(const TickingProbeShape& shape);

    const TickingProbeShape& shape() const { return m_shape; }

    /// Asynchronous effect of a changed reset pin of either clock.
    void set_resets(bool reset, bool mi_reset);

    /// High in the cycle whose ending edge starts a read-out.
    bool tick() const { return m_q.period == m_shape.drain_period - 1; }

    void evaluate(const std::vector<BusPins>& pins, std::uint32_t brakes, bool clear_toggle);
    void clock();

    void evaluate_mi(bool read);
    void clock_mi();

    bool valid() const { return m_fifo.valid(); }
    const TickingFifo::Word& data() const { return m_fifo.data(); }
    bool lost_at_mi() const { return m_mi_q.lost2; }
    bool overrun_at_mi() const { return m_mi_q.overrun2; }

    /// The flags in the clock of the probe.
    bool lost() const { return m_q.lost; }
    bool overrun() const { return m_q.overrun; }
    /// A narrow counter.
    std::uint64_t counter(std::uint32_t channel) const { return m_q.counter[channel]; }

private:
    struct Registers {
        ResetSynchroniser mi_reset;
        // input registers
        std::vector<BusPins> bus;
        std::uint32_t brakes = 0;
        // increments
        std::vector<char> frame_open;  // per bus
        std::vector<std::uint32_t> step;
        // counters
        std::vector<std::uint64_t> counter;
        // read-out
        std::uint32_t period = 0;
        bool sweep = false;
        std::uint32_t slot = 0;
        std::uint32_t position = 0;
        std::vector<std::uint64_t> group;
        bool write_enable = false;
        TickingFifo::Word write_data;
        // flags
        bool clear_sync1 = false;
        bool clear_sync2 = false;
        bool clear_seen = false;
        bool lost = false;
        bool overrun = false;
    };
    struct MiRegisters {
        bool lost1 = false;
        bool lost2 = false;
        bool overrun1 = false;
        bool overrun2 = false;
    };

    void evaluate_inputs(const std::vector<BusPins>& pins, std::uint32_t brakes, bool reset);
    void evaluate_steps();
    void evaluate_bus_steps(std::uint32_t bus);
    void evaluate_counters();
    void evaluate_readout();
    void evaluate_flags(bool clear_toggle, bool reset);

    TickingProbeShape m_shape;
    std::uint64_t m_counter_mask;
    bool m_reset_pin = true;
    bool m_mi_reset_pin = true;
    Registers m_q;
    Registers m_d;
    MiRegisters m_mi_q;
    MiRegisters m_mi_d;
    TickingFifo m_fifo;
};

}  // namespace tlmetry::testing
