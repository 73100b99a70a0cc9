// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/mfb_tally.hpp"

#include <tlmetry/telemetry/config.hpp>

#include <algorithm>

namespace tlmetry::endpoint_telemetry {

using endpoint::Piece;

namespace bus_channel = telemetry::bus_channel;

namespace {

/// A number of regions that the compiler knows, for the usual buses: a power of two.
template <std::uint32_t regions>
struct FixedWidth {
    static constexpr std::uint32_t count() { return regions; }
    static std::uint32_t place(std::uint32_t region) { return region % regions; }
    static std::uint32_t touched(std::uint32_t first, std::uint32_t count) {
        return (first + count + regions - 1) / regions;
    }
};

/// How often the places of a word are the beginning of a piece and the end of one.
template <class Width>
class Places {
public:
    explicit Places(const Width& width) {
        for (std::uint32_t table = 0; table < 2; ++table) {
            std::fill_n(m_begins[table], width.count(), 0);
            std::fill_n(m_ends[table], width.count(), 0);
        }
    }
    void add(std::size_t number, std::uint32_t begin, std::uint32_t end) {
        // Neighbours often have the same places, and need not wait for each other.
        ++m_begins[number & 1][begin];
        ++m_ends[number & 1][end];
    }
    std::uint64_t begins(std::uint32_t place) const {
        return std::uint64_t{m_begins[0][place]} + m_begins[1][place];
    }
    std::uint64_t ends(std::uint32_t place) const {
        return std::uint64_t{m_ends[0][place]} + m_ends[1][place];
    }

private:
    std::uint32_t m_begins[2][telemetry::max_regions];
    std::uint32_t m_ends[2][telemetry::max_regions];
};

/// With two places, sums tell the same.
template <>
class Places<FixedWidth<2>> {
public:
    explicit Places(const FixedWidth<2>&) {}
    void add(std::size_t, std::uint32_t begin, std::uint32_t end) {
        ++m_number;
        m_begins += begin;
        m_ends += end;
    }
    std::uint64_t begins(std::uint32_t place) const { return place == 0 ? m_number - m_begins : m_begins; }
    std::uint64_t ends(std::uint32_t place) const { return place == 0 ? m_number - m_ends : m_ends; }

private:
    std::uint64_t m_number = 0;
    std::uint64_t m_begins = 0;
    std::uint64_t m_ends = 0;
};

}  // namespace

MfbTally::MfbTally(endpoint::MfbLog& log, const cycle_t& waiting, const telemetry::BusShape& shape)
    : m_log(log),
      m_waiting(waiting),
      m_regions(shape.regions),
      m_region_items(shape.region_items),
      m_padded_regions(shape.padding == telemetry::Padding::as_built ? shape.probe_regions - shape.regions
                                                                     : 0) {}

void MfbTally::pass(cycle_t end, std::uint64_t* counts, bool& open) {
    do {
        for (std::size_t done = add_log(end, counts, open); done != 0; --done)
            m_log.pop();
    } while (!m_log.empty() && m_log.front().presented < end &&
             pass_special(m_log.front(), end, counts, open));
    if (m_waiting < end)
        counts[bus_channel::stalled] += static_cast<std::uint64_t>(end - std::max(m_waiting, m_passed));
    m_passed = end;
}

/// Counts pieces from the front of the log like add_plain().
std::size_t MfbTally::add_log(cycle_t end, std::uint64_t* counts, bool& open) const {
    const endpoint::MfbLog& log = m_log;
    const auto piece_at = [&log](std::size_t i) -> const Piece& { return log[i]; };
    switch (m_regions.count()) {
        case 1:
            return add_plain(FixedWidth<1>(), piece_at, log.size(), end, counts, open);
        case 2:
            return add_plain(FixedWidth<2>(), piece_at, log.size(), end, counts, open);
        case 4:
            return add_plain(FixedWidth<4>(), piece_at, log.size(), end, counts, open);
        default:
            return add_plain(m_regions, piece_at, log.size(), end, counts, open);
    }
}

/// Counts pieces that are over before `end`, up to the first that is not or that needs a closer look; returns
/// their number. Traffic is as good as random to the processor, so this goes without branches that depend on
/// it.
template <class Width, class PieceAt>
std::size_t MfbTally::add_plain(const Width& width, const PieceAt& piece_at, std::size_t known, cycle_t end,
                                std::uint64_t* counts, bool& open) const {
    const std::uint32_t full = m_region_items - 1;
    std::uint64_t touched_words = 0;
    std::uint64_t opened_words = 0;
    std::uint64_t starts = 0;
    std::uint64_t regions = 0;
    std::uint64_t frame_ends = 0;
    std::uint64_t missing_items = 0;  // of last regions
    cycle_t stalled = 0;
    // A piece that begins at place b of its first word and ends before place e of word w has w regions r, one
    // more if r < e, one less if r < b. So it is enough to sum w and how often a place is a beginning and an
    // end.
    Places<Width> places(width);
    std::uint32_t is_open = open;
    std::size_t done = 0;
    for (; done < known; ++done) {
        const Piece& piece = piece_at(done);
        const std::uint32_t begin = piece.first_region;
        const std::uint32_t place = width.place(begin + piece.regions);
        const std::uint32_t touched = width.touched(begin, piece.regions);
        const std::uint32_t sof = piece.sof();
        const std::uint32_t eof = piece.eof();
        const cycle_t opens = piece.opens_word();
        const bool special = (sof == is_open) | ((eof == 0) & (place != 0));
        if (piece.moved + touched > end || special) break;
        stalled += (piece.moved - piece.presented) & -opens;
        touched_words += touched;
        opened_words += static_cast<std::uint64_t>(opens);
        starts += sof;
        regions += piece.regions;
        frame_ends += eof;
        missing_items += (full - piece.last_items) & (0 - eof);
        places.add(done, begin, place);
        is_open = eof ^ 1;
    }
    if (done == 0) return 0;
    open = is_open != 0;
    // What stood at the last pass was counted then.
    const Piece& first = piece_at(0);
    if (first.opens_word()) stalled -= std::max<cycle_t>(0, m_passed - first.presented);
    const std::uint64_t open_words = touched_words - frame_ends;  // a frame is open at their end
    counts[bus_channel::words] += touched_words - done + opened_words;
    counts[bus_channel::stalled] += static_cast<std::uint64_t>(stalled);
    counts[bus_channel::transactions] += starts;
    counts[bus_channel::items] += (regions + open_words * m_padded_regions) * m_region_items - missing_items;
    std::uint64_t* of_region = counts + bus_channel::region0;
    std::uint64_t in_region = touched_words - done + places.ends(0);
    for (std::uint32_t r = width.count(); r-- > 0;) {
        of_region[r] += in_region;
        in_region += places.ends(r) - places.begins(r);
    }
    for (std::uint32_t r = 0; r < m_padded_regions; ++r)
        of_region[width.count() + r] += open_words;
    return done;
}

/// Cycles below `end`, not passed yet, in which the first word of a piece stands.
std::uint64_t MfbTally::stalled(const Piece& piece, cycle_t end) const {
    if (!piece.opens_word()) return 0;
    return static_cast<std::uint64_t>(std::min(piece.moved, end) - std::max(piece.presented, m_passed));
}

/// Counts a piece that is over before `end`.
void MfbTally::add(const Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const {
    const bool unseen = !open && !piece.sof();  // a frame from before the reset: nobody has seen its start
    if (piece.regions == 0 || unseen) {
        counts[bus_channel::stalled] += stalled(piece, end);
        if (piece.regions == 0) return;
        const std::uint32_t words = m_regions.touched(piece.first_region, piece.regions);
        counts[bus_channel::words] += words - (piece.opens_word() ? 0 : 1);
        return;
    }
    // The pins of an open frame claim what nobody has in its words: up to the next start when it was cut off,
    // ...
    Piece seen = piece;
    if (open && piece.sof() && piece.opens_word()) {
        seen.regions += seen.first_region;
        seen.first_region = 0;
    }
    // ... and up to the end of the word.
    const std::uint32_t words = m_regions.touched(seen.first_region, seen.regions);
    if (!piece.eof()) seen.regions = words * m_regions.count() - seen.first_region;
    open = !piece.sof();
    add_plain(
        m_regions, [&seen](std::size_t) -> const Piece& { return seen; }, 1, end, counts, open);
}

/// Counts what lies below `end` of the front of the log. False: there is no more.
bool MfbTally::pass_special(Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const {
    if (piece.moved + m_regions.touched(piece.first_region, piece.regions) <= end) {
        add(piece, end, counts, open);
        m_log.pop();
        return true;
    }
    if (piece.moved >= end) {
        counts[bus_channel::stalled] += stalled(piece, end);
        return false;
    }
    Piece part = piece;
    part.regions = static_cast<std::uint32_t>(end - piece.moved) * m_regions.count() - piece.first_region;
    part.clear(Piece::eof_flag);
    add(part, end, counts, open);
    piece.presented = piece.moved = end;
    piece.regions -= part.regions;
    piece.first_region = 0;
    piece.clear(Piece::sof_flag);
    piece.flags |= Piece::opens_flag;
    return false;
}

}  // namespace tlmetry::endpoint_telemetry
