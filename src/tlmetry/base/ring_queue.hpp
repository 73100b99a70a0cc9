// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tlmetry {

/// A first-in first-out queue in one block of memory that grows by doubling and never shrinks: no allocation
/// once the longest backlog has been seen.
template <class T>
class RingQueue {
public:
    RingQueue() : m_items(16) {}

    bool empty() const { return m_first == m_end; }
    std::size_t size() const { return m_end - m_first; }
    T& front() { return m_items[m_first & mask()]; }
    const T& front() const { return m_items[m_first & mask()]; }
    T& back() { return m_items[(m_end - 1) & mask()]; }
    /// The i-th item from the front.
    T& operator[](std::size_t i) { return m_items[(m_first + i) & mask()]; }
    const T& operator[](std::size_t i) const { return m_items[(m_first + i) & mask()]; }

    void push(T item) { extend() = std::move(item); }
    /// Appends an item that holds whatever was there before, to be filled in place.
    T& extend() {
        if (size() == m_items.size()) grow();
        return m_items[m_end++ & mask()];
    }
    void pop() { ++m_first; }
    void clear() { m_first = m_end; }

private:
    std::size_t mask() const { return m_items.size() - 1; }
    void grow() {
        std::vector<T> larger(m_items.size() * 2);
        const std::size_t count = size();
        for (std::size_t i = 0; i < count; ++i)
            larger[i] = std::move(m_items[(m_first + i) & mask()]);
        m_items = std::move(larger);
        m_first = 0;
        m_end = count;
    }

    std::vector<T> m_items;
    std::size_t m_first = 0;  // running numbers; their low bits are the place in m_items
    std::size_t m_end = 0;
};

}  // namespace tlmetry
