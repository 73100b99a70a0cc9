// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/delta_fifo.hpp"

#include <tlmetry/telemetry/config.hpp>

#include <algorithm>

namespace tlmetry::telemetry {

DeltaFifo::DeltaFifo(std::uint32_t depth, const ClockDomain& write_clock, const ClockDomain& read_clock)
    : m_write_clock(write_clock),
      m_read_clock(read_clock),
      m_depth(depth),
      // `depth` words in the memory, two in the output registers
      m_mask((std::int64_t{1} << clog2(depth + 2)) - 1),
      m_ring(static_cast<std::size_t>(m_mask + 1)) {}

/// Finds out whether the next word has room at `edge`, and if so, how many after it certainly have.
bool DeltaFifo::look_for_room(cycle_t edge) {
    if (edge < m_write_from) return false;
    if (m_written < m_depth) {
        m_surely_room = m_depth;
        return true;
    }
    // The full flag is low one edge after the read pointer has passed one, three and one registers.
    const time_fs seen_by = m_write_clock.time_of(edge - 5);
    if (seen_by <= room_time(m_written)) return false;
    // Words leave in their order, so what has room for a later word has room for all before it.
    constexpr std::int64_t ahead = 7;
    const bool more = ahead < m_depth && room_time(m_written + ahead) < seen_by;
    m_surely_room = m_written + (more ? ahead : 0) + 1;
    return true;
}

/// The oldest word leaves the memory as soon as it is visible and nothing is before it.
bool DeltaFifo::settle_head() {
    Entry& head = at(m_read);
    const time_fs pointer = registered(head);
    if (pointer == never) return false;
    const cycle_t visible = std::max(m_read_clock.first_after(pointer), m_read_from) + 3;
    head.taken = std::max(visible + 1, m_last_pop);
    m_head_valid = head.taken + 1;
    return true;
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
    m_surely_room = 0;
}

}  // namespace tlmetry::telemetry
