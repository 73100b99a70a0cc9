// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace tlmetry::reference {

/// One region of a word: a part of a frame, or nothing.
struct Region {
    int frame = -1;  ///< request or completion, by number; -1: no data
    int index = 0;   ///< it is this region of its frame
    int items = 0;
    bool sof = false;
    bool eof = false;
};
using Word = std::vector<Region>;

/// Pins of a frame bus (MFB) in one cycle.
struct BusCycle {
    bool src_rdy = false;
    bool dst_rdy = false;
    std::uint32_t sof = 0;   ///< bit per region
    std::uint32_t eof = 0;   ///< bit per region
    std::uint32_t data = 0;  ///< bit per region that carries data
    int items = 0;
    std::vector<int> eof_pos;  ///< per region, meaningful where eof is set
};

/// Pins of a header bus (MVB) in one cycle.
struct HeaderCycle {
    bool src_rdy = false;
    bool dst_rdy = false;
    int items = 0;
};

/// What stands on the bus; `word` may be null.
inline BusCycle pins(const Word* word, bool dst_rdy) {
    BusCycle cycle;
    cycle.dst_rdy = dst_rdy;
    if (word == nullptr) return cycle;
    cycle.src_rdy = true;
    cycle.eof_pos.assign(word->size(), 0);
    for (std::size_t r = 0; r < word->size(); ++r) {
        const Region& region = (*word)[r];
        if (region.frame < 0) continue;
        cycle.data |= 1u << r;
        cycle.items += region.items;
        if (region.sof) cycle.sof |= 1u << r;
        if (region.eof) {
            cycle.eof |= 1u << r;
            cycle.eof_pos[r] = region.items - 1;
        }
    }
    return cycle;
}

/// Packs frames into words by the rules of the specification's conventions.
class FrameBus {
public:
    FrameBus(int regions, int region_items, bool one_start)
        : m_regions(regions), m_region_items(region_items), m_one_start(one_start) {}

    void add(int frame, int items, std::int64_t available) { m_waiting.push_back({frame, items, available}); }

    /// Presents a new word if none is held; true if it did.
    bool present(std::int64_t cycle) {
        if (!m_word.empty()) return false;
        Word word(static_cast<std::size_t>(m_regions));
        bool data = false;
        for (int r = 0; r < m_regions; ++r) {
            const bool start = m_left == 0;
            if (start) {
                if (m_waiting.empty() || m_waiting.front().available > cycle) break;
                if (m_one_start && r != 0) break;
                m_frame = m_waiting.front().frame;
                m_left = m_waiting.front().items;
                m_index = 0;
                m_waiting.pop_front();
            }
            Region& region = word[static_cast<std::size_t>(r)];
            region.frame = m_frame;
            region.index = m_index++;
            region.items = m_left < m_region_items ? m_left : m_region_items;
            m_left -= region.items;
            region.sof = start;
            region.eof = m_left == 0;
            data = true;
        }
        if (data) m_word = word;
        return data;
    }

    const Word* word() const { return m_word.empty() ? nullptr : &m_word; }
    void move() { m_word.clear(); }

private:
    struct Frame {
        int frame;
        int items;
        std::int64_t available;
    };
    int m_regions;
    int m_region_items;
    bool m_one_start;
    std::deque<Frame> m_waiting;
    int m_frame = -1;
    int m_left = 0;   ///< items of the open frame that are not yet in a word
    int m_index = 0;  ///< next region of the open frame
    Word m_word;
};

}  // namespace tlmetry::reference
