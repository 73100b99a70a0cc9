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

/// The oldest word leaves the memory as soon as it is visible and nothing is before it.
bool DeltaFifo::settle_head() {
    Entry& head = at(m_read);
    if (head.registered == never) return false;
    const cycle_t visible = std::max(m_read_clock.first_after(head.registered), m_read_from) + 3;
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
}

}  // namespace tlmetry::telemetry
