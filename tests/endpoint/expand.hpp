// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "endpoint_reference/frame_bus.hpp"

#include <tlmetry/endpoint/logs.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::test {

/// The pins in cycles 0 to `cycles` - 1 for which a log stands. Cycles without a word have src_rdy low.
std::vector<reference::BusCycle> expand(const endpoint::MfbLog& log, std::uint32_t regions,
                                        std::uint32_t region_items, cycle_t cycles);
std::vector<reference::HeaderCycle> expand(const endpoint::MvbLog& log, cycle_t cycles);
/// Level in each cycle, from `start` in cycle 0 on.
std::vector<int> expand(const endpoint::LevelLog& down, const endpoint::LevelLog& up, int start,
                        cycle_t cycles);
/// Sets bit `bit` in the cycles of the intervals.
void expand(const endpoint::BrakeLog& log, std::uint32_t bit, std::vector<std::uint32_t>& masks);

}  // namespace tlmetry::test
