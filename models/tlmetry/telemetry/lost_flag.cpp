// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/lost_flag.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

void LostFlag::toggle(time_fs t, bool level) {
    m_toggles.push({t, level});
}

void LostFlag::change(cycle_t edge, bool level) {
    if (level == m_set) return;
    m_set = level;
    m_changes.push({m_clock.time_of(edge), level});
}

void LostFlag::reset(cycle_t from, cycle_t to) {
    m_reset_from = from;
    m_reset_to = to;
}

void LostFlag::step(cycle_t edge) {
    const time_fs now = m_clock.time_of(edge);
    // An edge samples what stood before it: a toggle at the very same time is seen by the next edge.
    while (!m_toggles.empty() && m_toggles.front().time < now) {
        m_source = m_toggles.front().level;
        m_toggles.pop();
    }
    if (edge >= m_reset_from && edge < m_reset_to) {
        m_sampled = m_second = m_third = false;
        change(edge, false);
        return;
    }
    if (m_second != m_third) change(edge, false);
    m_third = m_second;
    m_second = m_sampled;
    m_sampled = m_source;
}

void LostFlag::advance(cycle_t end) {
    while (m_next < end) {
        if (m_next >= m_reset_to) m_reset_from = m_reset_to = never;
        const bool in_reset = m_next >= m_reset_from && m_next < m_reset_to;
        const bool cleared = !m_sampled && !m_second && !m_third && !m_set;
        if (in_reset && cleared) {
            // Nothing moves until the reset ends; toggles meanwhile only change what is sampled then.
            m_next = std::min(end, m_reset_to);
            continue;
        }
        if (!in_reset && settled()) {
            // Nothing moves until the next toggle or reset.
            cycle_t wake = std::min(end, m_reset_from);
            if (!m_toggles.empty()) wake = std::min(wake, m_clock.first_after(m_toggles.front().time));
            if (wake > m_next) {
                m_next = wake;
                continue;
            }
        }
        step(m_next++);
    }
}

void LostFlag::set_at(cycle_t edge) {
    // A set in the cycle of a clear wins, so the clear of that edge comes first; and the probe drops nothing
    // while it is in reset.
    advance(edge + 1);
    change(edge, true);
}

bool LostFlag::before(time_fs t) {
    while (!m_changes.empty() && m_changes.front().time < t) {
        m_shown = m_changes.front().level;
        m_changes.pop();
    }
    return m_shown;
}

}  // namespace tlmetry::telemetry
