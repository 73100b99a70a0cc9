// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/text.hpp"

#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/report/table.hpp>

#include <cstdio>

namespace tlmetry::explore {

std::string value_text(const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) {
        char text[40];
        std::snprintf(text, sizeof text, "%.6g", *number);
        return text;
    }
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? "-" : *text;
}

std::string points_text(const Plan& plan, const std::vector<Output>& outputs, Store& store) {
    std::vector<report::Column> columns = {{"point"}};
    const bool bases = plan.bases().size() > 1;
    const bool repetitions = plan.repetitions() > 1;
    if (bases) columns.push_back({"base", false});
    for (const Axis& axis : plan.axes()) {
        for (const std::string& name : axis.names())
            columns.push_back({name});
    }
    if (repetitions) columns.push_back({"repetition"});
    for (const Output& output : outputs)
        columns.push_back({output.name + (output.unit.empty() ? "" : " " + output.unit)});
    std::vector<report::Row> rows;
    bool failed = false;
    store.each([&](std::uint64_t index, const Result& result) {
        const Point point = plan.point(index);
        report::Row& row = rows.emplace_back(report::Row{std::to_string(index)});
        if (bases) row.push_back(plan.bases()[point.base].name);
        for (const auto& [name, text] : point.values)
            row.push_back(text);
        if (repetitions) row.push_back(std::to_string(point.repetition));
        for (const Value& value : values_of(plan, result))
            row.push_back(value_text(value));
        row.push_back(result.error);
        failed = failed || !result.error.empty();
    });
    if (failed) {
        columns.push_back({"error", false});
    } else {
        for (report::Row& row : rows)
            row.pop_back();
    }
    return report::aligned_table(columns, rows);
}

}  // namespace tlmetry::explore
