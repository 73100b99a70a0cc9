// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/ring_queue.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/edges.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tlmetry::endpoint {

/// What comes back to a finite resource, and when, in the cycles of the clock that takes it: storage words,
/// entries, bytes. Who takes from the resource asks in the order of taking, so every return is looked at
/// once.
class Returns {
public:
    /// `amount` is back from cycle `at` on. Cycles never go back.
    void give(cycle_t at, std::uint64_t amount) { m_coming.extend() = {at, amount}; }
    /// The same for one that comes before some of those that are known.
    [[gnu::noinline]] void give_earlier(cycle_t at, std::uint64_t amount) {
        m_coming.extend() = {at, amount};
        for (std::size_t i = m_coming.size() - 1; i != 0 && at < m_coming[i - 1].at; --i)
            std::swap(m_coming[i], m_coming[i - 1]);
    }

    /// First cycle in which a resource of `capacity`, of which `taken` were taken since the start, has room
    /// for `more`; `never` while that is not known.
    cycle_t when_room(std::uint64_t capacity, std::uint64_t taken, std::uint64_t more) {
        return taken + more <= capacity + m_total ? m_at : when(taken + more - capacity);
    }
    /// The same, but `never` if that is not before cycle `end`: what comes later is not looked at.
    cycle_t when_room_before(cycle_t end, std::uint64_t capacity, std::uint64_t taken, std::uint64_t more) {
        return taken + more <= capacity + m_total ? m_at : when(taken + more - capacity, end);
    }
    /// There is room in cycle `cycle`. What has come back by then is counted when it is needed, all at once.
    bool has_room(std::uint64_t capacity, std::uint64_t taken, std::uint64_t more, cycle_t cycle) {
        if (taken + more > capacity + m_total) look(cycle);
        return taken + more <= capacity + m_total && m_at <= cycle;
    }

    /// What is free in cycle `cycle` and later, by what is known; nothing if what was last looked at comes
    /// later.
    std::int64_t sure(std::uint64_t capacity, std::uint64_t taken, cycle_t cycle) {
        look(cycle);
        return m_at <= cycle ? static_cast<std::int64_t>(capacity + m_total - taken) : 0;
    }

private:
    struct Return {
        cycle_t at = 0;
        std::uint64_t amount = 0;
    };
    [[gnu::noinline]] void look(cycle_t cycle) {
        while (!m_coming.empty() && m_coming.front().at <= cycle) {
            m_total += m_coming.front().amount;
            m_at = std::max(m_at, m_coming.front().at);
            m_coming.pop();
        }
    }
    [[gnu::noinline]] cycle_t when(std::uint64_t total, cycle_t end = never) {
        while (m_total < total && !m_coming.empty() && m_coming.front().at < end) {
            m_total += m_coming.front().amount;
            m_at = std::max(m_at, m_coming.front().at);
            m_coming.pop();
        }
        return m_total >= total ? m_at : never;
    }

    RingQueue<Return> m_coming;
    std::uint64_t m_total = 0;
    cycle_t m_at = 0;  // when the last of m_total came
};

/// The words of a crossing that the reading side has taken, as the writing side learns of them.
class FreedWords {
public:
    explicit FreedWords(const Crossing& back) : m_back(back) {}

    /// `words` leave in cycle `cycle` of the reading clock. Cycles never go back.
    void give(cycle_t cycle, std::uint32_t words) { m_coming.extend() = {cycle, words, 0}; }
    /// `words` leave one a cycle from `cycle` on.
    void give_run(cycle_t cycle, std::uint32_t words) { m_coming.extend() = {cycle, words, 1}; }

    /// Words that a crossing of `capacity` words takes in cycle `cycle` of the writing clock before it is
    /// full, when `written` were written before. May tell less than there is, but 0 only if there is none.
    std::uint64_t room(std::uint64_t capacity, std::uint64_t written, cycle_t cycle) {
        if (capacity + m_total <= written) look(cycle);
        return left(capacity, written);
    }
    /// The same for at least `words`, if there is as much.
    std::uint64_t room(std::uint64_t capacity, std::uint64_t written, cycle_t cycle, std::uint64_t words) {
        if (capacity + m_total < written + words) look(cycle);
        return left(capacity, written);
    }
    /// First cycle of the writing clock in which there is room for one; `never` while that is not known.
    cycle_t when_room(std::uint64_t capacity, std::uint64_t written) {
        return written < capacity + m_total ? 0 : when(written + 1 - capacity);
    }

    /// Words that leave before anybody can find the crossing full.
    void give_now(std::uint64_t words) { m_total += words; }
    /// Counts everything that was given as if it had left already.
    void forget() {
        for (; !m_coming.empty(); m_coming.pop())
            m_total += m_coming.front().words;
    }
    /// The same where that makes no difference. False if something leaves after cycle
    /// `limit` of the reading clock, or so much is in the crossing that it could be full before it is true.
    bool settle(std::uint64_t capacity, std::uint64_t written, cycle_t limit) {
        if (m_coming.empty()) return true;
        const Run& last = m_coming.back();
        if (last.cycle + static_cast<cycle_t>(last.words) > limit) return false;
        if (written - m_total > capacity / 2) return false;
        forget();
        return true;
    }
    /// Nothing is under way any more.
    void restart() {
        m_coming.clear();
        m_total = 0;
    }

private:
    struct Run {
        cycle_t cycle = 0;
        std::uint32_t words = 0;
        std::uint32_t step = 0;  // cycles from one to the next
    };
    /// A writer that heeds an almost full crossing may have gone beyond its `capacity`.
    std::uint64_t left(std::uint64_t capacity, std::uint64_t written) const {
        return capacity + m_total > written ? capacity + m_total - written : 0;
    }
    /// Counts everything that is seen in or before cycle `cycle`.
    [[gnu::noinline]] void look(cycle_t cycle) {
        const cycle_t last = m_back.last_seen(cycle);
        while (!m_coming.empty() && m_coming.front().cycle <= last) {
            Run& run = m_coming.front();
            const cycle_t seen = run.step == 0 ? run.words : last - run.cycle + 1;
            if (seen < run.words) {
                m_total += static_cast<std::uint64_t>(seen);
                run.cycle += seen;
                run.words -= static_cast<std::uint32_t>(seen);
                return;
            }
            m_total += run.words;
            m_coming.pop();
        }
    }
    [[gnu::noinline]] cycle_t when(std::uint64_t total) const {
        std::uint64_t known = m_total;
        for (std::size_t i = 0; i < m_coming.size(); ++i) {
            const Run& run = m_coming[i];
            if (known + run.words >= total)
                return m_back(run.cycle + static_cast<cycle_t>(total - known - 1) * run.step);
            known += run.words;
        }
        return never;
    }

    Crossing m_back;
    RingQueue<Run> m_coming;
    std::uint64_t m_total = 0;
};

}  // namespace tlmetry::endpoint
