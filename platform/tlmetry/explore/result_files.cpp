// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/result_files.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/explore/scale.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tlmetry::explore {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What the values of a parameter count in; empty if some are no numbers, or there is nothing.
std::string unit_of(const Axis& axis, std::size_t name) {
    const auto first = number_of(axis.sample(0)[name]);
    return first ? first->unit : "";
}

}  // namespace

Value value_of(const std::string& text) {
    if (const auto number = number_of(text)) return number->value;
    return text;
}

std::vector<Value> values_of(const Plan& plan, const Result& result) {
    std::vector<Value> values(plan.outputs().size());
    if (!result.error.empty()) return values;
    const Json json = Json::parse(result.values, nullptr, false);
    if (!json.is_array() || json.size() != values.size()) {
        throw UserError(
            "results: expected " + std::to_string(values.size()) + " values of a point, found " +
            config::found(result.values) +
            " in results.sqlite, which is damaged; without that file all points are simulated again");
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = page::cell_of(json[i]);
    return values;
}

std::vector<std::string> parameters_of(const Plan& plan) {
    std::vector<std::string> names;
    for (const Axis& axis : plan.axes())
        names.insert(names.end(), axis.names().begin(), axis.names().end());
    return names;
}

std::vector<std::pair<std::string, std::string>> settings_of(const Plan& plan, const Base* base) {
    std::vector<std::pair<std::string, std::string>> settings;
    const auto set = [&](const std::vector<config::Assignment>& lines) {
        for (const config::Assignment& line : lines) {
            const auto same = std::find_if(settings.begin(), settings.end(),
                                           [&](const auto& other) { return other.first == line.name; });
            const bool adds = line.name.find(' ') != line.name.npos;
            if (same == settings.end()) {
                settings.emplace_back(line.name, line.text);
            } else {
                same->second = adds ? same->second + ", " + line.text : line.text;
            }
        }
    };
    if (base != nullptr) set(base->parameters);
    set(plan.parameters());
    return settings;
}

void write_csv(std::ostream& out, const Plan& plan, Store& store) {
    const auto line = [&](const std::vector<Value>& cells) {
        for (std::size_t c = 0; c < cells.size(); ++c)
            out << (c == 0 ? "" : ",") << page::cell_csv(cells[c]);
        out << '\n';
    };
    std::vector<Value> cells = {"point", "base"};
    for (const std::string& name : parameters_of(plan))
        cells.emplace_back(name);
    cells.emplace_back("repetition");
    for (const std::string& name : plan.outputs())
        cells.emplace_back(name);
    cells.emplace_back("error");
    line(cells);
    store.each([&](std::uint64_t index, const Result& result) {
        const Point point = plan.point(index);
        cells = {static_cast<double>(index), plan.bases()[point.base].name};
        for (const auto& [name, text] : point.values)
            cells.push_back(value_of(text));
        cells.emplace_back(static_cast<double>(point.repetition));
        for (Value& value : values_of(plan, result))
            cells.push_back(std::move(value));
        cells.push_back(result.error.empty() ? Value() : Value(result.error));
        line(cells);
    });
}

void write_json(std::ostream& out, const Plan& plan, const std::vector<Output>& outputs, Store& store) {
    Json parameters = Json::array();
    for (const Axis& axis : plan.axes()) {
        Json names = Json::array();
        for (std::size_t n = 0; n < axis.names().size(); ++n)
            names.push_back({{"name", axis.names()[n]}, {"unit", unit_of(axis, n)}});
        parameters.push_back(
            {{"parameters", names}, {"values", axis.unbounded() ? Json() : Json(axis.size())}});
    }
    Json settings = Json::array();
    const std::vector<std::string> moved = parameters_of(plan);
    for (const auto& [name, text] : settings_of(plan, plan.bases().size() == 1 ? &plan.bases()[0] : nullptr))
        if (std::find(moved.begin(), moved.end(), name) == moved.end())
            settings.push_back({{"name", name}, {"value", text}});
    Json bases = Json::array();
    for (const Base& base : plan.bases())
        bases.push_back(base.name);
    Json columns = Json::array();
    for (const Output& output : outputs)
        columns.push_back(
            {{"name", output.name}, {"unit", output.unit}, {"description", output.description}});
    const Store::Count count = store.count();
    const auto member = [&](const char* name, const Json& value) {
        out << "    \"" << name << "\": " << dump(value) << ",\n";
    };
    out << "{\n";
    member("schema", "tlmetry.explore/1");
    member("version", TLMETRY_VERSION);
    member("plan", std::filesystem::path(plan.file()).filename().string());
    member("bases", bases);
    member("parameters", settings);
    member("axes", parameters);
    member("repetitions", plan.repetitions());
    member("outputs", columns);
    member("points_planned", plan.points());
    member("points_failed", count.failed);
    out << "    \"points\": [";
    bool first = true;
    store.each([&](std::uint64_t index, const Result& result) {
        const Point point = plan.point(index);
        Json texts = Json::array();
        Json numbers = Json::array();
        for (const auto& [name, text] : point.values) {
            texts.push_back(text);
            numbers.push_back(page::cell_json(value_of(text)));
        }
        Json values = Json::array();
        for (const Value& value : values_of(plan, result))
            values.push_back(page::cell_json(value));
        const Json row = {{"point", index},
                          {"base", point.base},
                          {"values", texts},
                          {"numbers", numbers},
                          {"repetition", point.repetition},
                          {"outputs", values},
                          {"error", result.error.empty() ? Json() : Json(result.error)}};
        out << (first ? "\n        " : ",\n        ") << dump(row);
        first = false;
    });
    out << "\n    ]\n}\n";
}

}  // namespace tlmetry::explore
