// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <string>
#include <vector>

namespace tlmetry::explore {

/// A value for people, of six digits.
std::string value_text(const Value& value);

/// A table of all points that have a result, for people; `outputs` are those of the plan.
std::string points_text(const Plan& plan, const std::vector<Output>& outputs, Store& store);

}  // namespace tlmetry::explore
