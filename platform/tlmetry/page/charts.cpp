// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/page/charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlmetry::page {

namespace {

// To be told apart on light and dark ground.
constexpr const char* palette[] = {"#3b7dd8", "#e0862a", "#2fa36b", "#c9485b",
                                   "#8a63d2", "#1fa5b5", "#b39a1f", "#8c8c8c"};

/// With the digits that a reader of a chart needs.
Json shown(double value, double steps = 1000) {
    if (!std::isfinite(value)) return nullptr;
    return std::round(value * steps) / steps;
}

Json values_of(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values)
        array.push_back(shown(value));
    return array;
}

Json value_axis(const std::string& name, bool right, bool logarithmic) {
    Json axis = {{"type", logarithmic ? "log" : "value"},
                 {"name", name},
                 {"nameTextStyle", {{"align", right ? "right" : "left"}}},
                 {"splitLine", {{"show", !right}}}};
    if (!logarithmic) axis["min"] = 0;
    return axis;
}

Json place_axis(const std::string& name, const std::vector<std::string>& places) {
    return {{"type", "category"}, {"name", name}, {"data", places}, {"nameLocation", "middle"}};
}

Json chart(const Axes& axes, const std::vector<Series>& series, const char* type) {
    Json option = {{"legend", Json::object()},
                   {"tooltip", {{"trigger", "axis"}}},
                   {"xAxis", place_axis(axes.x, axes.places)},
                   {"yAxis", Json::array({value_axis(axes.y, false, axes.logarithmic)})},
                   {"series", Json::array()}};
    if (type == std::string("bar")) {
        option["xAxis"]["axisLabel"] = {{"interval", 0}, {"fontSize", 11}, {"lineHeight", 14}};
        option["xAxis"]["nameGap"] = 42;
    }
    if (!axes.right.empty()) option["yAxis"].push_back(value_axis(axes.right, true, false));
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Series& s = series[i];
        const std::size_t colour = s.bound_of < 0 ? i : static_cast<std::size_t>(s.bound_of);
        Json one = {{"type", type},
                    {"name", s.name},
                    {"data", values_of(s.values)},
                    {"color", palette[colour % std::size(palette)]}};
        if (s.bound_of >= 0) {
            one["lineStyle"] = {{"type", "dashed"}, {"width", 1.5}};
            one["symbol"] = "none";
        }
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
            data.push_back({column, row, shown(value, 100)});
            if (!std::isfinite(value)) continue;
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    if (!std::isfinite(most)) least = most = 0;
    // What hardly differs looks so.
    constexpr double notable = 0.9;
    least = std::min(least, notable * most);
    Json y_axis = place_axis(y, y_places);
    y_axis["nameLocation"] = "end";
    y_axis["nameTextStyle"] = {{"align", "left"}};
    return {{"tooltip", Json::object()},
            {"grid", {{"bottom", 84}}},
            {"xAxis", place_axis(x, x_places)},
            {"yAxis", y_axis},
            {"visualMap",
             {{"min", shown(least)},
              {"max", shown(most)},
              {"calculable", true},
              {"orient", "horizontal"},
              {"left", "center"},
              {"bottom", 0},
              {"precision", 2}}},
            {"series", Json::array({{{"type", "heatmap"},
                                     {"name", what},
                                     {"data", data},
                                     {"label", {{"show", true}, {"fontSize", 11}}}}})}};
}

}  // namespace tlmetry::page
