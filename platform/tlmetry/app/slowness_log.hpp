// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/shared_card.hpp>

#include <iosfwd>

namespace tlmetry::app {

/// Says in a log when the simulation cannot keep its pace, how far it comes, and when it can again.
class SlownessLog {
public:
    explicit SlownessLog(std::ostream& log) : m_log(log) {}

    /// To be called about once a second.
    void look(const device::SharedCard::Status& status);

private:
    std::ostream& m_log;
    double m_lost_s = 0;
    double m_said_reached = 1;  // 1: nothing, or that it keeps pace again
};

}  // namespace tlmetry::app
