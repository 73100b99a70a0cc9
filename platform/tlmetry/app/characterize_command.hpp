// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

inline constexpr std::string_view characterize_summary = "measure rates, latencies and limits of a card";

/// `tlmetry characterize CONFIG...` (docs/characterize.md); see Command::run.
int characterize(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
