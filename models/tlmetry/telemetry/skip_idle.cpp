// SPDX-License-Identifier: BSD-3-Clause
//
// Passing long times at once. When every burst of deltas is over long before the next one begins and no FIFO
// can fill, the accumulator ends every burst having added every delta, in whatever order. Then only the last
// burst before a look has to be walked through, from a moment at which history cannot matter: all FIFOs
// empty, machine idle, and the next burst begins with one single stream (the round robin's position decides
// nothing).
#include "tlmetry/telemetry/telemetry.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

/// An upper bound of the time from the first delta of a burst to the end of its last addition; `never` where
/// it cannot be shown that bursts end and no FIFO fills.
time_fs Telemetry::busy_bound() const {
    if (!m_uniform_clocks) return never;
    const time_fs mi_period = m_clocks.mi.period_fs();
    // A FIFO holds less than four drains of its probe, so longer bursts need no exact bound.
    const time_fs longest_bound = 4 * m_shortest_drain;
    time_fs channels = 0;
    for (const auto& probe : m_probes)
        channels += static_cast<time_fs>(probe->shape().channels);
    if (mi_period > longest_bound / (3 * channels)) return never;
    // Crossing into the MI clock and the start of the machine; three MI cycles a delta after that.
    time_fs latency = 20 * mi_period;
    for (const auto& probe : m_probes) {
        if (!probe->running()) return never;
        latency = std::max(latency, 20 * mi_period + 8 * probe->clock().period_fs());
    }
    const auto drain = [](const Probe& probe) {
        return probe.clock().period_fs() * probe.timing().drain_period;
    };
    time_fs bound = latency;
    while (true) {
        time_fs work = latency;
        for (const auto& probe : m_probes) {
            work +=
                (bound / drain(*probe) + 1) * static_cast<time_fs>(probe->shape().channels) * 3 * mi_period;
        }
        if (work > longest_bound) return never;
        if (work <= bound) break;
        bound = work;
    }
    for (const auto& probe : m_probes) {
        const auto words = (bound / drain(*probe) + 2) * static_cast<std::int64_t>(probe->shape().channels);
        if (words > static_cast<std::int64_t>(probe->shape().fifo_depth)) return never;
    }
    return bound;
}

bool Telemetry::idle() {
    return m_accumulator->empty() && std::all_of(m_streams.begin(), m_streams.end(), [](auto& stream) {
               const Probe& probe = stream.probe();
               // A FIFO that is still in reset would drop the first deltas.
               return probe.between_sweeps() && probe.past_first_window() &&
                      !stream.fifo().full_at(probe.next_write().edge);
           });
}

/// Finds a moment shortly before `t` from which to walk, and for each probe the last window that is all added
/// then.
bool Telemetry::find_restart(time_fs t, time_fs& restart, std::vector<std::int64_t>& windows) const {
    const auto first_write = [](const Probe& probe, std::int64_t window) {
        return probe.timing().tick(window) + probe.first_write_offset();
    };
    // Last window whose sweep has begun before time `when`.
    const auto windows_before = [&](const Probe& probe, time_fs when) {
        const cycle_t edges = probe.clock().first_at_or_after(when);
        const cycle_t since = edges - 1 - first_write(probe, 1);
        return since < 0 ? 0 : since / probe.timing().drain_period + 1;
    };
    const auto reaches_mi = [&](const Probe& probe, cycle_t edge) {
        return m_clocks.mi.first_after(probe.clock().time_of(edge + 1));
    };
    restart = 0;
    for (const auto& opener : m_probes) {
        const std::int64_t last = windows_before(*opener, t);
        for (std::int64_t window = last; window > 0 && window > last - 4; --window) {
            const cycle_t opening = first_write(*opener, window);
            const time_fs start = opener->clock().time_of(opening);
            if (start <= m_now + m_busy_bound || start <= restart) break;
            const bool possible = std::all_of(m_probes.begin(), m_probes.end(), [&](const auto& probe) {
                const std::int64_t before = windows_before(*probe, start);
                const cycle_t ended = probe->timing().tick(before) + probe->last_write_offset();
                if (before > 0 && probe->clock().time_of(ended) + m_busy_bound > start) return false;
                return probe == opener ||
                       reaches_mi(*probe, first_write(*probe, before + 1)) > reaches_mi(*opener, opening);
            });
            if (!possible) continue;
            restart = start;
            windows.clear();
            for (const auto& probe : m_probes)
                windows.push_back(windows_before(*probe, start));
            break;
        }
    }
    return restart != 0;
}

/// Passes the time up to shortly before `t` at once, if that can be shown to change nothing.
bool Telemetry::skip_idle(time_fs t) {
    if (m_busy_bound == never || m_accumulator->watched()) return false;
    const time_fs step = std::max(m_busy_bound / 2, m_shortest_drain / 8) + 1;
    while (!idle()) {
        if (t - m_now <= 8 * m_longest_drain) return false;  // no longer worth it
        go_to(m_now + std::min(step, m_longest_drain));
    }
    time_fs restart = 0;
    std::vector<std::int64_t> windows;
    if (!find_restart(t, restart, windows)) return false;

    std::vector<std::vector<std::uint64_t>> added;  // totals of what is in the memory already
    for (const auto& probe : m_probes) {
        added.emplace_back();
        for (std::uint32_t c = 0; c < probe->shape().channels; ++c) {
            added.back().push_back(probe->total(probe->next_write().window - 1, c));
        }
    }
    if (m_stimulus) m_stimulus(t);
    for (std::size_t p = 0; p < m_probes.size(); ++p) {
        Probe& probe = *m_probes[p];
        probe.advance(probe.clock().first_at_or_after(t), true);
        for (std::uint32_t c = 0; c < probe.shape().channels; ++c) {
            m_accumulator->add(m_streams[p].first_entry() + c, probe.total(windows[p], c) - added[p][c]);
        }
        probe.skip_writes_to(windows[p] + 1);
        m_streams[p].fifo().drain();
    }
    m_accumulator->restart_idle(m_clocks.mi.first_at_or_after(restart));
    m_now = restart;
    ++m_skipped;
    return true;
}

}  // namespace tlmetry::telemetry
