// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/mfb_tally.hpp"

#include <stdexcept>

namespace tlmetry::endpoint_telemetry {

using endpoint::Piece;

namespace bus_channel = telemetry::bus_channel;

namespace {

// Most pieces that are counted at a time.
constexpr std::uint64_t most_pieces = 256;
// Buses of more regions are counted piece by piece.
constexpr std::uint32_t most_bus_regions = 4;
// A frame of 4 KiB in regions of 32 B, and its header.
constexpr std::uint32_t usual_regions = 4096 / 32 + 2;

}  // namespace

MfbTally::MfbTally(endpoint::MfbLog& log, const cycle_t& waiting, const telemetry::BusShape& shape)
    : m_log(log),
      m_waiting(waiting),
      m_regions(shape.regions),
      m_region_items(shape.region_items),
      m_padded_regions(shape.padding == telemetry::Padding::as_built ? shape.probe_regions - shape.regions
                                                                     : 0) {
    if (shape.regions <= most_bus_regions) make_table();
}

void MfbTally::make_table() {
    const std::uint32_t width = m_regions.count();
    m_most_regions = usual_regions;
    m_field_bits = endpoint::frame_field_bits(width);
    while ((1u << m_table_shift) < width)
        ++m_table_shift;
    m_block =
        static_cast<std::size_t>(std::min(most_pieces, ((std::uint64_t{1} << m_field_bits) - 1) /
                                                           m_regions.touched(width - 1, m_most_regions)));
    m_table.resize(std::size_t{m_most_regions + 1} << m_table_shift);
    for (std::uint32_t regions = 1; regions <= m_most_regions; ++regions) {
        for (std::uint32_t first = 0; first < width; ++first) {
            std::uint64_t& fields = m_table[(regions << m_table_shift) + first];
            for (std::uint32_t r = first; r < first + regions; ++r)
                fields += std::uint64_t{1} << m_regions.place(r) * m_field_bits;
            if (m_regions.place(first + regions) != 0) fields += std::uint64_t{1} << width * m_field_bits;
        }
    }
}

void MfbTally::pass(cycle_t end, std::uint64_t* counts, bool& open) {
    while (!m_log.empty() && m_log.front().presented < end) {
        if ((m_log.front().flags & Piece::sum_flag) != 0) {
            add_sum(m_log.sums.front(), end, open, counts);
            m_log.sums.pop();
            m_log.pop();
            continue;
        }
        if (const std::size_t done = add_block(end, counts, open)) {
            m_log.pop(done);
        } else if (!pass_special(m_log.front(), end, counts, open)) {
            break;
        }
    }
    if (m_waiting < end)
        counts[bus_channel::stalled] += static_cast<std::uint64_t>(end - std::max(m_waiting, m_passed));
    m_passed = end;
}

/// Counts frames by their sum.
void MfbTally::add_sum(const endpoint::FrameSum& sum, cycle_t end, bool open, std::uint64_t* counts) const {
    if (open || sum.end > end) throw std::logic_error("MfbTally: somebody looks between summed frames");
    Sums sums;
    sums.pieces = sums.starts = sums.ends = sum.frames;
    sums.opened = sum.opened;
    sums.last_items = sum.last_items;
    sums.fields = sum.fields;
    count(sums, touched(sum.fields, endpoint::frame_field_bits(m_regions.count())), counts);
}

/// What fields of so many bits say, see m_table.
MfbTally::Touched MfbTally::touched(std::uint64_t fields, unsigned field_bits) const {
    Touched touched;
    const std::uint64_t mask = (std::uint64_t{1} << field_bits) - 1;
    for (std::uint32_t r = 0; r < m_regions.count(); ++r, fields >>= field_bits)
        touched.in_region[r] = fields & mask;
    // A piece touches the words in whose last region it is, and the one inside which it ends.
    touched.words = touched.in_region[m_regions.count() - 1] + (fields & mask);
    return touched;
}

/// Counts pieces from the front of the log that are over before `end`, up to the first that needs a closer
/// look; returns their number.
std::size_t MfbTally::add_block(cycle_t end, std::uint64_t* counts, bool& open) const {
    const Piece* const first = &m_log.front();
    const Piece* last = first + std::min(m_log.size(), m_block);
    if (first == last) return 0;
    if (!over(last[-1], end))
        last = std::partition_point(first, last, [&](const Piece& piece) { return over(piece, end); });
    Sums sums;
    const Piece* p = first;
    for (const Piece* from = nullptr; p != last && p != from;) {
        from = p;
        if (!open) {
            p = m_table_shift == 0   ? add_whole<0>(p, last, sums)
                : m_table_shift == 1 ? add_whole<1>(p, last, sums)
                                     : add_whole<2>(p, last, sums);
        }
        p = add_parts(p, last, sums, open);
    }
    if (p == first) return 0;

    // What stood at the last pass was counted then.
    if (first->opens_word()) sums.stalled -= std::max<cycle_t>(0, m_passed - first->presented);
    count(sums, touched(sums.fields, m_field_bits), counts);
    return sums.pieces;
}

/// Sums up whole frames, to the first piece that is none or not in the table; returns where it is. Traffic is
/// as good as random to the processor, so this goes without branches that depend on it.
template <unsigned table_shift>
const Piece* MfbTally::add_whole(const Piece* first, const Piece* last, Sums& sums) const {
    const std::uint64_t* const table = m_table.data();
    const std::uint32_t most_regions = m_most_regions;
    std::uint64_t fields = 0;
    std::uint64_t opened = 0;
    std::uint64_t last_items = 0;
    cycle_t stalled = 0;
    const Piece* p = first;
    for (; p != last; ++p) {
        static_assert(Piece::opens_flag == 1);
        const std::uint32_t opens = p->flags - std::uint32_t{Piece::whole};
        if (opens > 1 || p->regions > most_regions) break;
        fields += table[(p->regions << table_shift) + p->first_region];
        opened += opens;
        last_items += p->last_items;
        stalled += (p->moved - p->presented) & -static_cast<cycle_t>(opens);
    }
    const auto pieces = static_cast<std::uint64_t>(p - first);
    sums.pieces += pieces;
    sums.starts += pieces;
    sums.ends += pieces;
    sums.opened += opened;
    sums.last_items += last_items;
    sums.fields += fields;
    sums.stalled += stalled;
    return p;
}

/// Sums up the pieces of frames in several pieces, to the next whole frame, or to the first that is not in
/// the table or that needs a closer look.
const Piece* MfbTally::add_parts(const Piece* first, const Piece* last, Sums& sums, bool& open) const {
    const Piece* p = first;
    for (; p != last; ++p) {
        if (!open && (p->flags & Piece::whole) == Piece::whole) break;
        const bool aligned = m_regions.place(p->first_region + p->regions) == 0;
        if (p->sof() == open || !(p->eof() || aligned) || p->regions == 0 || p->regions > m_most_regions)
            break;
        sums.fields += m_table[(p->regions << m_table_shift) + p->first_region];
        ++sums.pieces;
        sums.starts += p->sof();
        open = !p->eof();
        if (!open) {
            ++sums.ends;
            sums.last_items += p->last_items;
        }
        if (p->opens_word()) {
            ++sums.opened;
            sums.stalled += p->moved - p->presented;
        }
    }
    return p;
}

void MfbTally::count(const Sums& sums, const Touched& touched, std::uint64_t* counts) const {
    const std::uint64_t open_words = touched.words - sums.ends;  // a frame is open at their end
    counts[bus_channel::words] += touched.words - sums.pieces + sums.opened;
    counts[bus_channel::stalled] += static_cast<std::uint64_t>(sums.stalled);
    counts[bus_channel::transactions] += sums.starts;
    std::uint64_t* of_region = counts + bus_channel::region0;
    std::uint64_t regions = open_words * m_padded_regions;
    for (std::uint32_t r = 0; r < m_regions.count(); ++r) {
        *of_region++ += touched.in_region[r];
        regions += touched.in_region[r];
    }
    for (std::uint32_t r = 0; r < m_padded_regions; ++r)
        *of_region++ += open_words;
    const std::uint64_t missing = sums.ends * (m_region_items - 1) - sums.last_items;
    counts[bus_channel::items] += regions * m_region_items - missing;
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
    std::uint32_t first = piece.first_region;
    std::uint32_t regions = piece.regions;
    if (open && piece.sof() && piece.opens_word()) {
        regions += first;
        first = 0;
    }
    // ... and up to the end of the word.
    const std::uint32_t width = m_regions.count();
    const std::uint32_t words = m_regions.touched(first, regions);
    const std::uint32_t behind = piece.eof() ? m_regions.place(first + regions) : 0;
    open = !piece.eof();
    Sums sums;
    sums.pieces = 1;
    sums.opened = piece.opens_word();
    sums.stalled = static_cast<cycle_t>(stalled(piece, end));
    sums.starts = piece.sof();
    sums.ends = piece.eof();
    if (piece.eof()) sums.last_items = piece.last_items;
    Touched touched;
    touched.words = words;
    for (std::uint32_t r = 0; r < width; ++r)
        touched.in_region[r] = words - (r < first ? 1 : 0) - (behind != 0 && r >= behind ? 1 : 0);
    count(sums, touched, counts);
}

/// Counts what lies below `end` of the front of the log. False: there is no more.
bool MfbTally::pass_special(Piece& piece, cycle_t end, std::uint64_t* counts, bool& open) const {
    if (over(piece, end)) {
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
