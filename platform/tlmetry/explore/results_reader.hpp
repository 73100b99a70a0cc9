// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::explore {

/// What results.json of an exploration says of all its points.
struct ResultsHead {
    std::string file;
    std::vector<std::string> bases;
    std::vector<std::string> parameters;  ///< of the axes
    std::vector<Output> outputs;
    std::vector<std::pair<std::string, std::string>> settings;  ///< parameters of all points, and values
};

/// One of its points.
struct ResultsPoint {
    std::uint64_t index = 0;
    std::uint64_t base = 0;
    std::vector<std::string> values;  ///< texts of the parameters
    std::vector<Value> outputs;
    std::string error;  ///< empty if it has none
};

/// Reads the results in a folder, or in a file as results.json, point by point. Throws UserError when they
/// cannot be read or are something else.
ResultsHead read_results(const std::string& path, const std::function<void(const ResultsHead&)>& begin,
                         const std::function<void(const ResultsPoint&)>& visit);

}  // namespace tlmetry::explore
