// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// Reads by the time at which the host has their next data, the earliest first, at equal times the one that
/// was granted first. A ring of 64 equal slices of time: other than in a heap there is next to nothing to
/// compare, which no processor could predict.
class ReadyQueue {
public:
    struct Item {
        time_fs at = 0;
        std::uint64_t number = 0;  ///< in the order of grants
        std::uint32_t tag = 0;
    };

    explicit ReadyQueue(std::uint32_t tags) : m_items(tags), m_next(tags) { m_first.fill(none); }

    bool empty() const { return m_slices == 0; }

    /// Adds an item whose tag is not in it.
    void push(const Item& item) {
        m_items[item.tag] = item;
        while ((item.at >> m_shift) - m_base >= slices)
            widen();
        link(item.tag);
    }
    /// The earliest; there must be one.
    const Item& front() const { return m_items[earliest_in(m_first[first_slice()])]; }
    /// Takes it out.
    Item pop() {
        const std::size_t s = first_slice();
        const std::uint32_t tag = earliest_in(m_first[s]);
        unlink(s, tag);
        return m_items[tag];
    }
    /// Takes it out into `item` if it is ready before time `end`.
    bool pop_before(time_fs end, Item& item) {
        if (empty()) return false;
        const std::size_t s = first_slice();
        const std::uint32_t tag = earliest_in(m_first[s]);
        if (m_items[tag].at >= end) return false;
        unlink(s, tag);
        item = m_items[tag];
        return true;
    }
    /// Takes all out, in any order.
    template <class Take>
    void clear(const Take& take) {
        for (std::uint32_t& first : m_first) {
            for (std::uint32_t tag = first; tag != none; tag = m_next[tag])
                take(tag);
            first = none;
        }
        m_slices = 0;
    }

private:
    static constexpr std::int64_t slices = 64;
    static constexpr std::uint32_t none = ~0u;

    void link(std::uint32_t tag) {
        // What comes before the slice of the last one popped is found in that slice.
        const auto s = static_cast<std::size_t>(std::max(m_items[tag].at >> m_shift, m_base)) % slices;
        m_next[tag] = m_first[s];
        m_first[s] = tag;
        m_slices |= std::uint64_t{1} << s;
    }
    void unlink(std::size_t s, std::uint32_t tag) {
        std::uint32_t* place = &m_first[s];
        while (*place != tag)
            place = &m_next[*place];
        *place = m_next[tag];
        if (m_first[s] == none) m_slices &= ~(std::uint64_t{1} << s);
        m_base = std::max(m_base, m_items[tag].at >> m_shift);
    }
    /// The first slice that is not empty: from m_base on they are in the order of time.
    std::size_t first_slice() const {
        const auto base = static_cast<unsigned>(m_base % slices);
        const std::uint64_t turned = m_slices >> base | m_slices << (slices - base) % slices;
        return (base + static_cast<unsigned>(__builtin_ctzll(turned))) % slices;
    }
    /// The earliest of a slice that begins with `tag`.
    std::uint32_t earliest_in(std::uint32_t tag) const {
        std::uint32_t best = tag;
        while ((tag = m_next[tag]) != none) {
            const Item& item = m_items[tag];
            const Item& least = m_items[best];
            if (item.at < least.at || (item.at == least.at && item.number < least.number)) best = tag;
        }
        return best;
    }
    /// Makes slices twice as long, so that later times have a place.
    [[gnu::noinline]] void widen() {
        std::vector<std::uint32_t> tags;
        clear([&tags](std::uint32_t tag) { tags.push_back(tag); });
        ++m_shift;
        m_base /= 2;
        for (const std::uint32_t tag : tags)
            link(tag);
    }

    std::vector<Item> m_items;          // by tag
    std::vector<std::uint32_t> m_next;  // in the same slice, by tag
    std::array<std::uint32_t, slices> m_first{};
    std::uint64_t m_slices = 0;  // a bit for each slice that is not empty
    unsigned m_shift = 24;       // a slice takes 2^m_shift fs; 17 ns at the start
    std::int64_t m_base = 0;     // the slice of what was popped last, counted from time 0
};

}  // namespace tlmetry::endpoint
