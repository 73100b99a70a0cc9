// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
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
    struct Return {
        cycle_t at = 0;
        std::uint64_t amount = 0;
    };
    /// `amount` is back from cycle `at` on. Cycles never go back.
    void give(cycle_t at, std::uint64_t amount) { m_coming.extend() = {at, amount}; }
    /// `count` of them, to be filled in, and to be taken back from the end where that is too many.
    Return* extend(std::size_t count) { return m_coming.extend(count); }
    void take_back(std::size_t count) { m_coming.take_back(count); }
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

    SlidingQueue<Return> m_coming;
    std::uint64_t m_total = 0;
    cycle_t m_at = 0;  // when the last of m_total came
};

/// The words of a crossing that the reading side has taken, as the writing side learns of them.
class FreedWords {
public:
    explicit FreedWords(const Crossing& back) : m_back(back) {}

    /// `words` leave in cycle `cycle` of the reading clock. Cycles never go back.
    void give(cycle_t cycle, std::uint32_t words) { m_coming.extend() = {cycle, words}; }
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
    /// Counts everything that was given as if it had left already, where that makes no difference. False if
    /// something leaves after cycle `limit` of the reading clock, or so much is in the crossing that it could
    /// be full before it is true.
    bool settle(std::uint64_t capacity, std::uint64_t written, cycle_t limit) {
        if (m_coming.empty()) return true;
        const Run& last = m_coming.back();
        if (last.cycle + static_cast<cycle_t>(last.words) > limit) return false;
        if (written - m_total > capacity / 2) return false;
        for (; !m_coming.empty(); m_coming.pop())
            m_total += m_coming.front().words;
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
    };
    /// A writer that heeds an almost full crossing may have gone beyond its `capacity`.
    std::uint64_t left(std::uint64_t capacity, std::uint64_t written) const {
        return capacity + m_total > written ? capacity + m_total - written : 0;
    }
    /// Counts everything that is seen in or before cycle `cycle`.
    [[gnu::noinline]] void look(cycle_t cycle) {
        const cycle_t last = m_back.last_seen(cycle);
        for (; !m_coming.empty() && m_coming.front().cycle <= last; m_coming.pop())
            m_total += m_coming.front().words;
    }
    [[gnu::noinline]] cycle_t when(std::uint64_t total) const {
        std::uint64_t known = m_total;
        for (const Run& run : m_coming) {
            known += run.words;
            if (known >= total) return m_back(run.cycle);
        }
        return never;
    }

    Crossing m_back;
    SlidingQueue<Run> m_coming;
    std::uint64_t m_total = 0;
};

/// When the words of a crossing leave that the reading side takes one a cycle at most, as the writing side
/// learns of it. It asks in the order of the words.
class LeavingWords {
public:
    explicit LeavingWords(const Crossing& back) : m_back(back) {}

    /// `words` more leave one a cycle from `cycle` of the reading clock on.
    void give(cycle_t cycle, std::uint32_t words) {
        if (!m_runs.empty() && m_runs.back().cycle + m_runs.back().words == cycle) {
            m_runs.back().words += words;
        } else {
            m_runs.extend() = {cycle, words};
        }
    }
    /// All that are given have certainly left when anybody asks.
    void forget() {
        for (; !m_runs.empty(); m_runs.pop())
            m_left += static_cast<std::uint64_t>(m_runs.front().words);
    }
    /// First cycle of the writing clock in which `words` words since the start have left; `never` while that
    /// is not known.
    cycle_t when(std::uint64_t words) { return words <= m_left ? 0 : find(words); }
    void restart() {
        m_runs.clear();
        m_left = 0;
    }

private:
    struct Run {
        cycle_t cycle = 0;
        cycle_t words = 0;
    };
    cycle_t find(std::uint64_t words) {
        auto more = static_cast<cycle_t>(words - m_left);
        for (; !m_runs.empty(); m_runs.pop()) {
            const Run& run = m_runs.front();
            if (more <= run.words) return m_back(run.cycle + more - 1);
            more -= run.words;
            m_left += static_cast<std::uint64_t>(run.words);
        }
        return never;
    }

    Crossing m_back;
    SlidingQueue<Run> m_runs;
    std::uint64_t m_left = 0;  // before m_runs
};

}  // namespace tlmetry::endpoint
