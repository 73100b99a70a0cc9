// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/brake_tally.hpp"

#include <algorithm>

namespace tlmetry::endpoint_telemetry {

cycle_t BrakeTally::next() const {
    cycle_t next = never;
    for (const Brake& brake : m_brakes) {
        next = std::min(next, *brake.since);
        if (!brake.log->empty()) next = std::min(next, brake.log->front().from);
    }
    return std::max(next, m_passed);
}

void BrakeTally::pass(cycle_t end, std::uint64_t* counts, bool&) {
    for (const Brake& brake : m_brakes) {
        cycle_t held = 0;
        while (!brake.log->empty() && brake.log->front().from < end) {
            const endpoint::Interval& interval = brake.log->front();
            held += std::min(interval.to, end) - std::max(interval.from, m_passed);
            if (interval.to > end) break;
            brake.log->pop();
        }
        if (*brake.since < end) held += end - std::max(*brake.since, m_passed);
        *counts++ += static_cast<std::uint64_t>(held);
    }
    m_passed = end;
}

}  // namespace tlmetry::endpoint_telemetry
