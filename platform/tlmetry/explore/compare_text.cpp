// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/compare.hpp"

#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/text.hpp>
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tlmetry::explore {

namespace {

using Json = nlohmann::ordered_json;

Value value_or_nothing(const std::optional<double>& number) {
    return number ? Value(*number) : Value();
}

std::string percent(double part) {
    return (part > 0 ? "+" : "") + report::fixed(100 * part, std::abs(part) < 0.001 ? 4 : 2) + " %";
}

/// What became of places that are not in both, each with how it is called.
struct Rest {
    const char* kind;
    const char* text;
    const std::vector<Comparison::Place>& places;
};
std::vector<Rest> rest_of(const Comparison& c) {
    return {{"only_in_a", "only in A", c.only[0]},
            {"only_in_b", "only in B", c.only[1]},
            {"failed_in_a", "failed in A only", c.failed[0]},
            {"failed_in_b", "failed in B only", c.failed[1]}};
}

/// How far the numbers of one output moved.
std::string output_line(const Comparison& c, std::size_t output) {
    std::uint64_t moved = 0;
    double least = 0, most = 0;
    for (const Change& change : c.changes) {
        if (change.output != output) continue;
        const double relative = change.relative.value_or(0);
        least = moved == 0 ? relative : std::min(least, relative);
        most = moved == 0 ? relative : std::max(most, relative);
        ++moved;
    }
    std::string line = "  " + c.outputs[output].name + ": ";
    if (moved == 0) return line + "none moved\n";
    line += std::to_string(moved) + " of " + std::to_string(c.compared) + " moved";
    if (least != 0 || most != 0)
        line += ", by " + percent(least) + (least == most ? "" : " to " + percent(most));
    return line + "\n";
}

}  // namespace

std::string comparison_csv(const Comparison& c) {
    std::string text;
    const auto line = [&](const std::vector<Value>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += (i == 0 ? "" : ",") + page::cell_csv(cells[i]);
        text += '\n';
    };
    const auto row = [&](const char* kind, const std::vector<std::string>& values) {
        std::vector<Value> cells = {std::string(kind)};
        for (const std::string& value : values)
            cells.push_back(value_of(value));
        return cells;
    };
    std::vector<Value> cells = row("what", c.names);
    for (const char* name : {"output", "a", "b", "difference", "relative", "interval", "error"})
        cells.emplace_back(std::string(name));
    line(cells);
    for (const Change& change : c.changes) {
        cells = row("moved", change.values);
        cells.insert(cells.end(), {c.outputs[change.output].name, change.a, change.b,
                                   value_or_nothing(change.difference), value_or_nothing(change.relative),
                                   change.interval == 0 ? Value() : Value(change.interval), Value()});
        line(cells);
    }
    for (const Rest& rest : rest_of(c)) {
        for (const Comparison::Place& place : rest.places) {
            cells = row(rest.kind, place.values);
            cells.resize(cells.size() + 6);
            cells.push_back(place.error.empty() ? Value() : Value(place.error));
            line(cells);
        }
    }
    return text;
}

std::string comparison_json(const Comparison& c, double tolerance) {
    Json outputs = Json::array(), changes = Json::array(), common = Json::array();
    const auto text_json = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(); };
    for (const Comparison::Common& one : c.common)
        common.push_back({{"name", one.name}, {"a", text_json(one.a)}, {"b", text_json(one.b)}});
    for (const Output& output : c.outputs)
        outputs.push_back({{"name", output.name}, {"unit", output.unit}});
    for (const Change& change : c.changes) {
        changes.push_back({{"output", c.outputs[change.output].name},
                           {"values", change.values},
                           {"a", page::cell_json(change.a)},
                           {"b", page::cell_json(change.b)},
                           {"difference", page::cell_json(value_or_nothing(change.difference))},
                           {"relative", page::cell_json(value_or_nothing(change.relative))},
                           {"interval", change.interval == 0 ? Json() : page::cell_json(change.interval)}});
    }
    Json document = {{"schema", "tlmetry.explore.compare/1"},
                     {"a", c.a},
                     {"b", c.b},
                     {"tolerance", tolerance},
                     {"differs_for_all", common},
                     {"parameters", c.names},
                     {"outputs", outputs},
                     {"outputs_only_in_a", c.only_outputs[0]},
                     {"outputs_only_in_b", c.only_outputs[1]},
                     {"points_compared", c.compared},
                     {"points_moved", c.moved},
                     {"within_interval", c.uncertain},
                     {"equal", c.equal()},
                     {"changes", changes}};
    for (const Rest& rest : rest_of(c)) {
        Json places = Json::array();
        for (const Comparison::Place& place : rest.places)
            places.push_back(
                {{"values", place.values}, {"error", place.error.empty() ? Json() : Json(place.error)}});
        document[rest.kind] = places;
    }
    return document.dump(4, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_text(const Comparison& c, double tolerance, std::size_t most_rows) {
    std::string text = "A: " + c.a + "\nB: " + c.b + "\n";
    for (const Comparison::Common& common : c.common)
        text += "differs for all points: " + common.name + " " + common.a.value_or("not set") + " -> " +
                common.b.value_or("not set") + "\n";
    for (std::size_t side = 0; side < 2; ++side)
        for (const std::string& name : c.only_outputs[side])
            text += std::string("output only in ") + (side == 0 ? "A: " : "B: ") + name + "\n";
    text += "\n";
    const bool intervals = std::any_of(c.changes.begin(), c.changes.end(),
                                       [](const Change& change) { return change.interval != 0; });
    std::vector<report::Column> columns = {{"output", false}};
    for (const std::string& name : c.names)
        columns.push_back({name, name != "base"});
    for (const char* name : {"A", "B", "difference", "relative"})
        columns.push_back({name});
    if (intervals) columns.push_back({"interval"});
    std::vector<report::Row> rows;
    for (const Change& change : c.changes) {
        if (rows.size() == most_rows) break;
        const Output& output = c.outputs[change.output];
        report::Row& row = rows.emplace_back(report::Row{output.name});
        row.insert(row.end(), change.values.begin(), change.values.end());
        row.push_back(value_text(change.a, output.unit));
        row.push_back(value_text(change.b, output.unit));
        row.push_back(value_text(value_or_nothing(change.difference), output.unit));
        row.push_back(change.relative ? percent(*change.relative) : "-");
        if (intervals) row.push_back(change.interval == 0 ? "-" : value_text(change.interval, output.unit));
    }
    if (!rows.empty()) text += report::aligned_table(columns, rows);
    if (c.changes.size() > rows.size())
        text += "  and " + std::to_string(c.changes.size() - rows.size()) + " more, with --csv FILE\n";
    for (const Rest& rest : rest_of(c)) {
        std::size_t shown = 0;
        for (const Comparison::Place& place : rest.places) {
            if (shown++ == most_rows) {
                text +=
                    "  and " + std::to_string(rest.places.size() - most_rows) + " more, with --csv FILE\n";
                break;
            }
            text += std::string("  ") + rest.text + ":";
            for (std::size_t n = 0; n < c.names.size(); ++n)
                text += " " + c.names[n] + "=" + place.values[n];
            text += (place.error.empty() ? "" : ": " + place.error) + "\n";
        }
    }
    if (!rows.empty()) text += "\n";
    for (std::size_t o = 0; o < c.outputs.size() && !c.changes.empty(); ++o)
        text += output_line(c, o);
    std::string beyond = tolerance == 0 ? "" : " by more than " + report::shortest(100 * tolerance) + " %";
    text += c.equal()
                ? "equal" +
                      std::string(tolerance == 0 ? "" : " within " + report::shortest(100 * tolerance) + " %")
                : "different" + beyond;
    text += ": " + std::to_string(c.moved) + " of " + counted(c.compared, "point") + " moved";
    for (const Rest& rest : rest_of(c))
        if (!rest.places.empty()) text += ", " + std::to_string(rest.places.size()) + " " + rest.text;
    if (c.uncertain != 0) text += "; " + counted(c.uncertain, "value") + " differ within their intervals";
    return text + "\n";
}

}  // namespace tlmetry::explore
