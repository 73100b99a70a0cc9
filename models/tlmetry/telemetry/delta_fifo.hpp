// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::telemetry {

/// The asynchronous FIFO between a probe and the accumulator, with its pointer crossings and its two output
/// registers, in closed form: for each word the edges at which it becomes visible, moves and leaves.
///
/// Write edges are edges of the probe clock, all others edges of the MI clock. "At edge e" means that the
/// registers hold the new value from e on.
class DeltaFifo {
public:
    struct Word {
        std::uint64_t delta = 0;
        std::uint32_t channel = 0;
    };

    DeltaFifo(std::uint32_t depth, const ClockDomain& write_clock, const ClockDomain& read_clock);

    /// Would a write at `edge` be dropped? All reads before that edge must have been told by pop().
    bool full_at(cycle_t edge) { return m_written >= m_surely_room && !look_for_room(edge); }
    /// After a full_at() that said yes: first write edge that will not find the FIFO full; `never` if no read
    /// known so far makes room.
    cycle_t room_from() const {
        if (m_written < m_depth) return m_write_from;
        const time_fs room = room_time(m_written);
        return room == never ? never : m_write_clock.first_after(room) + 5;
    }
    /// A write at `edge`, which must not meet full.
    void write(cycle_t edge, const Word& word) {
        Entry& entry = at(m_written++);
        entry.word = word;
        entry.edge = edge;
        entry.taken = never;
        if (m_written - m_read <= 2) settle();
    }
    /// To be called when more edges of a recorded clock have become known.
    void update() {
        if (m_read < m_written) settle();
    }

    /// MI edge from which on the output holds the oldest word, `never` if that is not known yet.
    cycle_t head_valid() const { return m_head_valid; }
    const Word& head() const { return word(0); }
    /// The oldest word is read at MI edge `edge` (the read enable was high in the cycle before).
    void pop(cycle_t edge) {
        ++m_read;
        m_last_pop = edge;
        m_head_valid = never;
        if (m_read < m_written) settle();
    }

    /// All words were written, and the pointers that cover them had left the write side, before time `t`.
    bool all_written_before(time_fs t) const {
        return m_read == m_written ||
               registered(m_ring[static_cast<std::size_t>((m_written - 1) & m_mask)]) < t;
    }
    /// Reads `count` words at `first`, first + stride, ...; the stride is at least 3. All of them and one
    /// more must have been written so long before `first` that the MI clock has seen them; `take(word)` gets
    /// each.
    template <class Take>
    void pop_many(cycle_t first, cycle_t stride, std::int64_t count, const Take& take) {
        // Each word reaches the output when its predecessor is read, and the next moves up in the same edge;
        // only the second one may have come too late for that, which leaves a bubble.
        cycle_t valid = first;
        if (Entry& second = at(m_read + 1); second.taken == never) {
            second.taken = first;
            valid = first + 1;
        }
        take(at(m_read).word);
        for (std::int64_t i = 1; i < count; ++i) {
            take(at(m_read + i).word);
            at(m_read + i + 1).taken = valid;
            valid = first + i * stride;
        }
        m_read += count;
        m_last_pop = first + (count - 1) * stride;
        m_head_valid = valid;
        settle();
    }

    /// The i-th oldest word written and not read.
    const Word& word(std::int64_t i) const {
        return m_ring[static_cast<std::size_t>((m_read + i) & m_mask)].word;
    }
    /// Words written and not read.
    std::int64_t size() const { return m_written - m_read; }

    /// Either reset: empty at once. Nothing may be written before `write_from`, and no register of the read
    /// side moves before MI edge `read_from`.
    void reset(cycle_t write_from, cycle_t read_from);
    /// Empty after a time without traffic: what the pointers did before no longer matters.
    void drain();

private:
    struct Entry {
        Word word;
        cycle_t edge = 0;       // of the write
        cycle_t taken = never;  // it left the memory for the first output register; never = still there
    };

    Entry& at(std::int64_t word) { return m_ring[static_cast<std::size_t>(word & m_mask)]; }

    /// When the write pointer that covers a word leaves the write side; `never` if that edge is not known
    /// yet.
    time_fs registered(const Entry& entry) const { return m_write_clock.time_of(entry.edge + 1); }

    /// Moves the two oldest words on into the output registers, as far as their times are decided.
    ///
    /// A write pointer is registered once more, then sampled by three registers of the MI clock and turned to
    /// binary in a fourth; one edge later its word can leave the memory.
    void settle() {
        if (m_head_valid == never) {
            if (at(m_read).taken != never) {
                m_head_valid = m_last_pop;  // it waited right behind its predecessor
            } else if (!settle_head()) {
                return;
            }
        }
        if (m_read + 1 >= m_written) return;
        Entry& second = at(m_read + 1);
        if (second.taken != never) return;
        // The second word moves up in the edge in which the first reaches the output, if it is visible by
        // then; if not, the bubble between them stays until the first is read.
        const cycle_t sampled = m_head_valid - 4;
        if (m_read_clock.time_of(sampled) > registered(second) && sampled >= m_read_from) {
            second.taken = m_head_valid;
        }
    }
    bool settle_head();
    /// Room for a word comes when the word `depth` before it has left the memory: when the read pointer that
    /// says so leaves the read side; `never` if that is not known yet.
    time_fs room_time(std::int64_t word) const {
        const cycle_t taken = m_ring[static_cast<std::size_t>((word - m_depth) & m_mask)].taken;
        return taken == never ? never : m_read_clock.time_of(taken + 1);
    }
    bool look_for_room(cycle_t edge);

    const ClockDomain& m_write_clock;
    const ClockDomain& m_read_clock;
    std::int64_t m_depth;
    std::int64_t m_mask;
    std::vector<Entry> m_ring;   // of a word at its number modulo the size
    std::int64_t m_written = 0;  // words written since the last reset
    std::int64_t m_read = 0;     // words read since the last reset
    cycle_t m_head_valid = never;
    cycle_t m_last_pop = -1;
    std::int64_t m_surely_room =
        0;  // words with lower numbers find room at the next write and all later ones
    cycle_t m_write_from = 0;
    cycle_t m_read_from = 0;
};

}  // namespace tlmetry::telemetry
