// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/text.hpp"

#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/report/table.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>

namespace tlmetry::explore {

namespace {

struct Prefix {
    double factor;
    const char* text;
};
constexpr Prefix decimal[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
constexpr Prefix of_times[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};
constexpr Prefix of_sizes[] = {{0x1p30, "Gi"}, {0x1p20, "Mi"}, {0x1p10, "Ki"}, {1, ""}};

/// The greatest prefix that `size` reaches `enough` times, or the last one.
template <std::size_t count>
Prefix reached(const Prefix (&prefixes)[count], double size, double enough = 1) {
    for (const Prefix& prefix : prefixes)
        if (size >= prefix.factor * (prefix.factor > 1 ? enough : 1)) return prefix;
    return prefixes[count - 1];
}

Prefix prefix_of(double size, const std::string& unit) {
    constexpr Prefix none = {1, ""};
    if (size == 0) return none;
    if (unit == "s") return reached(of_times, size);
    if (unit == "B") return reached(of_sizes, size, 16);  // 4096 B rather than 4 KiB
    return unit == "B/s" || unit == "b/s" || unit == "/s" || unit == "Hz" ? reached(decimal, size) : none;
}

}  // namespace

std::string value_text(const Value& value, const std::string& unit) {
    if (const auto* number = std::get_if<double>(&value)) {
        const Prefix prefix = prefix_of(std::abs(*number), unit);
        char text[40];
        std::snprintf(text, sizeof text, "%.6g", *number / prefix.factor);
        return text + (unit.empty() ? "" : std::string(" ") + prefix.text + unit);
    }
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? "-" : *text;
}

std::string counted(std::uint64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
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
        columns.push_back({output.name});
    std::vector<report::Row> rows;
    bool failed = false;
    store.each([&](std::uint64_t index, const Result& result) {
        const Point point = plan.point(index);
        report::Row& row = rows.emplace_back(report::Row{std::to_string(index)});
        if (bases) row.push_back(plan.bases()[point.base].name);
        for (const auto& [name, text] : point.values)
            row.push_back(text);
        if (repetitions) row.push_back(std::to_string(point.repetition));
        const std::vector<Value> values = values_of(plan, result);
        for (std::size_t o = 0; o < values.size(); ++o)
            row.push_back(value_text(values[o], outputs[o].unit));
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
