// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/goal.hpp"

#include <tlmetry/explore/result_files.hpp>
#include <tlmetry/explore/text.hpp>
#include <tlmetry/report/table.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace tlmetry::explore {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::vector<std::string> GoalSearch::columns() const {
    std::vector<std::string> names = {"base"};
    for (std::size_t a = 0; a < m_plan.axes().size(); ++a) {
        if (a == m_axis) continue;
        names.insert(names.end(), m_plan.axes()[a].names().begin(), m_plan.axes()[a].names().end());
    }
    const std::string axis = m_plan.axes()[m_axis].title();
    for (const std::string& name : {axis, m_goal.output, "beside " + axis, "beside " + m_goal.output,
                                    std::string("looked_at"), std::string("note")})
        names.push_back(name);
    return names;
}

std::vector<Value> GoalSearch::row(const Search& search) const {
    const Point point = m_plan.point(search.first);
    std::vector<Value> row = {m_plan.bases()[point.base].name};
    std::size_t at = 0;
    for (std::size_t a = 0; a < m_plan.axes().size(); ++a) {
        for (std::size_t n = 0; n < m_plan.axes()[a].names().size(); ++n, ++at) {
            if (a != m_axis) row.emplace_back(point.values[at].second);
        }
    }
    const auto output = [&](std::uint64_t value) {
        const auto looked_at = search.values.find(value);
        return looked_at == search.values.end() ? Value() : looked_at->second;
    };
    const bool beside = is_beside(search);
    row.push_back(search.found ? Value(axis_text(search.holds)) : Value());
    row.push_back(output(search.holds));
    row.push_back(beside ? Value(axis_text(search.fails)) : Value());
    row.push_back(beside ? output(search.fails) : Value());
    row.emplace_back(static_cast<double>(search.values.size()));
    row.emplace_back(search.ended ? search.note : "not ended");
    return row;
}

/// Of a row; `unit` is that of the output.
std::vector<std::string> GoalSearch::texts(const Search& search, const std::string& unit) const {
    const std::vector<std::string> names = columns();
    const std::vector<Value> values = row(search);
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < values.size(); ++c)
        texts.push_back(value_text(values[c], names[c] == "looked_at" ? "" : unit));
    return texts;
}

bool GoalSearch::is_beside(const Search& search) const {
    const auto looked_at = search.values.find(search.fails);
    const Value value = looked_at == search.values.end() ? Value() : looked_at->second;
    return search.found && search.ended && !m_goal.holds(value, search.reference);
}

std::string GoalSearch::csv() const {
    std::string text;
    const auto line = [&](const auto& cells) {
        for (std::size_t c = 0; c < cells.size(); ++c)
            text += (c == 0 ? "" : ",") + page::cell_csv(cells[c]);
        text += '\n';
    };
    line(columns());
    for (const Search& search : m_searches) {
        std::vector<Value> cells = row(search);
        for (std::size_t c = 1; c + 1 < cells.size(); ++c) {
            if (const auto* word = std::get_if<std::string>(&cells[c])) cells[c] = value_of(*word);
        }
        line(cells);
    }
    return text;
}

std::string GoalSearch::json() const {
    Json rows = Json::array();
    for (const Search& search : m_searches) {
        const Point point = m_plan.point(search.first);
        Json others = Json::object();
        std::size_t at = 0;
        for (std::size_t a = 0; a < m_plan.axes().size(); ++a) {
            for (const std::string& name : m_plan.axes()[a].names()) {
                if (a != m_axis) others[name] = point.values[at].second;
                ++at;
            }
        }
        const auto value = [&](std::uint64_t number) -> Json {
            const auto looked_at = search.values.find(number);
            if (looked_at == search.values.end()) return nullptr;
            return {{"value", axis_text(number)}, {"output", page::cell_json(looked_at->second)}};
        };
        Json looked_at = Json::array();
        for (const auto& entry : search.values)
            looked_at.push_back(value(entry.first));
        rows.push_back({{"base", m_plan.bases()[point.base].name},
                        {"values", others},
                        {"found", search.found ? value(search.holds) : Json()},
                        {"beside", is_beside(search) ? value(search.fails) : Json()},
                        {"looked_at", looked_at},
                        {"note", search.ended ? search.note : "not ended"}});
    }
    const Json document = {{"schema", "tlmetry.explore.find/1"},
                           {"version", TLMETRY_VERSION},
                           {"plan", std::filesystem::path(m_plan.file()).filename().string()},
                           {"axis", m_plan.axes()[m_axis].title()},
                           {"goal", m_goal.expression},
                           {"output", m_goal.output},
                           {"combinations", rows}};
    return document.dump(4, ' ', false, Json::error_handler_t::replace) + "\n";
}

page::Table GoalSearch::table(const std::vector<Output>& outputs) const {
    page::Table table;
    table.key = "found";
    table.title = "Where on " + m_plan.axes()[m_axis].title() + " " + m_goal.expression + " begins to hold";
    for (const std::string& name : columns())
        table.columns.push_back({name, name, ""});
    for (const Search& search : m_searches) {
        const std::vector<std::string> cells = texts(search, outputs[m_output].unit);
        table.rows.emplace_back(cells.begin(), cells.end());
    }
    return table;
}

std::string GoalSearch::text(const std::vector<Output>& outputs) const {
    std::vector<report::Column> titles;
    for (const std::string& name : columns())
        titles.push_back({name, name != "base" && name != "note"});
    std::vector<report::Row> rows;
    for (const Search& search : m_searches)
        rows.push_back(texts(search, outputs[m_output].unit));
    return report::aligned_table(titles, rows);
}

}  // namespace tlmetry::explore
