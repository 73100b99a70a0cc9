// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view run_summary =
    "simulate a platform, run the telemetry tool, print its report";

/// `tlmetry run CONFIG...` (docs/running.md); see Command::run. One simulation in a process: SystemC allows
/// no second one.
int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
