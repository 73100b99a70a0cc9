// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// What software can tune of a root port, as a level from 0 to most_level.
enum class Knob : std::uint8_t {
    qos_tx_cpl,  ///< weight of completions on Tx
    qos_tx_np,   ///< of non-posted requests
    qos_tx_p,    ///< of posted requests
    rx_alloc_buf_level,
    tx_alloc_buf_level
};
inline constexpr std::size_t knobs = 5;
inline constexpr std::array<const char*, knobs> knob_names = {"qos_tx_cpl", "qos_tx_np", "qos_tx_p",
                                                              "rx_alloc_buf_level", "tx_alloc_buf_level"};
inline constexpr std::uint32_t most_level = 2;

/// The levels of a root port.
struct Tuning {
    std::array<std::uint32_t, knobs> levels{1, 1, 1, 0, 0};  ///< by Knob

    std::uint32_t operator[](Knob knob) const { return levels[static_cast<std::size_t>(knob)]; }
    std::uint32_t& operator[](Knob knob) { return levels[static_cast<std::size_t>(knob)]; }
};

// What the levels mean: the documentation of the hardware says that they are levels, not which.
/// Share of the link while others want it too.
inline constexpr std::array<std::uint32_t, most_level + 1> weight_of_level = {1, 2, 4};
/// Bytes of TLPs that a buffer waits for.
inline constexpr std::array<std::uint32_t, most_level + 1> watermark_of_level = {0, 512, 2048};

}  // namespace tlmetry::endpoint
