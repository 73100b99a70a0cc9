// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/word.hpp"

namespace tlmetry::telemetry {

namespace {

std::uint64_t times(cycle_t cycles, std::uint64_t step) { return static_cast<std::uint64_t>(cycles) * step; }

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
    // The documentation promises that regions a bus does not have never carry data; the hardware walks them all.
    const std::uint32_t walked = padding == Padding::documented ? regions : probe_regions;
    for (std::uint32_t was_open = 0; was_open < 2; ++was_open) {
        bool open = was_open != 0;
        std::uint32_t items = 0;
        std::uint64_t valid_regions = 0;
        for (std::uint32_t r = 0; r < walked; ++r) {
            const bool sof = (pins.sof >> r & 1) != 0;
            const bool eof = (pins.eof >> r & 1) != 0;
            if (open || sof) {
                valid_regions |= std::uint64_t{1} << r;
                items += eof ? (r < pins.eof_pos.size() ? pins.eof_pos[r] : 0) + 1 : region_items;
            }
            open = (open || sof) && !eof;
        }
        word.items[was_open] = items;
        word.regions[was_open] = valid_regions;
        word.open_after[was_open] = open;
    }
    const std::uint64_t pin_mask = probe_regions >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << probe_regions) - 1;
    word.transactions = static_cast<std::uint32_t>(__builtin_popcountll(pins.sof & pin_mask));
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
    // From the second equal word on the frame state stands still: a mask without SOF and EOF keeps it, any other
    // mask sets it.
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
