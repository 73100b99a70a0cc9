// SPDX-License-Identifier: BSD-3-Clause
#include "bus_checker.hpp"

namespace tlmetry::test {

namespace {

bool bit(std::uint64_t mask, std::uint32_t region) {
    return (mask >> region & 1) != 0;
}

bool same(const telemetry::MfbPins& a, const telemetry::MfbPins& b, std::uint32_t regions) {
    if (a.src_rdy != b.src_rdy || a.sof != b.sof || a.eof != b.eof) return false;
    for (std::uint32_t r = 0; r < regions; ++r) {
        if (bit(a.eof, r) && a.eof_pos.at(r) != b.eof_pos.at(r)) return false;
    }
    return true;
}

}  // namespace

std::string BusTrace::broken_rule(cycle_t end, std::uint32_t regions, std::uint32_t region_items) const {
    bool open = false;
    for (cycle_t c = 0; c < end; ++c) {
        const auto fail = [&](const char* rule) {
            return std::string(rule) + " in cycle " + std::to_string(c);
        };
        const telemetry::MvbWord header = mvb_at(c);
        if (header.src_rdy) {
            if (header.items == 0 || header.items > regions) return fail("MVB items out of range");
            const telemetry::MvbWord next = mvb_at(c + 1);
            if (!header.dst_rdy && (!next.src_rdy || next.items != header.items))
                return fail("MVB word not held");
        }
        const telemetry::MfbPins word = mfb_at(c);
        if (!word.src_rdy) continue;
        if (!word.dst_rdy && !same(word, mfb_at(c + 1), regions)) return fail("MFB word not held");
        if (regions < 64 && (word.sof >> regions != 0 || word.eof >> regions != 0))
            return fail("region out of range");
        bool in_frame = open;
        bool data = false;
        for (std::uint32_t r = 0; r < regions; ++r) {
            if (bit(word.sof, r)) {
                if (in_frame) return fail("SOF inside a frame");
                in_frame = true;
            }
            data = data || in_frame;
            if (bit(word.eof, r)) {
                if (!in_frame) return fail("EOF outside a frame");
                if (word.eof_pos.at(r) >= region_items) return fail("EOF_POS out of range");
                in_frame = false;
            }
        }
        if (!data) return fail("word without data");
        if (word.dst_rdy) open = in_frame;
    }
    return {};
}

BusCounts BusTrace::count(cycle_t first, cycle_t mvb_first, cycle_t end, std::uint32_t regions,
                          std::uint32_t region_items) const {
    BusCounts counts;
    counts.regions.resize(regions);
    bool open = false;
    for (cycle_t c = first; c < end; ++c) {
        const telemetry::MfbPins word = mfb_at(c);
        if (!word.src_rdy) continue;
        if (!word.dst_rdy) {
            ++counts.stalled;
            continue;
        }
        ++counts.words;
        for (std::uint32_t r = 0; r < regions; ++r) {
            if (bit(word.sof, r)) {
                ++counts.transactions;
                open = true;
            }
            if (!open) continue;
            ++counts.regions[r];
            counts.items += bit(word.eof, r) ? word.eof_pos.at(r) + 1 : region_items;
            if (bit(word.eof, r)) open = false;
        }
    }
    for (cycle_t c = mvb_first; c < end; ++c) {
        const telemetry::MvbWord header = mvb_at(c);
        if (header.src_rdy && header.dst_rdy) counts.mvb_items += header.items;
        if (header.src_rdy && !header.dst_rdy) ++counts.mvb_stalled;
    }
    return counts;
}

}  // namespace tlmetry::test
