// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/mvb_tally.hpp"

namespace tlmetry::endpoint_telemetry {

void MvbTally::pass(cycle_t end, std::uint64_t* counts, bool&) {
    const std::size_t known = m_log.size();
    std::size_t done = 0;
    std::uint64_t items = 0;
    cycle_t stalled = 0;
    for (; done < known; ++done) {
        const endpoint::Headers& word = m_log[done];
        if (word.moved >= end) break;
        items += word.items;
        stalled += word.moved - std::max(word.presented, m_passed);
    }
    if (done != 0) {
        m_last_moved = m_log[done - 1].moved;
        m_last_items = m_log[done - 1].items;
    }
    for (std::size_t i = 0; i < done; ++i)
        m_log.pop();
    if (waiting() < end) stalled += end - std::max(waiting(), m_passed);
    counts[0] += items;
    counts[1] += static_cast<std::uint64_t>(stalled);
    m_passed = end;
}

}  // namespace tlmetry::endpoint_telemetry
