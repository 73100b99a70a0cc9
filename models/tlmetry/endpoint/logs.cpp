// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/logs.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

void end_log(MfbLog& log, std::uint32_t bus_regions, cycle_t first) {
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
