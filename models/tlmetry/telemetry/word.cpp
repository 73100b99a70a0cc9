// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/word.hpp"

namespace tlmetry::telemetry {

namespace {

std::uint64_t times(cycle_t cycles, std::uint64_t step) {
    return static_cast<std::uint64_t>(cycles) * step;
}

void add_data(std::uint64_t* counts, cycle_t cycles, std::uint32_t items, std::uint64_t regions) {
    counts[bus_channel::items] += times(cycles, items);
    for (; regions != 0; regions &= regions - 1) {
        counts[bus_channel::region0 + static_cast<unsigned>(__builtin_ctzll(regions))] += times(cycles, 1);
    }
}

}  // namespace

MfbWord BusShape::decode(const MfbPins& pins) const {
    MfbWord word;
    word.src_rdy = pins.src_rdy;
    word.dst_rdy = pins.dst_rdy;
    // The documentation promises that regions a bus does not have never carry data; the hardware walks them
    // all.
    const std::uint32_t walked = padding == Padding::documented ? regions : probe_regions;
    // Traffic is as good as random to the processor, so this goes without branches that depend on it.
    std::uint32_t open[2] = {0, 1};
    for (std::uint32_t r = 0; r < probe_regions; ++r) {
        const auto sof = static_cast<std::uint32_t>(pins.sof >> r & 1);
        const auto eof = static_cast<std::uint32_t>(pins.eof >> r & 1);
        word.transactions += sof;
        if (r >= walked) continue;
        const std::uint32_t last = r < pins.eof_pos.size() ? pins.eof_pos[r] : 0;
        const std::uint32_t items = region_items + eof * (last + 1 - region_items);
        for (std::uint32_t was_open = 0; was_open < 2; ++was_open) {
            const std::uint32_t valid = open[was_open] | sof;
            word.items[was_open] += valid * items;
            word.regions[was_open] |= std::uint64_t{valid} << r;
            open[was_open] = valid & ~eof;
        }
    }
    word.open_after[0] = open[0] != 0;
    word.open_after[1] = open[1] != 0;
    return word;
}

void MfbWord::add(std::uint64_t* counts, cycle_t cycles, bool& open) const {
    if (!src_rdy) return;
    if (!dst_rdy) {
        counts[bus_channel::stalled] += times(cycles, 1);
        return;
    }
    counts[bus_channel::words] += times(cycles, 1);
    counts[bus_channel::transactions] += times(cycles, transactions);
    add_data(counts, 1, items[open], regions[open]);
    open = open_after[open];
    // From the second equal word on the frame state stands still: a mask without SOF and EOF keeps it, any
    // other mask sets it.
    if (cycles > 1) add_data(counts, cycles - 1, items[open], regions[open]);
}

void MvbWord::add(std::uint64_t* counts, cycle_t cycles, bool&) const {
    if (!src_rdy) return;
    counts[dst_rdy ? 0 : 1] += times(cycles, dst_rdy ? items : 1);
}

void BitsWord::add(std::uint64_t* counts, cycle_t cycles, bool&) const {
    for (std::uint32_t bits = mask; bits != 0; bits &= bits - 1) {
        counts[__builtin_ctz(bits)] += times(cycles, 1);
    }
}

}  // namespace tlmetry::telemetry
