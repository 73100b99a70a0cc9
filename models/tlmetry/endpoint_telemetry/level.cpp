// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/level.hpp"

namespace tlmetry::endpoint_telemetry {

std::uint32_t Level::pass(cycle_t first, cycle_t end, std::uint64_t* counts) {
    // A busy level is as good as random to the processor, so this goes without branches that depend on it:
    // neither on which log is next, nor on the band, nor on whether two steps share a cycle.
    const std::int64_t eighth = m_bands.eighth;
    const std::int64_t half = m_bands.half;
    std::int64_t value = m_value;
    std::int64_t lowest = never;
    cycle_t since = first;
    cycle_t above_none = 0;
    cycle_t above_eighth = 0;
    cycle_t above_half = 0;
    const auto stay = [&](cycle_t until) {
        const cycle_t cycles = until - since;
        above_none += value > 0 ? cycles : 0;
        above_eighth += value > eighth ? cycles : 0;
        above_half += value > half ? cycles : 0;
        const std::int64_t shown = cycles > 0 ? value : lowest;
        lowest = std::min(lowest, shown);
        since = until;
    };
    std::size_t falls = 0;
    std::size_t rises = 0;
    cycle_t fall = at(m_falls, 0);
    cycle_t rise = at(m_rises, 0);
    while (std::min(fall, rise) < end) {
        const bool rising = rise <= fall;
        stay(std::min(fall, rise));
        const endpoint::Step& step = (rising ? m_rises : m_falls)[rising ? rises : falls];
        value += step.step;
        rises += rising;
        falls += !rising;
        rise = at(m_rises, rises);
        fall = at(m_falls, falls);
    }
    stay(end);
    for (; falls != 0; --falls)
        m_falls.pop();
    for (; rises != 0; --rises)
        m_rises.pop();
    m_value = value;
    counts[0] += static_cast<std::uint64_t>(end - first - above_none);
    counts[1] += static_cast<std::uint64_t>(above_none - above_eighth);
    counts[2] += static_cast<std::uint64_t>(above_eighth - above_half);
    counts[3] += static_cast<std::uint64_t>(above_half);
    return static_cast<std::uint32_t>(lowest);
}

}  // namespace tlmetry::endpoint_telemetry
