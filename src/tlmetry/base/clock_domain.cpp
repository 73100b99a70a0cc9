// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/base/clock_domain.hpp"

#include <algorithm>
#include <string>

#include <tlmetry/base/error.hpp>

namespace tlmetry {

ClockDomain::ClockDomain(time_fs period_fs, time_fs first_edge_fs) {
    if (period_fs <= 0) {
        throw UserError("clock period: expected a positive time, found " + std::to_string(period_fs) + " fs");
    }
    if (first_edge_fs < 0) {
        throw UserError("clock phase: expected a time of 0 or later, found " + std::to_string(first_edge_fs) + " fs");
    }
    m_stretches.push_back({0, never, first_edge_fs, period_fs});
}

void ClockDomain::append(time_fs edge_time) {
    if (m_stretches.empty()) {
        m_stretches.push_back({0, 1, edge_time, 0});
        return;
    }
    Stretch& last = m_stretches.back();
    if (last.count == 1) {
        last.period = edge_time - last.start;
        last.count = 2;
    } else if (last.start + last.count * last.period == edge_time) {
        ++last.count;
    } else {
        m_stretches.push_back({last.first + last.count, 1, edge_time, 0});
    }
}

void ClockDomain::forget_before(cycle_t edge) {
    while (m_stretches.size() > 1 && m_stretches[1].first <= edge) {
        m_stretches.pop_front();
    }
}

time_fs ClockDomain::time_of(cycle_t edge) const {
    for (auto s = m_stretches.rbegin(); s != m_stretches.rend(); ++s) {
        if (edge >= s->first || std::next(s) == m_stretches.rend()) {
            if (edge - s->first >= s->count) {
                return never;
            }
            return s->start + (edge - s->first) * s->period;
        }
    }
    return never;
}

cycle_t ClockDomain::first_after(time_fs t) const {
    for (auto s = m_stretches.rbegin(); s != m_stretches.rend(); ++s) {
        if (t < s->start) {
            if (std::next(s) == m_stretches.rend()) {
                return s->first;
            }
            continue;
        }
        const cycle_t passed = s->period == 0 ? 1 : (t - s->start) / s->period + 1;
        return s->first + std::min(passed, s->count);
    }
    return 0;
}

time_fs ClockDomain::period_fs() const {
    for (auto s = m_stretches.rbegin(); s != m_stretches.rend(); ++s) {
        if (s->period != 0) return s->period;
    }
    return 0;
}

cycle_t ClockDomain::known_edges() const {
    return m_stretches.empty() ? 0 : m_stretches.back().first + m_stretches.back().count;
}

}  // namespace tlmetry
