// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/link_direction.hpp>

#include <algorithm>
#include <array>

namespace tlmetry::endpoint {

/// When DLLPs of one kind fall due that answer something: each so long after the first thing that it answers,
/// and it answers everything until then.
class DllpTimer {
public:
    /// `interval` of `never`: none is ever due.
    explicit DllpTimer(time_fs interval) { set_interval(interval); }

    /// Something has to be answered that happened at time `at`. Without a branch: whether that makes one due
    /// is as good as random.
    void answer(time_fs at) {
        const bool starts = at > m_last;
        m_last = choose(starts, at + m_interval, m_last);
        m_coming.extend() = m_last;
        m_coming.take_back(!starts);
        m_due = std::min(m_due, choose(starts, m_last, never));
    }
    /// The same for things of a row, each of which happened at its `at`.
    template <class Thing>
    void answer(const Thing* first, const Thing* last) {
        if (first == last) return;
        const auto count = static_cast<std::size_t>(last - first);
        time_fs* const coming = m_coming.extend(count);
        time_fs* next = coming;
        time_fs answered = m_last;
        for (; first != last; ++first) {
            const bool starts = first->at > answered;
            answered = choose(starts, first->at + m_interval, answered);
            *next = answered;
            next += starts;
        }
        m_last = answered;
        if (next != coming) m_due = std::min(m_due, *coming);
        m_coming.take_back(count - static_cast<std::size_t>(next - coming));
    }
    /// The first that has not been sent; `never` if there is none.
    time_fs due() const { return m_due; }
    void sent(std::size_t count = 1) {
        m_coming.pop(count);
        m_due = m_coming.empty() ? never : m_coming.front();
    }
    /// All that are due, in order; behind the last stands `never`.
    const time_fs* all_due() {
        m_coming.push(never);
        m_coming.take_back();
        return m_coming.begin();
    }
    void set_interval(time_fs interval) {
        m_interval = interval;
        if (interval == never) {
            m_last = never;
        } else if (m_last == never) {
            m_last = -1;
        }
    }
    /// What is due is forgotten.
    void restart() {
        m_coming.clear();
        m_due = never;
        if (m_interval != never) m_last = -1;
    }

private:
    time_fs m_interval = never;
    time_fs m_last = never;  // up to which everything is answered
    time_fs m_due = never;
    SlidingQueue<time_fs> m_coming;
};

/// All DLLPs of the host: Acks of requests, and updates of its credits.
class HostDllps {
public:
    enum Kind { ack, posted, nonposted };

    explicit HostDllps(time_fs interval)
        : m_timers{DllpTimer(interval), DllpTimer(interval), DllpTimer(interval)} {}

    void answer(Kind kind, time_fs at) {
        m_timers[kind].answer(at);
        m_due = std::min(m_due, m_timers[kind].due());
    }
    template <class Thing>
    void answer(Kind kind, const Thing* first, const Thing* last) {
        m_timers[kind].answer(first, last);
        m_due = std::min(m_due, m_timers[kind].due());
    }
    /// When the next is due that has not been sent; `never` if there is none.
    time_fs due() const { return m_due; }
    /// Sends those that are due at time `t` or before, each `lag` later.
    template <class Link>
    void send(time_fs t, time_fs lag, Link& link) {
        while (m_due <= t) {
            for (DllpTimer& timer : m_timers) {
                if (timer.due() != m_due) continue;
                link.send_dllp(m_due + lag);
                timer.sent();
            }
            m_due = never;
            for (const DllpTimer& timer : m_timers)
                m_due = std::min(m_due, timer.due());
        }
    }
    void set_interval(time_fs interval) {
        for (DllpTimer& timer : m_timers)
            timer.set_interval(interval);
    }
    void restart() {
        for (DllpTimer& timer : m_timers)
            timer.restart();
        m_due = never;
    }

private:
    std::array<DllpTimer, 3> m_timers;
    time_fs m_due = never;
};

}  // namespace tlmetry::endpoint
