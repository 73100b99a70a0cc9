// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/replay/player.hpp>

namespace tlmetry::app {

/// A recording that has been played, as the driver would have read it out: from its first to its last time
/// stamp, or what came after it cleared the counters.
struct WholeRecording {
    driver::RegisterValues configuration;
    driver::Recording snapshots;
    driver::Measurement measurement;
};

WholeRecording read_out(replay::Player& player);

}  // namespace tlmetry::app
