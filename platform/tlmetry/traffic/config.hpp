// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::traffic {

enum class Kind {
    random,  ///< every bus, brake and level by itself, at random
    idle,    ///< nothing moves; the link is up and everything is free
};

/// What happens on the observed pins. Shares are in millionths. Lengths are means: they are drawn evenly
/// between nothing and twice the mean.
struct Config {
    Kind kind = Kind::random;

    // MFB and MVB
    std::uint32_t activity_ppm = 700'000;  ///< cycles in which a bus offers a word, did nobody stall it
    std::uint32_t burst_words = 32;        ///< words without a gap
    std::uint32_t frame_bytes = 128;       ///< payload of a frame
    std::uint32_t packing_ppm = 500'000;   ///< free regions of a word in which a frame starts
    std::uint32_t read_ppm = 250'000;      ///< RQ and UP: requests that are reads
    std::uint32_t stall_ppm = 50'000;      ///< offered words that the consumer stalls, in cycles of all
    std::uint32_t stall_cycles = 8;        ///< length of a stall
    std::uint32_t mvb_stall_ppm = 20'000;  ///< the same of the MVB
    // PCIE_PTC_BRAKE
    std::uint32_t brake_ppm = 30'000;  ///< cycles of each reason
    std::uint32_t brake_cycles = 16;   ///< length of one stop
    // Free tags and storage FIFO words
    std::uint32_t level_cycles = 128;  ///< time between two changes

    /// Throws UserError naming the parameter, its value and the rule it breaks.
    void validate() const;
};

inline constexpr std::uint32_t million = 1'000'000;
inline constexpr std::uint32_t max_stall_ppm = 990'000;  ///< a bus must move at last
inline constexpr std::uint32_t max_read_ppm = 990'000;   ///< the MFB of UP sees the other requests only
inline constexpr std::uint32_t max_mean = 1'000'000;     ///< of lengths in words or cycles

}  // namespace tlmetry::traffic
