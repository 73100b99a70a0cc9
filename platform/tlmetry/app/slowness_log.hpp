// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/shared_card.hpp>

#include <iosfwd>

namespace tlmetry::app {

/// Says in a log when the simulation cannot keep its pace and how far it comes; again when that has changed
/// for some looks by more than it always does, and when it keeps pace again.
class SlownessLog {
public:
    explicit SlownessLog(std::ostream& log) : m_log(log) {}

    /// To be called about once a second.
    void look(const device::SharedCard::Status& status);

private:
    std::ostream& m_log;
    double m_lost_s = 0;
    double m_said_reached = 1;  // 1: nothing, or that it keeps pace again
    int m_changed_looks = 0;    // in a row that differed from it
};

}  // namespace tlmetry::app
