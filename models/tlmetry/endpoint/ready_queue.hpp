// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// Reads by the time at which the host has their next data, the earliest first, at equal times the one that
/// was granted first. Those that come in this order, all of them where latencies are equal, stand in a row.
/// The others are in a ring of 64 equal slices of time: other than in a heap there is next to nothing to
/// compare, which no processor could predict.
class ReadyQueue {
public:
    struct Item {
        time_fs at = 0;
        std::uint64_t number = 0;  ///< in the order of grants
        std::uint32_t tag = 0;

        bool operator<(const Item& other) const {
            return at < other.at || (at == other.at && number < other.number);
        }
    };

    explicit ReadyQueue(std::uint32_t tags) : m_items(tags), m_next(tags) { m_first.fill(none); }

    bool empty() const { return m_row.empty() && m_slices == 0; }

    /// Adds an item whose tag is not in it.
    void push(const Item& item) {
        if (m_row.empty() || !(item < m_row.back())) {
            m_row.extend() = item;
        } else {
            push_in_slice(item);
        }
    }
    /// The earliest; there must be one.
    const Item& front() const { return row_is_next() ? m_row.front() : m_items[earliest_in(first_slice())]; }
    /// Takes it out.
    Item pop() {
        Item item;
        pop_before(never, item);
        return item;
    }
    /// Takes it out into `item` if there is one that is ready before time `end`.
    bool pop_before(time_fs end, Item& item) {
        if (m_slices != 0 && !row_is_next()) return pop_from_slice(end, item);
        if (m_row.empty() || m_row.front().at >= end) return false;
        item = m_row.front();
        m_row.pop();
        return true;
    }
    /// Takes all out, in any order.
    template <class Take>
    void clear(const Take& take) {
        clear_slices(take);
        for (const Item& item : m_row)
            take(item.tag);
        m_row.clear();
    }

private:
    template <class Take>
    void clear_slices(const Take& take) {
        for (std::uint32_t& first : m_first) {
            for (std::uint32_t tag = first; tag != none; tag = m_next[tag])
                take(tag);
            first = none;
        }
        m_slices = 0;
    }

    static constexpr std::int64_t slices = 64;
    static constexpr std::uint32_t none = ~0u;

    void link(std::uint32_t tag) {
        // What comes before the slice of the last one popped is found in that slice.
        const auto s = static_cast<std::size_t>(std::max(m_items[tag].at >> m_shift, m_base)) % slices;
        m_next[tag] = m_first[s];
        m_first[s] = tag;
        m_slices |= std::uint64_t{1} << s;
    }
    bool row_is_next() const {
        return m_slices == 0 || (!m_row.empty() && m_row.front() < m_items[earliest_in(first_slice())]);
    }
    [[gnu::noinline]] void push_in_slice(const Item& item) {
        m_items[item.tag] = item;
        if (m_slices == 0) m_base = item.at >> m_shift;
        while ((item.at >> m_shift) - m_base >= slices)
            widen();
        link(item.tag);
    }
    [[gnu::noinline]] bool pop_from_slice(time_fs end, Item& item) {
        const std::size_t s = first_slice();
        const std::uint32_t tag = earliest_in(s);
        if (m_items[tag].at >= end) return false;
        std::uint32_t* place = &m_first[s];
        while (*place != tag)
            place = &m_next[*place];
        *place = m_next[tag];
        if (m_first[s] == none) m_slices &= ~(std::uint64_t{1} << s);
        m_base = std::max(m_base, m_items[tag].at >> m_shift);
        item = m_items[tag];
        return true;
    }
    /// The first slice that is not empty: from m_base on they are in the order of time.
    std::size_t first_slice() const {
        const auto base = static_cast<unsigned>(m_base % slices);
        const std::uint64_t turned = m_slices >> base | m_slices << (slices - base) % slices;
        return (base + static_cast<unsigned>(__builtin_ctzll(turned))) % slices;
    }
    /// The earliest of a slice that is not empty.
    std::uint32_t earliest_in(std::size_t slice) const {
        std::uint32_t tag = m_first[slice];
        std::uint32_t best = tag;
        while ((tag = m_next[tag]) != none) {
            if (m_items[tag] < m_items[best]) best = tag;
        }
        return best;
    }
    /// Makes slices twice as long, so that later times have a place.
    [[gnu::noinline]] void widen() {
        std::vector<std::uint32_t> tags;
        clear_slices([&tags](std::uint32_t tag) { tags.push_back(tag); });
        ++m_shift;
        m_base /= 2;
        for (const std::uint32_t tag : tags)
            link(tag);
    }

    SlidingQueue<Item> m_row;
    std::vector<Item> m_items;          // of the slices, by tag
    std::vector<std::uint32_t> m_next;  // in the same slice, by tag
    std::array<std::uint32_t, slices> m_first{};
    std::uint64_t m_slices = 0;  // a bit for each slice that is not empty
    unsigned m_shift = 24;       // a slice takes 2^m_shift fs; 17 ns at the start
    std::int64_t m_base = 0;     // the slice of what was popped last, counted from time 0
};

}  // namespace tlmetry::endpoint
