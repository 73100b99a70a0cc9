// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/tune_events.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

using ptt::TuneEvent;

/// The levels of a root port.
struct Tuning {
    std::array<std::uint32_t, ptt::tune_events.size()> levels{1, 1, 1, 0, 0};  ///< by TuneEvent

    std::uint32_t operator[](TuneEvent event) const { return levels[static_cast<std::size_t>(event)]; }
    std::uint32_t& operator[](TuneEvent event) { return levels[static_cast<std::size_t>(event)]; }
};

// What the levels mean: the documentation of the hardware says that they are levels, not which.
/// Share of the link while others want it too.
inline constexpr std::array<std::uint32_t, ptt::highest_level + 1> weight_of_level = {1, 2, 4};
/// Bytes of TLPs that a buffer waits for.
inline constexpr std::array<std::uint32_t, ptt::highest_level + 1> watermark_of_level = {0, 512, 2048};

}  // namespace tlmetry::endpoint
