// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reference/ticking_fifo.hpp"

#include <cstdint>
#include <vector>

namespace tlmetry::testing {

/// The accumulator on the MI clock and its memory: live copy in words 0..entries-1, snapshot copy behind it.
class TickingAccumulator {
public:
    TickingAccumulator(std::uint32_t entries, std::uint32_t counter_width,
                       std::vector<std::uint32_t> stream_base, bool memory_ones);

    /// Whether the stream's FIFO is read in this cycle.
    bool reads(std::uint32_t stream) const { return m_q.state == State::read && m_q.stream == stream; }
    bool busy() const;
    std::uint64_t word(std::uint32_t address) const { return m_memory[address]; }
    std::uint32_t entries() const { return m_entries; }

    /// valid: per stream; data: the output of the FIFO of stream().
    void evaluate(bool reset, bool snapshot, bool clear, const std::vector<char>& valid,
                  const TickingFifo::Word& data);
    void clock();

    /// The stream served now or last.
    std::uint32_t stream() const { return m_q.stream; }

private:
    enum class State { idle, read, add, write, snap_read, snap_write, clear };

    struct Registers {
        State state = State::idle;
        bool snapshot_request = false;
        bool clear_request = false;
        std::uint32_t stream = 0;
        std::uint32_t command_address = 0;
        // never reset
        std::uint32_t entry = 0;
        std::uint64_t delta = 0;
        std::uint64_t sum = 0;
        std::uint64_t memory_out = 0;
    };

    /// Served last, as it were, after reset: stream 0 is the first one looked at.
    std::uint32_t last_stream() const { return static_cast<std::uint32_t>(m_stream_base.size()) - 1; }
    std::uint32_t next_stream(const std::vector<char>& valid) const;
    void evaluate_idle(bool delta_waits, const std::vector<char>& valid);
    void write_memory(std::uint32_t address, std::uint64_t value);

    std::uint32_t m_entries;
    std::uint64_t m_counter_mask;
    std::vector<std::uint32_t> m_stream_base;
    std::vector<std::uint64_t> m_memory;
    Registers m_q;
    Registers m_d;
    bool m_memory_write = false;
    std::uint32_t m_memory_address = 0;
    std::uint64_t m_memory_data = 0;
};

}  // namespace tlmetry::testing
