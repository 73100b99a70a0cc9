// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/mvb_tally.hpp"

namespace tlmetry::endpoint_telemetry {

void MvbTally::pass(cycle_t end, std::uint64_t* counts, bool&) {
    const auto over = [end](const endpoint::Headers& word) { return word.moved < end; };
    std::uint64_t items = 0;
    cycle_t stalled = 0;
    if (!m_log.empty() && over(m_log.front())) {
        const endpoint::Headers* const first = m_log.begin();
        const endpoint::Headers* last = m_log.end();
        if (!over(last[-1])) last = std::partition_point(first, last, over);
        for (const endpoint::Headers* word = first; word != last; ++word) {
            items += word->items;
            stalled += word->moved - word->presented;
        }
        // What stood at the last pass was counted then.
        stalled -= std::max<cycle_t>(0, m_passed - first->presented);
        m_last_moved = last[-1].moved;
        m_last_items = last[-1].items;
        m_log.pop(static_cast<std::size_t>(last - first));
    }
    if (waiting() < end) stalled += end - std::max(waiting(), m_passed);
    counts[0] += items;
    counts[1] += static_cast<std::uint64_t>(stalled);
    m_passed = end;
}

}  // namespace tlmetry::endpoint_telemetry
