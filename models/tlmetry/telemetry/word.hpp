// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::telemetry {

/// The pins of one observed MFB bus in one cycle. Bit r of a mask is region r.
struct MfbPins {
    bool src_rdy = false;
    bool dst_rdy = false;
    std::uint64_t sof = 0;
    std::uint64_t eof = 0;
    std::vector<std::uint32_t>
        eof_pos;  ///< last item of the frame that ends in region r; missing ones read 0
};

/// What one cycle of an MFB bus adds to its channels. A word means something else when a frame is open before
/// it, so what depends on that is kept for both cases: index 0 = no frame open, 1 = a frame open.
struct MfbWord {
    bool src_rdy = false;
    bool dst_rdy = false;
    bool open_after[2] = {false, true};
    std::uint32_t transactions = 0;
    std::uint32_t items[2] = {0, 0};
    std::uint64_t regions[2] = {0, 0};  ///< mask of the regions that carry data

    /// Counts `cycles` cycles of this word into the channels of a bus (see bus_channel; MVB channels are left
    /// alone). `open` is the frame state before and after.
    void add(std::uint64_t* counts, cycle_t cycles, bool& open) const;
};

/// The shape that decides what the pins of a bus mean.
struct BusShape {
    std::uint32_t probe_regions = 1;  ///< width of the pins
    std::uint32_t regions = 1;        ///< regions the bus really has
    std::uint32_t region_items = 1;
    Padding padding = Padding::as_built;

    /// What a word of these pins counts; regions are walked upward, and in those beyond the real ones
    /// `padding` decides (models/tlmetry/telemetry/README.md, What may surprise).
    MfbWord decode(const MfbPins& pins) const;
};

/// What one cycle of the MVB beside an MFB bus adds to its channels.
struct MvbWord {
    bool src_rdy = false;
    bool dst_rdy = false;
    std::uint32_t items = 0;  ///< number of valid items of the word

    void add(std::uint64_t* counts, cycle_t cycles, bool& open) const;
};

/// Signals of which each set bit counts a cycle: BRAKE pins and histogram bands.
struct BitsWord {
    std::uint32_t mask = 0;

    void add(std::uint64_t* counts, cycle_t cycles, bool& open) const;
};

}  // namespace tlmetry::telemetry
