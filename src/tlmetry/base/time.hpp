// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

namespace tlmetry {

/// Simulated time in femtoseconds since the start; it must stay below `never`, about 4600 s.
using time_fs = std::int64_t;

/// Number of a rising edge of one clock, counted from 0; cycle n begins with edge n.
using cycle_t = std::int64_t;

/// Later than every time and every cycle that a simulation can reach, yet far enough from the limit that
/// small offsets can be added to it.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;

inline constexpr time_fs fs_per_ps = 1'000;
inline constexpr time_fs fs_per_ns = 1'000'000;
inline constexpr time_fs fs_per_us = 1'000'000'000;
inline constexpr time_fs fs_per_ms = 1'000'000'000'000;
inline constexpr time_fs fs_per_s = 1'000'000'000'000'000;

}  // namespace tlmetry
