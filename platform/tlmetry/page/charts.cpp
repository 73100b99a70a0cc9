// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/page/charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlmetry::page {

namespace {

constexpr double most_shown = 10'000;

/// With the digits that a reader of a chart needs.
Json shown(double value) {
    if (!std::isfinite(value)) return nullptr;
    return std::round(value * most_shown) / most_shown;
}

Json values_of(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values)
        array.push_back(shown(value));
    return array;
}

Json value_axis(const std::string& name, bool right) {
    return {{"type", "value"},
            {"name", name},
            {"min", 0},
            {"nameTextStyle", {{"align", right ? "right" : "left"}}},
            {"splitLine", {{"show", !right}}}};
}

Json place_axis(const std::string& name, const std::vector<std::string>& places) {
    return {{"type", "category"}, {"name", name}, {"data", places}, {"nameLocation", "middle"}};
}

Json chart(const Axes& axes, const std::vector<Series>& series, const char* type) {
    Json option = {{"legend", Json::object()},
                   {"tooltip", {{"trigger", "axis"}}},
                   {"xAxis", place_axis(axes.x, axes.places)},
                   {"yAxis", Json::array({value_axis(axes.y, false)})},
                   {"series", Json::array()}};
    if (!axes.right.empty()) option["yAxis"].push_back(value_axis(axes.right, true));
    for (const Series& s : series) {
        Json one = {{"type", type}, {"name", s.name}, {"data", values_of(s.values)}};
        if (s.dashed) one["lineStyle"] = {{"type", "dashed"}};
        if (s.dashed) one["symbol"] = "none";
        if (s.right_axis) one["yAxisIndex"] = 1;
        if (!s.stack.empty()) one["stack"] = s.stack;
        option["series"].push_back(one);
    }
    return option;
}

}  // namespace

Json line_chart(const Axes& axes, const std::vector<Series>& series) {
    return chart(axes, series, "line");
}

Json bar_chart(const Axes& axes, const std::vector<Series>& series) {
    return chart(axes, series, "bar");
}

Json heat_map(const std::string& x, const std::vector<std::string>& x_places, const std::string& y,
              const std::vector<std::string>& y_places, const std::vector<std::vector<double>>& values,
              const std::string& what) {
    Json data = Json::array();
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t row = 0; row < values.size(); ++row) {
        for (std::size_t column = 0; column < values[row].size(); ++column) {
            const double value = values[row][column];
            data.push_back({column, row, shown(value)});
            if (!std::isfinite(value)) continue;
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    if (!(least < most)) least = most = std::isfinite(most) ? most : 0;
    Json y_axis = place_axis(y, y_places);
    y_axis["nameLocation"] = "end";
    y_axis["nameTextStyle"] = {{"align", "left"}};
    return {
        {"tooltip", Json::object()},
        {"grid", {{"bottom", 84}}},
        {"xAxis", place_axis(x, x_places)},
        {"yAxis", y_axis},
        {"visualMap",
         {{"min", shown(least)},
          {"max", shown(least < most ? most : most + 1)},
          {"calculable", true},
          {"orient", "horizontal"},
          {"left", "center"},
          {"bottom", 0},
          {"precision", 2}}},
        {"series",
         Json::array({{{"type", "heatmap"}, {"name", what}, {"data", data}, {"label", {{"show", true}}}}})}};
}

}  // namespace tlmetry::page
