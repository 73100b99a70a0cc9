// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

/// Files of the page of results.
namespace tlmetry::explore {

std::string_view results_body();
std::string_view results_style();
/// All scripts, one behind the other.
std::string results_script();

}  // namespace tlmetry::explore
