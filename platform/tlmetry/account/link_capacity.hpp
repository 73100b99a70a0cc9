// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/card/config.hpp>

namespace tlmetry::account {

/// What one direction of a link could have carried, in bytes.
struct LinkCapacity {
    double raw = 0;     ///< on the lanes, as they are signalled
    double down_s = 0;  ///< seconds in which the link was down
    double data = 0;    ///< that are left after the encoding, and what takes a fixed share of the time (SKP)
};

/// Between two times, with the changes of the timeline: nothing while the link is down.
LinkCapacity link_capacity(const card::Config& config, time_fs from, time_fs to);

}  // namespace tlmetry::account
