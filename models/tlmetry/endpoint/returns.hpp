// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/ring_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// What comes back to a finite resource, and when, in the cycles of the clock that takes it: FIFO words,
/// storage words, entries, bytes. Who takes from the resource asks in the order of taking, so every return is
/// looked at once.
class Returns {
public:
    /// `amount` is back from cycle `at` on. Cycles never go back.
    void give(cycle_t at, std::uint64_t amount) { m_coming.extend() = {at, amount}; }

    /// First cycle by which at least `total` have come back since the start; `never` while that is not known.
    cycle_t when(std::uint64_t total) {
        while (m_total < total && !m_coming.empty()) {
            m_total += m_coming.front().amount;
            m_at = m_coming.front().at;
            m_coming.pop();
        }
        return m_total >= total ? m_at : never;
    }

    /// All that has come back by cycle `now` is counted from here on.
    void pass(cycle_t now) {
        while (!m_coming.empty() && m_coming.front().at <= now) {
            m_total += m_coming.front().amount;
            m_at = m_coming.front().at;
            m_coming.pop();
        }
    }
    /// What is counted so far.
    std::uint64_t total() const { return m_total; }

    /// When a resource of `capacity` has room for `more`, of which `taken` were taken since the start.
    cycle_t when_room(std::uint64_t capacity, std::uint64_t taken, std::uint64_t more) {
        const std::uint64_t need = taken + more;
        return need <= capacity + m_total ? m_at : when(need - capacity);
    }

private:
    struct Return {
        cycle_t at = 0;
        std::uint64_t amount = 0;
    };
    RingQueue<Return> m_coming;
    std::uint64_t m_total = 0;
    cycle_t m_at = 0;  // when the last of m_total came
};

}  // namespace tlmetry::endpoint
