// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <tlmetry/base/clock_domain.hpp>

namespace tlmetry::telemetry {

/// A clock of which neighbouring edges are asked for again and again: remembers the last place, so that most
/// questions cost a comparison instead of a division.
class EdgeCursor {
public:
    explicit EdgeCursor(const ClockDomain& clock) : m_clock(&clock) {}

    /// First edge strictly after `t`.
    cycle_t first_after(time_fs t) {
        if (t < m_time && t >= m_previous) return m_edge;
        return move(t);
    }

private:
    cycle_t move(time_fs t);

    const ClockDomain* m_clock;
    cycle_t m_edge = 0;
    time_fs m_time = -1;      // of m_edge
    time_fs m_previous = -1;  // of the edge before; both -1 = no place yet
};

/// The asynchronous FIFO between a probe and the accumulator, with its pointer crossings and its two output
/// registers, in closed form: for each word the edges at which it becomes visible, moves and leaves.
///
/// Write edges are edges of the probe clock, all others edges of the MI clock. "At edge e" means that the registers
/// hold the new value from e on.
class DeltaFifo {
public:
    struct Word {
        std::uint64_t delta = 0;
        std::uint32_t channel = 0;
    };

    DeltaFifo(std::uint32_t depth, const ClockDomain& write_clock, const ClockDomain& read_clock);

    /// Would a write at `edge` be dropped? All reads before that edge must have been told by pop().
    bool full_at(cycle_t edge) {
        if (edge < m_write_from) return true;
        if (m_written < m_depth) return false;
        if (m_room_for != m_written) find_room();
        // The full flag is low one edge after the read pointer has passed one, three and one registers.
        return m_write_clock.time_of(edge - 5) <= m_room_time;
    }
    /// A write at `edge`, which must not meet full.
    void write(cycle_t edge, const Word& word);

    /// To be called when more edges of a recorded clock have become known.
    void update();

    /// MI edge from which on the output holds the oldest word, `never` if that is not known yet.
    cycle_t head_valid() const { return m_head_valid; }
    const Word& head() const { return word(0); }
    /// The oldest word is read at MI edge `edge` (the read enable was high in the cycle before).
    void pop(cycle_t edge);

    /// The i-th oldest word written and not read.
    const Word& word(std::int64_t i) const { return m_words[static_cast<std::size_t>((m_read + i) & m_mask)]; }
    /// Words written and not read.
    std::int64_t size() const { return m_written - m_read; }

    /// Either reset: empty at once. Nothing may be written before `write_from`, and no register of the read side
    /// moves before MI edge `read_from`.
    void reset(cycle_t write_from, cycle_t read_from);
    /// Empty after a time without traffic: what the pointers did before no longer matters.
    void drain();

private:
    void settle(std::int64_t word);
    void find_room();

    const ClockDomain& m_write_clock;
    const ClockDomain& m_read_clock;
    EdgeCursor m_crossing;
    std::int64_t m_depth;
    std::int64_t m_mask;
    // Per word, at its number modulo the size of the rings:
    std::vector<Word> m_words;
    std::vector<cycle_t> m_visible;  // the read side's copy of the write pointer covers it
    std::vector<cycle_t> m_taken;    // it left the memory for the first output register; never = still there
    std::int64_t m_written = 0;      // words written since the last reset
    std::int64_t m_read = 0;         // words read since the last reset
    cycle_t m_head_valid = never;
    cycle_t m_last_pop = -1;
    cycle_t m_last_write = never;  // of a word whose crossing is not known yet
    std::int64_t m_room_for = -1;  // number of the word that m_room_time is about
    time_fs m_room_time = never;   // when the read pointer that makes room for it leaves the read side
    cycle_t m_write_from = 0;
    cycle_t m_read_from = 0;
};

}  // namespace tlmetry::telemetry
