// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/logs.hpp"

#include <algorithm>
#include <stdexcept>

namespace tlmetry::endpoint {

FrameFields::FrameFields(std::uint32_t regions)
    : m_mask(regions - 1), m_shift(static_cast<std::uint32_t>(__builtin_ctz(regions))), m_ones(0) {
    if (regions > most_regions) throw std::logic_error("FrameFields: more regions than there are fields for");
    const unsigned bits = frame_field_bits(regions);
    for (std::uint32_t r = 0; r < regions; ++r)
        m_ones |= std::uint64_t{1} << r * bits;
    for (std::uint32_t first = 0; first < regions; ++first) {
        for (std::uint32_t last = 0; last < regions; ++last) {
            std::uint64_t& missing = m_missing[(first << m_shift) + last];
            for (std::uint32_t r = 0; r < first; ++r)
                missing += std::uint64_t{1} << r * bits;
            for (std::uint32_t r = last + 1; r < regions; ++r)
                missing += std::uint64_t{1} << r * bits;
            // It ends inside a word.
            if (last + 1 != regions) missing -= std::uint64_t{1} << regions * bits;
        }
    }
}

void end_log(MfbLog& log, std::uint32_t bus_regions, cycle_t first) {
    log.is_cut = true;
    while (!log.empty() && log.back().presented >= first)
        log.take_back();
    // A word that waits may consist of several pieces; the one that opens it stands for the waiting.
    while (!log.empty() && log.back().moved >= first && !log.back().opens_word())
        log.take_back();
    if (log.empty()) return;
    Piece& piece = log.back();
    if (piece.moved >= first) {
        piece.moved = first;
        piece.regions = 0;
        piece.clear(Piece::whole);
        return;
    }
    const auto before = static_cast<std::uint32_t>(first - piece.moved) * bus_regions - piece.first_region;
    if (before < piece.regions) {
        piece.regions = before;
        piece.clear(Piece::eof_flag);
    }
}

void end_log(MvbLog& log, cycle_t first) {
    while (!log.empty() && log.back().presented >= first)
        log.take_back();
    if (log.empty() || log.back().moved < first) return;
    log.back().moved = first;
    log.back().items = 0;
}

void end_log(BrakeLog& log, cycle_t first) {
    while (!log.empty() && log.back().from >= first)
        log.take_back();
    if (!log.empty()) log.back().to = std::min(log.back().to, first);
}

std::int64_t end_log(LevelLog& log, cycle_t first) {
    std::int64_t sum = 0;
    while (!log.empty() && log.back().at >= first) {
        sum += log.back().step;
        log.take_back();
    }
    return sum;
}

}  // namespace tlmetry::endpoint
