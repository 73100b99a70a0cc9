// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/explore/outputs.hpp>

namespace tlmetry::explore {

/// Tells every field of the report of the telemetry tool, `report.*`.
void tell_report(const driver::Measurement& measurement, const Sink& sink);

}  // namespace tlmetry::explore
