// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "telemetry/outcome.hpp"

namespace tlmetry::testing {

/// The pin adapter with signals and sc_clocks. Elaborates: once in a process.
Outcome pins_outcome(std::uint64_t seed, Drive drive);

/// The vectors of the configuration fit into the integers of the pin adapter.
bool fits_pin_adapter(const telemetry::Config& config);

}  // namespace tlmetry::testing
