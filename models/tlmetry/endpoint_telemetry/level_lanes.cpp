// SPDX-License-Identifier: BSD-3-Clause
// Compiled for processors with AVX-512, and called on them only: no function of it but pass() may be seen
// elsewhere, nor may it use any that others compile too.
#include "tlmetry/endpoint_telemetry/level_lanes.hpp"

#include <tlmetry/base/lanes.hpp>

namespace tlmetry::endpoint_telemetry::level_lanes {

void pass(const endpoint::Step* falls, std::size_t count, Position& position) {
    static_assert(width == lane_count && sizeof(endpoint::Step) == 16);
    const endpoint::Step* rise = position.rise;
    std::int64_t value = position.value;
    Lanes lowest = lanes_of(position.lowest);
    Lanes highest = lanes_of(position.highest);
    for (const endpoint::Step* const end = falls + count; falls != end; falls += width) {
        const Lanes first = load_lanes(falls);
        const Lanes second = load_lanes(falls + width / 2);
        const Lanes at = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
        // The lower half of a number, with its sign.
        const Lanes fall = (__builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15) << 32) >> 32;
        // Behind each fall, first without rises.
        const Lanes fallen = sums_of(fall);
        Lanes behind = fallen + value;
        value += fallen[width - 1];
        const std::int64_t last = at[width - 1];
        for (; rise->at <= last; ++rise) {
            const std::int64_t step = rise->step;
            behind += (at >= rise->at) & step;
            value += step;
        }
        lowest = min_of(lowest, behind);
        highest = max_of(highest, behind - fall);
    }
    position.rise = rise;
    position.value = value;
    for (std::size_t lane = 0; lane < width; ++lane) {
        position.lowest = lowest[lane] < position.lowest ? lowest[lane] : position.lowest;
        position.highest = highest[lane] > position.highest ? highest[lane] : position.highest;
    }
}

}  // namespace tlmetry::endpoint_telemetry::level_lanes
