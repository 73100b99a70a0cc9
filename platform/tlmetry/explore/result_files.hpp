// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <ostream>
#include <vector>

namespace tlmetry::explore {

/// A row for each point that has a result, in their order: point, base, the values of the axes as numbers in
/// s, B, Hz, /s or none where they are some, repetition, outputs, error.
void write_csv(std::ostream& out, const Plan& plan, Store& store);

/// docs/json.md, Exploration. `outputs` are those of the plan.
void write_json(std::ostream& out, const Plan& plan, const std::vector<Output>& outputs, Store& store);

}  // namespace tlmetry::explore
