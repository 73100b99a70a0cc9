// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_reference/endpoint_counters.hpp"

namespace tlmetry::reference {

BusCounters count(const std::vector<BusCycle>& cycles, std::int64_t first, std::int64_t end, int regions) {
    BusCounters counters;
    counters.regions.assign(static_cast<std::size_t>(regions), 0);
    for (std::int64_t c = first; c < end; ++c) {
        const BusCycle& cycle = cycles.at(static_cast<std::size_t>(c));
        if (!cycle.src_rdy) continue;
        if (!cycle.dst_rdy) {
            ++counters.stalls;
            continue;
        }
        ++counters.words;
        counters.items += cycle.items;
        for (std::size_t r = 0; r < counters.regions.size(); ++r) {
            counters.starts += cycle.sof >> r & 1u;
            counters.regions[r] += cycle.data >> r & 1u;
        }
    }
    return counters;
}

HeaderCounters count(const std::vector<HeaderCycle>& cycles, std::int64_t first, std::int64_t end) {
    HeaderCounters counters;
    for (std::int64_t c = first; c < end; ++c) {
        const HeaderCycle& cycle = cycles.at(static_cast<std::size_t>(c));
        if (!cycle.src_rdy) continue;
        if (cycle.dst_rdy) {
            counters.items += cycle.items;
        } else {
            ++counters.stalls;
        }
    }
    return counters;
}

}  // namespace tlmetry::reference
