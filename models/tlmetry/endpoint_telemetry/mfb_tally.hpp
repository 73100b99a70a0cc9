// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint_telemetry {

/// Counts the pieces of an MFB log into the channels of its bus (telemetry::bus_channel), and takes them out
/// of the log when they are done.
class MfbTally {
public:
    /// `waiting`: a word is presented from that cycle on and has not moved as far as is known; it is in no
    /// piece yet. Log and `waiting` must live as long as this.
    MfbTally(endpoint::MfbLog& log, const cycle_t& waiting, const telemetry::BusShape& shape);

    /// First cycle in which something is to be counted.
    cycle_t next() const {
        return std::max(m_log.empty() ? m_waiting : std::min(m_waiting, m_log.front().presented), m_passed);
    }
    /// Counts what happens below `end`. `open`: a frame is open whose start was counted.
    void pass(cycle_t end, std::uint64_t* counts, bool& open);

private:
    /// What pieces add to the channels.
    struct Sums {
        std::uint64_t pieces = 0;
        std::uint64_t opened = 0;  // words, by the pieces themselves
        cycle_t stalled = 0;
        std::uint64_t starts = 0;
        std::uint64_t ends = 0;
        std::uint64_t last_items = 0;  // where frames end
        std::uint64_t fields = 0;      // see m_table
    };
    /// How often pieces are in each region, and how many words they touch; they may share words.
    struct Touched {
        std::uint64_t words = 0;
        std::array<std::uint64_t, telemetry::max_regions> in_region;
    };

    void make_table();
    bool over(const endpoint::Piece& piece, cycle_t end) const {
        return piece.moved + m_regions.touched(piece.first_region, piece.regions) <= end;
    }
    void add_sum(const endpoint::FrameSum& sum, cycle_t end, bool open, std::uint64_t* counts) const;
    Touched touched(std::uint64_t fields, unsigned field_bits) const;
    std::size_t add_block(cycle_t end, std::uint64_t* counts, bool& open) const;
    template <unsigned table_shift>
    const endpoint::Piece* add_whole(const endpoint::Piece* first, const endpoint::Piece* last,
                                     Sums& sums) const;
    const endpoint::Piece* add_parts(const endpoint::Piece* first, const endpoint::Piece* last, Sums& sums,
                                     bool& open) const;
    void add(const endpoint::Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const;
    void count(const Sums& sums, const Touched& touched, std::uint64_t* counts) const;
    bool pass_special(endpoint::Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const;
    std::uint64_t stalled(const endpoint::Piece& piece, cycle_t end) const;

    endpoint::MfbLog& m_log;
    const cycle_t& m_waiting;
    endpoint::Regions m_regions;
    std::uint32_t m_region_items;
    std::uint32_t m_padded_regions;  // behind those of the bus, which count while a frame is open
    cycle_t m_passed = 0;

    // By regions of a piece and its first region: how often it is in each region, and whether it ends inside
    // a word, side by side in fields of one number.
    std::vector<std::uint64_t> m_table;
    unsigned m_table_shift = 0;  // of the regions of a piece in an index
    unsigned m_field_bits = 0;
    std::size_t m_block = 1;           // pieces whose sums fit the fields
    std::uint32_t m_most_regions = 0;  // of a piece that is in the table
};

}  // namespace tlmetry::endpoint_telemetry
