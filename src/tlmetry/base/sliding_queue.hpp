// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tlmetry {

/// A first-in first-out queue in one piece of memory that grows by doubling and never shrinks: no allocation
/// once the longest backlog has been seen. Its items lie side by side and slide back to the beginning when
/// the end is reached, so that reaching one is following a pointer.
template <class T>
class SlidingQueue {
public:
    SlidingQueue() : SlidingQueue(first_capacity) {}
    SlidingQueue(SlidingQueue&& other) noexcept : SlidingQueue() { swap(other); }
    SlidingQueue& operator=(SlidingQueue&& other) noexcept {
        swap(other);
        return *this;
    }
    SlidingQueue(const SlidingQueue& other) : SlidingQueue(other.m_memory.size()) {
        for (const T* item = other.m_first; item != other.m_end; ++item)
            *m_end++ = *item;
    }
    SlidingQueue& operator=(const SlidingQueue& other) { return *this = SlidingQueue(other); }
    ~SlidingQueue() = default;

    bool empty() const { return m_first == m_end; }
    std::size_t size() const { return static_cast<std::size_t>(m_end - m_first); }
    T& front() { return *m_first; }
    const T& front() const { return *m_first; }
    T& back() { return m_end[-1]; }
    /// The i-th item from the front.
    T& operator[](std::size_t i) { return m_first[i]; }
    const T& operator[](std::size_t i) const { return m_first[i]; }
    const T* begin() const { return m_first; }
    const T* end() const { return m_end; }

    void push(T item) { extend() = std::move(item); }
    /// Appends an item that holds whatever was there before, to be filled in place.
    T& extend() {
        if (m_end == m_limit) make_room(1);
        return *m_end++;
    }
    /// Appends `count` items like that, side by side, and points to the first.
    T* extend(std::size_t count) {
        if (static_cast<std::size_t>(m_limit - m_end) < count) make_room(count);
        m_end += count;
        return m_end - count;
    }
    /// Takes back items that were appended last.
    void take_back(std::size_t count = 1) { m_end -= count; }
    void pop() { ++m_first; }
    void pop(std::size_t count) { m_first += count; }
    void clear() { m_first = m_end; }

private:
    static constexpr std::size_t first_capacity = 32;

    explicit SlidingQueue(std::size_t capacity)
        : m_memory(capacity),
          m_first(m_memory.data()),
          m_end(m_memory.data()),
          m_limit(m_memory.data() + capacity) {}

    void swap(SlidingQueue& other) {
        m_memory.swap(other.m_memory);
        std::swap(m_first, other.m_first);
        std::swap(m_end, other.m_end);
        std::swap(m_limit, other.m_limit);
    }
    /// For `count` items more: slides the items back, or, when there are too many to be moved once more soon,
    /// moves them to larger memory.
    [[gnu::noinline]] void make_room(std::size_t count) {
        std::size_t capacity = m_memory.size();
        if (4 * size() <= capacity && size() + count <= capacity) {
            T* to = m_memory.data();
            for (T* from = m_first; from != m_end; ++from)
                *to++ = std::move(*from);
            m_first = m_memory.data();
            m_end = to;
            return;
        }
        do {
            capacity *= 2;
        } while (capacity < size() + count);
        SlidingQueue larger(capacity);
        for (T* from = m_first; from != m_end; ++from)
            *larger.m_end++ = std::move(*from);
        swap(larger);
    }

    std::vector<T> m_memory;
    T* m_first;
    T* m_end;
    T* m_limit;
};

}  // namespace tlmetry
