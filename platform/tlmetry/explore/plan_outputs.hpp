// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>

#include <vector>

namespace tlmetry::explore {

/// Everything that can be asked of points of a plan, by some of them; of a card with all defaults where none
/// of these can be simulated.
std::vector<Output> known_outputs(const Plan& plan);

/// The outputs that the plan asks for, in its order. Throws UserError for a name that none of some points
/// knows.
std::vector<Output> outputs_of(const Plan& plan);

}  // namespace tlmetry::explore
