// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/delta_fifo.hpp"

#include <algorithm>

#include <tlmetry/telemetry/config.hpp>

namespace tlmetry::telemetry {

cycle_t EdgeCursor::move(time_fs t) {
    // A few steps are cheaper than the division of first_after(); sweeps are dense, pauses between them long.
    if (m_time >= 0 && t >= m_time) {
        for (int step = 0; step < 4; ++step) {
            m_previous = m_time;
            m_time = m_clock->time_of(++m_edge);
            if (m_time == never) break;
            if (t < m_time) return m_edge;
        }
    }
    m_edge = m_clock->first_after(t);
    m_time = m_clock->time_of(m_edge);
    m_previous = m_edge == 0 ? -1 : m_clock->time_of(m_edge - 1);
    if (m_time == never) m_time = m_previous = -1;  // of a recorded clock more edges may become known
    return m_edge;
}

DeltaFifo::DeltaFifo(std::uint32_t depth, const ClockDomain& write_clock, const ClockDomain& read_clock)
    : m_write_clock(write_clock),
      m_read_clock(read_clock),
      m_crossing(read_clock),
      m_depth(depth),
      // `depth` words in the memory, two in the output registers
      m_mask((std::int64_t{1} << clog2(depth + 2)) - 1),
      m_words(static_cast<std::size_t>(m_mask + 1)),
      m_visible(m_words.size()),
      m_taken(m_words.size()) {}

/// Room for the next word comes when the word `depth` before it has left the memory.
void DeltaFifo::find_room() {
    const cycle_t taken = m_taken[static_cast<std::size_t>((m_written - m_depth) & m_mask)];
    m_room_time = taken == never ? never : m_read_clock.time_of(taken + 1);
    // Of a word that is still there, or an edge that is not known yet, more will be known later.
    m_room_for = m_room_time == never ? -1 : m_written;
}

void DeltaFifo::write(cycle_t edge, const Word& word) {
    const auto place = static_cast<std::size_t>(m_written & m_mask);
    m_words[place] = word;
    m_taken[place] = never;
    m_visible[place] = never;
    ++m_written;
    m_last_write = edge;
    update();
}

void DeltaFifo::update() {
    if (m_last_write == never) return;
    const time_fs pointer_registered = m_write_clock.time_of(m_last_write + 1);
    if (pointer_registered == never) return;
    // The write pointer is registered once more, then sampled by three registers and turned to binary in a fourth.
    const cycle_t sampled = std::max(m_crossing.first_after(pointer_registered), m_read_from);
    m_visible[static_cast<std::size_t>((m_written - 1) & m_mask)] = sampled + 3;
    m_last_write = never;
    settle(m_written - 1);
}

/// Moves a word on into the output registers as far as its time is already decided.
void DeltaFifo::settle(std::int64_t word) {
    const auto place = static_cast<std::size_t>(word & m_mask);
    if (m_visible[place] == never) return;
    if (word == m_read + 1 && m_visible[place] + 1 <= m_head_valid) {
        // It moves up behind its predecessor, in the edge in which that one reaches the output.
        m_taken[place] = m_head_valid;
    } else if (word == m_read) {
        if (m_taken[place] == never) {
            m_taken[place] = std::max(m_visible[place] + 1, m_last_pop);
            m_head_valid = m_taken[place] + 1;
        } else {
            m_head_valid = m_last_pop;
        }
        if (m_read + 1 < m_written) settle(word + 1);
    }
}

void DeltaFifo::pop(cycle_t edge) {
    ++m_read;
    m_last_pop = edge;
    m_head_valid = never;
    if (m_read < m_written) settle(m_read);
}

void DeltaFifo::reset(cycle_t write_from, cycle_t read_from) {
    drain();
    m_write_from = write_from;
    m_read_from = read_from;
}

void DeltaFifo::drain() {
    m_written = 0;
    m_read = 0;
    m_head_valid = never;
    m_last_pop = -1;
    m_last_write = never;
    m_room_for = -1;
}

}  // namespace tlmetry::telemetry
