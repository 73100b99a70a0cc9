// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/logs.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint {

/// Words of a number of regions, without a division.
class Regions {
public:
    explicit Regions(std::uint32_t count)
        : m_count(count), m_inverse(((std::uint64_t{1} << fraction_bits) + count - 1) / count) {}

    std::uint32_t count() const { return m_count; }
    /// Full words of so many regions, fewer than 2^32 / count().
    std::uint32_t words(std::uint32_t regions) const {
        return static_cast<std::uint32_t>(regions * m_inverse >> fraction_bits);
    }
    /// Words that `regions` regions touch when the first is in place `first`.
    std::uint32_t touched(std::uint32_t first, std::uint32_t regions) const {
        return words(first + regions + m_count - 1);
    }
    std::uint32_t place(std::uint32_t region) const { return region - words(region) * m_count; }

private:
    static constexpr unsigned fraction_bits = 32;

    std::uint32_t m_count;
    std::uint64_t m_inverse;  // rounded up
};

/// Where a frame is on a bus that moves every word in the cycle in which it is presented, but for the word
/// that it joins.
struct Place {
    cycle_t presented = 0;  ///< of its first word
    cycle_t moved = 0;
    std::uint32_t first_region = 0;
    bool joins = false;
};

/// The word of a bus that is presented last: frames may still join it.
struct OpenWord {
    cycle_t presented = -1;
    cycle_t moved = -1;
    std::uint32_t used = 0;  ///< regions, 0 before the first word

    /// A frame that is available from `available` on joins this word, which has `width` regions.
    bool takes(cycle_t available, std::uint32_t width) const {
        return used != 0 && used < width && available <= presented;
    }
    /// Where a frame of `regions` regions goes that nothing stalls, and goes on to its last word.
    Place place(cycle_t available, std::uint32_t regions, const Regions& width, bool joins) {
        Place place;
        place.joins = joins;
        place.presented = joins ? presented : std::max(moved + 1, available);
        place.moved = joins ? moved : place.presented;
        place.first_region = joins ? used : 0;
        const std::uint32_t more = width.words(place.first_region + regions - 1);
        used = place.first_region + regions - more * width.count();
        moved = place.moved + more;
        presented = more != 0 ? moved : place.presented;
        return place;
    }
};

/// A bus of a power of two of regions on which nothing is stalled: what OpenWord says, in fewer steps. All
/// regions of all words are in a row, and a frame starts at the first that is free and not before its word.
class FlowingBus {
public:
    static bool fits(std::uint32_t regions) { return (regions & (regions - 1)) == 0; }
    /// `word` has moved when it was presented. `one_start`: no frame starts behind another one in a word.
    FlowingBus(const OpenWord& word, std::uint32_t regions, bool one_start)
        : m_mask(regions - 1),
          m_skipped(one_start ? m_mask : 0),
          m_shift(static_cast<std::uint32_t>(__builtin_ctz(regions))),
          m_next(word.moved * cycle_t{regions} + (word.used == 0 ? regions : word.used)) {}

    /// Where a frame of `regions` regions goes that is available from `available` on; goes on to its last
    /// word.
    [[gnu::always_inline]] Place place(cycle_t available, std::uint32_t regions) {
        const cycle_t start = std::max((m_next + m_skipped) & ~m_skipped, available << m_shift);
        m_next = start + regions;
        Place place;
        place.presented = place.moved = start >> m_shift;
        place.first_region = static_cast<std::uint32_t>(start & m_mask);
        place.joins = place.first_region != 0;
        return place;
    }
    /// Of the last word.
    cycle_t moved() const { return (m_next - 1) >> m_shift; }
    OpenWord word() const {
        return {moved(), moved(), static_cast<std::uint32_t>((m_next - 1) & m_mask) + 1};
    }

private:
    cycle_t m_mask;
    cycle_t m_skipped;  // mask of the rest of a word that a frame has ended in
    std::uint32_t m_shift;
    cycle_t m_next;  // region
};

/// Writes a whole frame to a log.
[[gnu::always_inline]] inline void log_frame(MfbLog& log, const Place& place, std::uint32_t regions,
                                             std::uint32_t last_items) {
    Piece& piece = log.extend();
    piece.presented = place.presented;
    piece.moved = place.moved;
    piece.regions = regions;
    piece.last_items = static_cast<std::uint16_t>(last_items);
    piece.first_region = static_cast<std::uint8_t>(place.first_region);
    piece.flags = Piece::flags_of(!place.joins, true, true);
}

}  // namespace tlmetry::endpoint
