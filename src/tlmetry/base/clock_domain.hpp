// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <deque>

namespace tlmetry {

/// The rising edges of one clock as integers: which edge comes when, and which edge comes next after a time.
///
/// Nothing ticks. A clock is a list of stretches of equal period; the usual clock has one, without end. A
/// recorded clock is appended to edge by edge and may jitter, change its frequency or stop: edges that are
/// not known yet come at `never`.
class ClockDomain {
public:
    /// A clock without edges, to be recorded with append().
    ClockDomain() = default;

    /// Edge 0 at `first_edge_fs`, then one every `period_fs` for ever. Throws UserError unless the period is
    /// positive and the first edge is not negative.
    ClockDomain(time_fs period_fs, time_fs first_edge_fs);

    /// Adds one edge to a recorded clock. Times must grow.
    void append(time_fs edge_time);

    /// Forgets the places of edges below `edge`; only their number stays. Keeps the memory of a recording
    /// constant.
    void forget_before(cycle_t edge);

    /// Time of an edge; `never` for one that is not known yet.
    time_fs time_of(cycle_t edge) const {
        const cycle_t since = edge - m_last.first;
        if (since < 0) return time_of_older(edge);
        return since < m_last.count ? m_last.start + since * m_last.period : never;
    }

    /// Number of the first edge strictly later than `t`.
    cycle_t first_after(time_fs t) const;

    /// Number of the first edge at `t` or later.
    cycle_t first_at_or_after(time_fs t) const { return first_after(t - 1); }

    /// Period around the last known edge, 0 while fewer than two edges are known.
    time_fs period_fs() const;

    /// Number of edges known so far (`never` for a clock without end).
    cycle_t known_edges() const { return m_last.first + m_last.count; }

private:
    struct Stretch {
        cycle_t first = 0;   // number of its first edge
        cycle_t count = 0;   // edges in it
        time_fs start = 0;   // time of its first edge
        time_fs period = 0;  // 0 while it has one edge only
    };

    time_fs time_of_older(cycle_t edge) const;
    static cycle_t first_after_in(const Stretch& stretch, time_fs t);

    Stretch m_last;  // nearly every question is about it
    std::deque<Stretch> m_older;
};

}  // namespace tlmetry
