// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "endpoint_reference/frame_bus.hpp"

#include <cstdint>
#include <vector>

namespace tlmetry::reference {

/// What the telemetry counts on a bus over a window of cycles.
struct BusCounters {
    std::int64_t words = 0;
    std::int64_t stalls = 0;  ///< cycles with a word that does not move
    std::int64_t starts = 0;
    std::int64_t items = 0;
    std::vector<std::int64_t> regions;  ///< moved words in which the region carries data
};
struct HeaderCounters {
    std::int64_t items = 0;
    std::int64_t stalls = 0;
};

/// Counts cycles first <= c < end.
BusCounters count(const std::vector<BusCycle>& cycles, std::int64_t first, std::int64_t end, int regions);
HeaderCounters count(const std::vector<HeaderCycle>& cycles, std::int64_t first, std::int64_t end);

}  // namespace tlmetry::reference
