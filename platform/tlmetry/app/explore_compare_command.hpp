// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tlmetry::app {

/// `tlmetry explore compare A B` (docs/explore.md); see Command::run.
int explore_compare(const std::vector<std::string>& words, std::ostream& out);

}  // namespace tlmetry::app
