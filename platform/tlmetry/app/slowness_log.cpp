// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/slowness_log.hpp"

#include <cstdio>
#include <ostream>

namespace tlmetry::app {

void SlownessLog::look(const device::SharedCard::Status& status) {
    constexpr double worth_saying = 1.5;  // times what was said last, or that part of it
    constexpr int looks_to_believe = 3;   // that it is no passing thing
    const bool slow = status.lost_s > m_lost_s;
    m_lost_s = status.lost_s;
    const double reached = status.reached();
    const bool said_slow = m_said_reached < 1;
    const bool changed =
        slow != said_slow ||
        (slow && (reached > worth_saying * m_said_reached || worth_saying * reached < m_said_reached));
    m_changed_looks = changed ? m_changed_looks + 1 : 0;
    if (!changed || (said_slow && m_changed_looks < looks_to_believe)) return;
    m_changed_looks = 0;
    if (!slow) {
        m_log << "the simulation keeps pace again\n" << std::flush;
        m_said_reached = 1;
    } else if (reached < 1) {
        char text[200];
        std::snprintf(text, sizeof text,
                      "warning: the simulation reaches %.3f of the pace: rates that software works out with "
                      "host time are too low by this factor\n",
                      reached);
        m_log << text << std::flush;
        m_said_reached = reached;
    }
}

}  // namespace tlmetry::app
