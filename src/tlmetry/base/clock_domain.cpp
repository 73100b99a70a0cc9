// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/base/clock_domain.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>

#include <algorithm>
#include <string>

namespace tlmetry {

ClockDomain::ClockDomain(time_fs period_fs, time_fs first_edge_fs) {
    if (period_fs <= 0) {
        throw UserError("clock period: expected a positive time, found " + format_time(period_fs));
    }
    if (first_edge_fs < 0) {
        throw UserError("clock phase: expected a time of 0 or later, found " + format_time(first_edge_fs));
    }
    m_last = {0, never, first_edge_fs, period_fs};
}

void ClockDomain::append(time_fs edge_time) {
    if (m_last.count == 0) {
        m_last = {m_last.first, 1, edge_time, 0};
    } else if (m_last.count == 1) {
        m_last.period = edge_time - m_last.start;
        m_last.count = 2;
    } else if (m_last.start + m_last.count * m_last.period == edge_time) {
        ++m_last.count;
    } else {
        m_older.push_back(m_last);
        m_last = {m_last.first + m_last.count, 1, edge_time, 0};
    }
}

void ClockDomain::forget_before(cycle_t edge) {
    while (!m_older.empty() && m_older.front().first + m_older.front().count <= edge)
        m_older.pop_front();
}

time_fs ClockDomain::time_of_older(cycle_t edge) const {
    for (auto s = m_older.rbegin(); s != m_older.rend(); ++s) {
        if (edge >= s->first) return s->start + (edge - s->first) * s->period;
    }
    // Forgotten: what is asked of such an edge is only whether it is long past.
    const Stretch& oldest = m_older.empty() ? m_last : m_older.front();
    return oldest.start - (oldest.first - edge);
}

cycle_t ClockDomain::first_after_in(const Stretch& stretch, time_fs t) {
    if (t < stretch.start || stretch.count == 0) return stretch.first;
    const cycle_t passed = stretch.period == 0 ? 1 : (t - stretch.start) / stretch.period + 1;
    return stretch.first + std::min(passed, stretch.count);
}

cycle_t ClockDomain::first_after(time_fs t) const {
    if (t >= m_last.start || m_older.empty()) return first_after_in(m_last, t);
    auto s = m_older.rbegin();
    while (t < s->start && std::next(s) != m_older.rend())
        ++s;
    return first_after_in(*s, t);
}

time_fs ClockDomain::period_fs() const {
    if (m_last.period != 0 || m_older.empty()) return m_last.period;
    return m_older.back().period;
}

}  // namespace tlmetry
