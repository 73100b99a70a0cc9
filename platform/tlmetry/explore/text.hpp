// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// A value for people, of six digits and with its unit: `12.8 GB/s`.
std::string value_text(const Value& value, const std::string& unit = "");
/// `1 point`, `2 points`.
std::string counted(std::uint64_t count, const std::string& what);

/// A table of all points that have a result, for people; `outputs` are those of the plan.
std::string points_text(const Plan& plan, const std::vector<Output>& outputs, Store& store);

}  // namespace tlmetry::explore
