// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint_telemetry {

/// Counts the words of an MVB log into the channels telemetry::MvbWord counts into, and takes them out of the
/// log.
class MvbTally {
public:
    /// `waiting`: a word is presented from that cycle on and has not moved as far as is known; it is not in
    /// the log. Log and `waiting` must live as long as this.
    MvbTally(endpoint::MvbLog& log, const cycle_t& waiting) : m_log(log), m_waiting(waiting) {}

    /// First cycle in which something is to be counted.
    cycle_t next() const { return std::max(waiting(), m_passed); }
    /// Counts what happens below `end`.
    void pass(cycle_t end, std::uint64_t* counts, bool&);

    /// What the bus showed in cycle `cycle`, the last one passed or a later one without traffic.
    telemetry::MvbWord shown(cycle_t cycle) const {
        if (cycle == m_last_moved) return {true, true, m_last_items};
        return {waiting() <= cycle, false, 0};
    }

private:
    /// Since when a word is presented that has not been counted.
    cycle_t waiting() const {
        return m_log.empty() ? m_waiting : std::min(m_waiting, m_log.front().presented);
    }

    endpoint::MvbLog& m_log;
    const cycle_t& m_waiting;
    cycle_t m_passed = 0;
    cycle_t m_last_moved = -1;
    std::uint32_t m_last_items = 0;
};

}  // namespace tlmetry::endpoint_telemetry
