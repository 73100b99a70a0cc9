// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view trace_decode_summary = "print or analyse the TLPs of a trace";

/// `tlmetry trace decode FILE|-` (docs/trace.md); see Command::run.
int trace_decode(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
