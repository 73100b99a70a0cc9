// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>

#include <string>

namespace tlmetry::report {

/// The report for people (documentation of PCIE_TELEMETRY_MI, Reading the report), ended by one newline.
std::string format_text(const driver::Measurement& measurement);

/// The raw values as JSON (docs/json.md, Report), ended by one newline.
std::string format_json(const driver::Measurement& measurement);

}  // namespace tlmetry::report
