// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// Regions of one frame that follow each other without a gap and without a stall between their words.
struct Piece {
    // Bits of `flags`.
    static constexpr std::uint8_t opens_flag = 1;  ///< nothing else is in its first word before it
    static constexpr std::uint8_t sof_flag = 2;
    static constexpr std::uint8_t eof_flag = 4;
    static constexpr std::uint8_t sum_flag = 8;  ///< in the place of whole frames, see FrameSum
    static constexpr std::uint8_t whole = sof_flag | eof_flag;  ///< a frame in one piece

    cycle_t presented = 0;  ///< of its first word
    cycle_t moved = 0;      ///< of its first word
    std::uint32_t regions = 0;
    std::uint16_t last_items = 0;   ///< items in its last region, minus one; where the frame ends
    std::uint8_t first_region = 0;  ///< in its first word
    std::uint8_t flags = 0;

    static constexpr std::uint8_t flags_of(bool opens_word, bool sof, bool eof) {
        return static_cast<std::uint8_t>((opens_word ? opens_flag : 0) | (sof ? sof_flag : 0) |
                                         (eof ? eof_flag : 0));
    }
    bool opens_word() const { return (flags & opens_flag) != 0; }
    bool sof() const { return (flags & sof_flag) != 0; }
    bool eof() const { return (flags & eof_flag) != 0; }
    void clear(std::uint8_t bits) { flags = static_cast<std::uint8_t>(flags & ~bits); }
};

/// A word of an MVB.
struct Headers {
    cycle_t presented = 0;
    cycle_t moved = 0;
    std::uint32_t items = 0;
};

/// A condition that holds in cycles [from, to); `to` is `never` while its end is not known.
struct Interval {
    cycle_t from = 0;
    cycle_t to = never;
};

/// A level that changes by `step` in cycle `at`.
struct Step {
    cycle_t at = 0;
    std::int32_t step = 0;
};

/// What whole frames that follow each other in a log add up to, for who need not see them one by one. None of
/// them has been stalled.
struct FrameSum {
    cycle_t end = 0;  ///< behind the last word of the last
    std::uint32_t frames = 0;
    std::uint32_t opened = 0;  ///< words that frames have opened, Piece::opens_flag
    std::uint64_t last_items = 0;
    /// In a field of frame_field_bits() for each region of the bus: how often frames are in it. In the next
    /// one: how many end inside a word.
    std::uint64_t fields = 0;
};

/// Bits of a field of FrameSum::fields, on a bus of `regions` regions.
constexpr unsigned frame_field_bits(std::uint32_t regions) {
    return 64 / (regions + 1);
}
/// The number fits such a field.
constexpr bool fits_frame_field(std::uint64_t number, std::uint32_t regions) {
    return number >> frame_field_bits(regions) == 0;
}

/// What happened on a bus, in time order, until every observer has seen it.
struct MfbLog : SlidingQueue<Piece> {
    SlidingQueue<FrameSum> sums;  ///< one for each piece with Piece::sum_flag, which is as long as all of it
    /// A reset may have cut a frame off: who logs sums begins with frames one by one.
    bool is_cut = false;

    /// Frames whose sum this is, all of them over when the last word of the last one moves in cycle `last`.
    void add_sum(FrameSum sum, cycle_t last) {
        sum.end = last + 1;
        sums.push(sum);
        Piece& piece = extend();
        piece = {};
        piece.presented = piece.moved = last;
        piece.flags = Piece::sum_flag | Piece::flags_of(true, true, true);
    }
};

/// FrameSum::fields of single frames on a bus of a power of two of regions, up to 4.
class FrameFields {
public:
    static constexpr std::uint32_t most_regions = 4;

    explicit FrameFields(std::uint32_t regions);
    /// Of a frame of `regions` regions, the first of which is the region `first` of its word.
    std::uint64_t operator()(std::uint32_t first, std::uint32_t regions) const {
        const std::uint32_t last = first + regions - 1;
        return ((last >> m_shift) + 1) * m_ones - m_missing[(first << m_shift) + (last & m_mask)];
    }

private:
    std::uint32_t m_mask;
    std::uint32_t m_shift;
    std::uint64_t m_ones;  // one in each field of a region
    /// What words from the region `first` to the region `last` of the last one have less than whole ones.
    std::array<std::uint64_t, std::size_t{most_regions} * most_regions> m_missing{};
};

/// When observers of a clock look at what they have counted: between the cycles [first + n * period,
/// first + n * period + length], for n from 0 on, and the last time before `end`.
class LookCycles {
public:
    /// All the time.
    LookCycles() = default;
    LookCycles(cycle_t first, cycle_t period, cycle_t length, cycle_t end)
        : m_next(first), m_period(period), m_length(length), m_end(end) {}

    /// Nobody looks between two of the cycles [from, to), of which `from` never goes back.
    bool spare(cycle_t from, cycle_t to) {
        while (m_next + m_length < from)
            m_next += m_period;
        return to <= std::min(m_next, m_end);
    }

private:
    cycle_t m_next = 0;
    cycle_t m_period = 1;
    cycle_t m_length = 0;
    cycle_t m_end = 0;
};
using MvbLog = SlidingQueue<Headers>;
using BrakeLog = SlidingQueue<Interval>;
using LevelLog = SlidingQueue<Step>;

// A reset that begins in cycle `first`: nothing happens on a bus then and later that had been decided before.
// Words that wait are not moved any more; of them only the waiting stays, as a piece of no regions and
// headers of no items.
void end_log(MfbLog& log, std::uint32_t bus_regions, cycle_t first);
void end_log(MvbLog& log, cycle_t first);
void end_log(BrakeLog& log, cycle_t first);
/// Takes back all steps from `first` on and tells their sum.
std::int64_t end_log(LevelLog& log, cycle_t first);

}  // namespace tlmetry::endpoint
