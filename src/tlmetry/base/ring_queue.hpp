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
    RingQueue() : m_items(first_capacity), m_data(m_items.data()), m_mask(first_capacity - 1) {}
    RingQueue(RingQueue&& other) noexcept : RingQueue() { swap(other); }
    RingQueue& operator=(RingQueue&& other) noexcept {
        swap(other);
        return *this;
    }
    RingQueue(const RingQueue& other)
        : m_items(other.m_items),
          m_data(m_items.data()),
          m_mask(other.m_mask),
          m_first(other.m_first),
          m_end(other.m_end) {}
    RingQueue& operator=(const RingQueue& other) { return *this = RingQueue(other); }
    ~RingQueue() = default;

    bool empty() const { return m_first == m_end; }
    std::size_t size() const { return m_end - m_first; }
    T& front() { return m_data[m_first & m_mask]; }
    const T& front() const { return m_data[m_first & m_mask]; }
    T& back() { return m_data[(m_end - 1) & m_mask]; }
    /// The i-th item from the front.
    T& operator[](std::size_t i) { return m_data[(m_first + i) & m_mask]; }
    const T& operator[](std::size_t i) const { return m_data[(m_first + i) & m_mask]; }

    void push(T item) { extend() = std::move(item); }
    /// Appends an item that holds whatever was there before, to be filled in place.
    T& extend() {
        if (size() > m_mask) grow();
        return m_data[m_end++ & m_mask];
    }
    /// Takes back an extend().
    void take_back() { --m_end; }
    void pop() { ++m_first; }
    void clear() { m_first = m_end; }

private:
    static constexpr std::size_t first_capacity = 16;

    void swap(RingQueue& other) {
        m_items.swap(other.m_items);
        std::swap(m_data, other.m_data);
        std::swap(m_mask, other.m_mask);
        std::swap(m_first, other.m_first);
        std::swap(m_end, other.m_end);
    }
    [[gnu::noinline]] void grow() {
        std::vector<T> larger(m_items.size() * 2);
        const std::size_t count = size();
        for (std::size_t i = 0; i < count; ++i)
            larger[i] = std::move((*this)[i]);
        m_items = std::move(larger);
        m_data = m_items.data();
        m_mask = m_items.size() - 1;
        m_first = 0;
        m_end = count;
    }

    std::vector<T> m_items;
    // Kept beside it: a vector would have to divide to tell its size.
    T* m_data;
    std::size_t m_mask;
    std::size_t m_first = 0;  // running numbers; their low bits are the place in m_data
    std::size_t m_end = 0;
};

}  // namespace tlmetry
