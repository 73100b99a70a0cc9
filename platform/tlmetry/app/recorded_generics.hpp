// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/replay/pins.hpp>
#include <tlmetry/replay/recorded_mi.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <string>
#include <vector>

namespace tlmetry::app {

/// Completes the generics of a recorded component, parameters `telemetry.*` bound to `component`. Those that
/// nobody gave are read back from the recording's own reads of the configuration registers; the number of
/// endpoints is else that of the pins, and the EOF_POS widths follow from the regions. The rest keeps its
/// defaults.
///
/// Returns sentences that say which value came from where. Throws UserError for a recording that cannot be
/// read, or not twice although generics are missing.
std::vector<std::string> complete_generics(config::Registry& registry, telemetry::Config& component,
                                           const std::string& recording, const replay::PinSource& source,
                                           replay::Sample sample);

}  // namespace tlmetry::app
