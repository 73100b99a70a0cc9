// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// Options of ECharts for the usual charts. Everything about their looks that all charts have in common is
/// set by the page.
namespace tlmetry::page {

using Json = nlohmann::ordered_json;

/// Values over the places of an axis; one that is not finite is a gap.
struct Series {
    std::string name;
    std::vector<double> values = {};
    int bound_of = -1;        ///< a dashed line in the colour of this series; -1: of its own
    bool right_axis = false;  ///< its values belong to the axis at the right
    std::string stack = {};   ///< bars with the same name stand on each other
};

/// What an axis shows, with its unit: `size, B`.
struct Axes {
    std::string x;
    std::vector<std::string> places;  ///< of x, in order
    std::string y;
    std::string right = {};    ///< the second axis of values; empty: none
    bool logarithmic = false;  ///< y
};

Json line_chart(const Axes& axes, const std::vector<Series>& series);
Json bar_chart(const Axes& axes, const std::vector<Series>& series);

/// A coloured field for each pair of places; `values[y][x]`, and what they are, with the unit.
Json heat_map(const std::string& x, const std::vector<std::string>& x_places, const std::string& y,
              const std::vector<std::string>& y_places, const std::vector<std::vector<double>>& values,
              const std::string& what);

}  // namespace tlmetry::page
