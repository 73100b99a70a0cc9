// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view explain_summary = "say where the bandwidth of a report went";

/// `tlmetry explain REPORT.json` (docs/explain.md); see Command::run.
int explain(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
