// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view trace_summary = "traces of the TLPs on links, and tuning of root ports";

/// `tlmetry trace COMMAND` (docs/trace.md); see Command::run.
int trace(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
