// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/expand.hpp"

#include <algorithm>

namespace tlmetry::test {

using reference::BusCycle;
using reference::HeaderCycle;

std::vector<BusCycle> expand(const endpoint::MfbLog& log, std::uint32_t regions, std::uint32_t region_items,
                             cycle_t cycles) {
    std::vector<BusCycle> pins(static_cast<std::size_t>(cycles));
    for (std::size_t i = 0; i < log.size(); ++i) {
        const endpoint::Piece& piece = log[i];
        cycle_t presented = piece.presented;
        cycle_t moved = piece.moved;
        std::uint32_t region = piece.first_region;
        if (piece.regions == 0) {
            // Waited until a reset.
            for (cycle_t c = presented; c < moved && c < cycles; ++c)
                pins[static_cast<std::size_t>(c)].src_rdy = true;
        }
        for (std::uint32_t r = 0; r < piece.regions; ++r) {
            const bool last = r + 1 == piece.regions;
            const std::uint32_t items = last && piece.eof() ? piece.last_items + 1u : region_items;
            for (cycle_t c = presented; c <= moved && c < cycles; ++c) {
                BusCycle& cycle = pins[static_cast<std::size_t>(c)];
                cycle.src_rdy = true;
                cycle.dst_rdy = c == moved;
                cycle.eof_pos.resize(regions, 0);
                if (piece.sof() && r == 0) cycle.sof |= 1u << region;
                if (piece.eof() && last) {
                    cycle.eof |= 1u << region;
                    cycle.eof_pos[region] = static_cast<int>(items) - 1;
                }
                cycle.data |= 1u << region;
                cycle.items += static_cast<int>(items);
            }
            if (++region == regions) {
                region = 0;
                presented = ++moved;
            }
        }
    }
    return pins;
}

std::vector<HeaderCycle> expand(const endpoint::MvbLog& log, cycle_t cycles) {
    std::vector<HeaderCycle> pins(static_cast<std::size_t>(cycles));
    for (std::size_t i = 0; i < log.size(); ++i) {
        const cycle_t last = log[i].items == 0 ? log[i].moved - 1 : log[i].moved;
        for (cycle_t c = log[i].presented; c <= last && c < cycles; ++c) {
            pins[static_cast<std::size_t>(c)] = {true, c == log[i].moved, static_cast<int>(log[i].items)};
        }
    }
    return pins;
}

std::vector<int> expand(const endpoint::LevelLog& down, const endpoint::LevelLog& up, int start,
                        cycle_t cycles) {
    std::vector<int> levels(static_cast<std::size_t>(cycles), start);
    for (const endpoint::LevelLog* log : {&down, &up}) {
        for (std::size_t i = 0; i < log->size(); ++i) {
            for (cycle_t c = (*log)[i].at; c < cycles; ++c)
                levels[static_cast<std::size_t>(c)] += (*log)[i].step;
        }
    }
    return levels;
}

void expand(const endpoint::BrakeLog& log, std::uint32_t bit, std::vector<std::uint32_t>& masks) {
    for (std::size_t i = 0; i < log.size(); ++i) {
        const auto end = std::min<cycle_t>(log[i].to, static_cast<cycle_t>(masks.size()));
        for (cycle_t c = log[i].from; c < end; ++c)
            masks[static_cast<std::size_t>(c)] |= 1u << bit;
    }
}

}  // namespace tlmetry::test
