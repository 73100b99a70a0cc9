// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/base/sliding_queue.hpp>

namespace tlmetry::telemetry {

/// The flag of one probe that says a delta was lost: set by drops, cleared by the toggle that COMMAND bit 2
/// sends from the MI clock, seen by software through two MI registers.
///
/// Steps through the edges of the probe clock only while a toggle is on its way.
class LostFlag {
public:
    explicit LostFlag(const ClockDomain& clock) : m_clock(clock) {}

    /// The toggle register of the MI domain changes to `level` at time `t`.
    void toggle(time_fs t, bool level);
    /// A delta is dropped at edge `edge`; edges must not go back.
    void set(cycle_t edge) {
        if (!stays_set()) set_at(edge);
    }
    /// The flag is set and nothing known can clear it.
    bool stays_set() const { return m_set && quiet(); }
    /// Brings the flag to the state after all edges below `end`.
    void advance(cycle_t end);
    /// The probe's reset is seen high at edges [from, to).
    void reset(cycle_t from, cycle_t to);

    /// No toggle is on its way and no reset in sight: only set() can change the flag.
    bool quiet() const { return m_toggles.empty() && settled() && m_reset_from == never; }

    /// State just before time `t`; the flag must have been brought there. Earlier times may not be asked
    /// again.
    bool before(time_fs t);

private:
    struct Change {
        time_fs time = 0;
        bool level = false;
    };
    bool settled() const { return m_sampled == m_source && m_second == m_sampled && m_third == m_second; }
    void set_at(cycle_t edge);
    void step(cycle_t edge);
    void change(cycle_t edge, bool level);

    const ClockDomain& m_clock;
    SlidingQueue<Change> m_toggles;  // not seen by the next edge yet
    bool m_source = false;           // toggle as the next edge samples it
    bool m_sampled = false, m_second = false, m_third = false;
    cycle_t m_next = 0;  // next edge to step
    cycle_t m_reset_from = never, m_reset_to = never;

    bool m_set = false;
    bool m_shown = false;            // level before the oldest change that is kept
    SlidingQueue<Change> m_changes;  // of the flag, oldest first
};

}  // namespace tlmetry::telemetry
