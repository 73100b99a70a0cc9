// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
    std::size_t add_log(cycle_t end, std::uint64_t* counts, bool& open) const;
    template <class Width, class PieceAt>
    std::size_t add_plain(const Width& width, const PieceAt& piece_at, std::size_t known, cycle_t end,
                          std::uint64_t* counts, bool& open) const;
    void add(const endpoint::Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const;
    bool pass_special(endpoint::Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const;
    std::uint64_t stalled(const endpoint::Piece& piece, cycle_t end) const;

    endpoint::MfbLog& m_log;
    const cycle_t& m_waiting;
    endpoint::Regions m_regions;
    std::uint32_t m_region_items;
    std::uint32_t m_padded_regions;  // behind those of the bus, which count while a frame is open
    cycle_t m_passed = 0;
};

}  // namespace tlmetry::endpoint_telemetry
