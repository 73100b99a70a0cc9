// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view trace_tune_summary =
    "levels of the root ports: show, set, and tell what they do";

/// `tlmetry trace tune CONFIG` (docs/trace.md); see Command::run.
int trace_tune(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
