// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tlmetry::testing {

/// What a random card exercised.
struct PinCase {
    std::string difference;  ///< empty: pins, waveform and bulk counting agree, and the pins are legal
    std::uint64_t words = 0;
    std::uint64_t stalled = 0;
    std::uint64_t deltas = 0;
    std::uint64_t answers = 0;
    bool padded = false;     ///< a bus is narrower than its probe
    std::size_t resets = 0;  ///< of the timeline that have begun
};

/// Runs a random card. Its pins are counted by a second component, checked, and written to the waveform
/// `wave` that is then played into a third one.
PinCase play_pin_case(std::uint64_t seed, const std::string& wave);

}  // namespace tlmetry::testing
