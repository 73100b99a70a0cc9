// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::explore {

/// The value of a parameter, as a number of s, B, Hz, B/s, b/s, /s or nothing where it is one.
Value value_of(const std::string& text);
/// The outputs of a point, in the order of the plan; nothing of one that failed.
std::vector<Value> values_of(const Plan& plan, const Result& result);

/// Names of all parameters of the axes.
std::vector<std::string> parameters_of(const Plan& plan);

/// What decides a point of this base (without one, of each base) besides its axes: parameters and values.
/// Each comes once; what has arguments adds up, and so do its values.
std::vector<std::pair<std::string, std::string>> settings_of(const Plan& plan, const Base* base);

/// A row for each point that has a result, in their order: point, base, value_of() the
/// parameters of the axes, repetition, outputs, error.
void write_csv(std::ostream& out, const Plan& plan, Store& store);

/// docs/json.md, Exploration. `outputs` are those of the plan.
void write_json(std::ostream& out, const Plan& plan, const std::vector<Output>& outputs, Store& store);

}  // namespace tlmetry::explore
