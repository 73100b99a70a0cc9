// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view trace_record_summary = "simulate a card and trace the TLPs on its links";

/// `tlmetry trace record CONFIG` (docs/trace.md); see Command::run.
int trace_record(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
