// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/slowness_log.hpp"

#include <cmath>
#include <cstdio>
#include <ostream>

namespace tlmetry::app {

void SlownessLog::look(const device::SharedCard::Status& status) {
    constexpr double worth_saying = 0.1;  // change of what was said last
    const bool slow = status.lost_s > m_lost_s;
    m_lost_s = status.lost_s;
    const double reached = status.reached();
    if (slow && std::abs(reached - m_said_reached) > worth_saying * m_said_reached) {
        char text[200];
        std::snprintf(text, sizeof text,
                      "warning: the simulation reaches %.3f of the pace: rates that software works out with "
                      "host time are too low by this factor\n",
                      reached);
        m_log << text << std::flush;
        m_said_reached = reached;
    } else if (!slow && m_said_reached < 1) {
        m_log << "the simulation keeps pace again\n" << std::flush;
        m_said_reached = 1;
    }
}

}  // namespace tlmetry::app
