// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/mfb_tally.hpp"

#include <tlmetry/telemetry/config.hpp>

#include <algorithm>

namespace tlmetry::endpoint_telemetry {

using endpoint::Piece;

namespace bus_channel = telemetry::bus_channel;

/// Of many pieces.
struct MfbTally::Sums {
    std::uint64_t words = 0;
    std::uint64_t stalled = 0;
    std::uint64_t transactions = 0;
    std::uint64_t regions = 0;
    std::uint64_t missing_items = 0;  // of last regions that are not full
    std::uint64_t open_words = 0;     // words at whose end a frame is open
    // A piece from place f that ends before place e of its word number w, from 0, has w regions r, one more
    // if r < e, one less if r < f. So it is enough to sum w and how often a place is an end and a beginning.
    std::uint64_t rounds = 0;
    std::uint64_t ends[telemetry::max_regions];  // less beginnings, modulo 2^64
};

MfbTally::MfbTally(endpoint::MfbLog& log, const cycle_t& waiting, const telemetry::BusShape& shape)
    : m_log(log),
      m_waiting(waiting),
      m_regions(shape.regions),
      m_region_items(shape.region_items),
      m_padded_regions(shape.padding == telemetry::Padding::as_built ? shape.probe_regions - shape.regions
                                                                     : 0) {}

/// Counts a whole piece, but for the stall before it.
inline void MfbTally::add(const Piece& piece, Sums& sums, bool& open) const {
    std::uint32_t end = piece.first_region + piece.regions;
    std::uint32_t place = m_regions.place(end);
    const std::uint32_t words = m_regions.words(end) + (place != 0);
    sums.words += words - (piece.opens_word ? 0 : 1);
    sums.transactions += piece.sof;
    open = open || piece.sof;
    if (!open) return;  // a frame from before the reset: nobody has seen its start
    if (!piece.eof && place != 0) {
        // The pins of an open frame claim the rest of the word.
        end = words * m_regions.count();
        place = 0;
    }
    sums.regions += end - piece.first_region;
    sums.missing_items += piece.eof ? m_region_items - 1 - piece.last_items : 0;
    sums.open_words += words - piece.eof;
    sums.rounds += words - (place != 0);
    ++sums.ends[place];
    --sums.ends[piece.first_region];
    open = !piece.eof;
}

void MfbTally::pass(cycle_t end, std::uint64_t* counts, bool& open) {
    Sums sums;
    std::fill_n(sums.ends, m_regions.count(), 0);
    bool is_open = open;
    const std::size_t known = m_log.size();
    std::size_t done = 0;
    for (; done < known; ++done) {
        const Piece& piece = m_log[done];
        if (piece.moved + m_regions.touched(piece.first_region, piece.regions) > end) break;
        const cycle_t stalled = piece.moved - std::max(piece.presented, m_passed);
        sums.stalled += piece.opens_word ? static_cast<std::uint64_t>(stalled) : 0;
        add(piece, sums, is_open);
    }
    for (std::size_t i = 0; i < done; ++i)
        m_log.pop();
    if (!m_log.empty() && m_log.front().presented < end) pass_part(m_log.front(), end, sums, is_open);
    if (m_waiting < end) sums.stalled += static_cast<std::uint64_t>(end - std::max(m_waiting, m_passed));
    flush(sums, counts);
    open = is_open;
    m_passed = end;
}

/// Counts the cycles below `end` of a piece that goes on from there, and leaves the rest of it.
void MfbTally::pass_part(Piece& piece, cycle_t end, Sums& sums, bool& open) {
    const cycle_t stalled = std::min(piece.moved, end) - std::max(piece.presented, m_passed);
    if (piece.opens_word) sums.stalled += static_cast<std::uint64_t>(stalled);
    if (piece.moved >= end) return;
    Piece part = piece;
    part.regions = static_cast<std::uint32_t>(end - piece.moved) * m_regions.count() - piece.first_region;
    part.eof = false;
    add(part, sums, open);
    piece.presented = piece.moved = end;
    piece.regions -= part.regions;
    piece.first_region = 0;
    piece.opens_word = true;
    piece.sof = false;
}

void MfbTally::flush(Sums& sums, std::uint64_t* counts) const {
    counts[bus_channel::words] += sums.words;
    counts[bus_channel::stalled] += sums.stalled;
    counts[bus_channel::transactions] += sums.transactions;
    const std::uint64_t padded = sums.open_words * m_padded_regions;
    counts[bus_channel::items] += (sums.regions + padded) * m_region_items - sums.missing_items;
    std::uint64_t* regions = counts + bus_channel::region0;
    std::uint64_t ends_behind = 0;
    for (std::uint32_t r = m_regions.count(); r-- > 0;) {
        regions[r] += sums.rounds + ends_behind;
        ends_behind += sums.ends[r];
    }
    for (std::uint32_t r = 0; r < m_padded_regions; ++r)
        regions[m_regions.count() + r] += sums.open_words;
}

}  // namespace tlmetry::endpoint_telemetry
