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

/// A bus of a power of two of regions on which nothing is stalled: what OpenWord says, in fewer steps.
class FlowingBus {
public:
    static bool fits(std::uint32_t regions) { return (regions & (regions - 1)) == 0; }
    /// `word` has moved when it was presented. `one_start`: no frame starts behind another one in a word.
    FlowingBus(const OpenWord& word, std::uint32_t regions, bool one_start)
        : m_moved(word.moved),
          m_used(word.used == 0 ? regions : word.used),
          m_joinable(one_start ? 0 : regions),
          m_mask(regions - 1),
          m_shift(static_cast<std::uint32_t>(__builtin_ctz(regions))) {}

    /// Where a frame of `regions` regions goes that is available from `available` on; goes on to its last
    /// word.
    [[gnu::always_inline]] Place place(cycle_t available, std::uint32_t regions) {
        // Without a branch: whether it joins is as good as random.
        const bool joins = (m_used < m_joinable) & (available <= m_moved);
        Place place;
        place.joins = joins;
        place.presented = place.moved = std::max(m_moved + 1, available) - joins;
        place.first_region = only_if(joins, m_used);
        const std::uint32_t last = place.first_region + regions - 1;
        m_used = (last & m_mask) + 1;
        m_moved = place.moved + (last >> m_shift);
        return place;
    }
    /// Of the last word.
    cycle_t moved() const { return m_moved; }
    OpenWord word() const { return {m_moved, m_moved, m_used}; }

private:
    cycle_t m_moved;
    std::uint32_t m_used;
    std::uint32_t m_joinable;  // words with fewer regions used take another frame
    std::uint32_t m_mask;
    std::uint32_t m_shift;
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
