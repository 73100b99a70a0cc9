// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint_pins {

/// The pins of an MFB in one cycle. Bit r of a mask is region r.
struct MfbState {
    bool src_rdy = false;
    bool dst_rdy = true;
    bool known = true;  ///< else a word waits whose content is not known
    std::uint64_t sof = 0;
    std::uint64_t eof = 0;
    std::uint64_t eof_pos = 0;  ///< of all regions, region 0 in the lowest bits

    bool operator==(const MfbState& other) const {
        return src_rdy == other.src_rdy && dst_rdy == other.dst_rdy && known == other.known &&
               sof == other.sof && eof == other.eof && eof_pos == other.eof_pos;
    }
};

/// The pins of an MVB in one cycle.
struct MvbState {
    bool src_rdy = false;
    bool dst_rdy = true;
    bool known = true;
    std::uint32_t items = 0;  ///< valid ones, the first of the word

    bool operator==(const MvbState& other) const {
        return src_rdy == other.src_rdy && dst_rdy == other.dst_rdy && known == other.known &&
               items == other.items;
    }
};

/// What some pins show, cycle after cycle, as changes that somebody takes from the front.
template <class State>
class Timeline {
public:
    struct Change {
        cycle_t from = 0;
        State state;
    };

    /// In cycle 0 the pins show `start`, unless something else is said of it.
    explicit Timeline(const State& start = State()) : m_last(start) { m_changes.push({0, start}); }

    /// Cycles [known(), end) show `state`.
    void show_until(cycle_t end, const State& state) {
        if (end <= m_known) return;
        if (!(state == m_last)) {
            if (m_known == 0) m_changes.clear();
            m_changes.push({m_known, state});
            m_last = state;
        }
        m_known = end;
    }

    /// What the cycles below it show is known.
    cycle_t known() const { return m_known; }
    /// Cycle of the first change that has not been taken; `never` if none is known.
    cycle_t next() const { return m_changes.empty() ? never : m_changes.front().from; }
    const State& front() const { return m_changes.front().state; }
    void pop() { m_changes.pop(); }
    std::size_t size() const { return m_changes.size(); }

private:
    SlidingQueue<Change> m_changes;
    State m_last;
    cycle_t m_known = 0;
};

}  // namespace tlmetry::endpoint_pins
