// SPDX-License-Identifier: BSD-3-Clause
#include "study.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace tlmetry::test {

namespace {

using Json = nlohmann::json;

std::vector<std::vector<std::string>> csv_rows(const std::string& csv) {
    std::vector<std::vector<std::string>> result;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        result.emplace_back(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"')
                quoted = !quoted;
            else if (c == ',' && !quoted)
                result.back().emplace_back();
            else
                result.back().back() += c;
        }
    }
    return result;
}

std::size_t place(std::vector<std::string>& names, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) names.push_back(name);
    return static_cast<std::size_t>(at - names.begin());
}

}  // namespace

double Point::operator[](const std::string& name) const {
    const auto at = numbers.find(name);
    INFO(name);
    REQUIRE(at != numbers.end());
    return at->second;
}

const std::string& Point::text(const std::string& name) const {
    const auto at = texts.find(name);
    INFO(name);
    REQUIRE(at != texts.end());
    return at->second;
}

Study::Study(std::string name) : m_name(std::move(name)) {
    explore("");
    const Json json = Json::parse(read_file(m_folder.path(m_name + ".results/results.json")));
    std::vector<std::string> axes, outputs;
    for (const Json& axis : json["axes"])
        for (const Json& parameter : axis["parameters"])
            axes.push_back(parameter["name"]);
    for (const Json& output : json["outputs"])
        outputs.push_back(output["name"]);
    for (const Json& entry : json["points"]) {
        REQUIRE(entry["error"].is_null());
        Point& point = m_points.emplace_back();
        for (std::size_t a = 0; a < axes.size(); ++a) {
            point.texts[axes[a]] = entry["values"].at(a);
            if (entry["numbers"].at(a).is_number()) point.numbers[axes[a]] = entry["numbers"].at(a);
        }
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const Json& value = entry["outputs"].at(o);
            if (value.is_number())
                point.numbers[outputs[o]] = value;
            else if (value.is_string())
                point.texts[outputs[o]] = value;
        }
    }
}

std::string Study::explore(const std::string& words) const {
    const Result result = shell("cd " + m_folder.path("") + " && " + TLMETRY_PROGRAM + " explore " +
                                TLMETRY_CONFIGS + "/studies/" + m_name + ".ini " + words);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return result.out;
}

std::vector<Point> Study::find(const std::string& words) const {
    explore(words);
    const auto rows = csv_rows(read_file(m_folder.path(m_name + ".results/find.csv")));
    std::vector<Point> result;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        Point& point = result.emplace_back();
        for (std::size_t c = 0; c < rows[0].size(); ++c) {
            point.texts[rows[0][c]] = rows[r].at(c);
            char* end = nullptr;
            const double number = std::strtod(rows[r][c].c_str(), &end);
            if (end != rows[r][c].c_str()) point.numbers[rows[0][c]] = number;
        }
    }
    return result;
}

void Study::expect_on_page(const std::string& text) const {
    CHECK_THAT(read_file(TLMETRY_DOCS "/studies/" + m_name + ".md"), Catch::Contains(text));
}

Limit least(const std::vector<Limit>& limits) {
    return *std::min_element(limits.begin(), limits.end(),
                             [](const Limit& a, const Limit& b) { return a.value < b.value; });
}

void Comparison::add(const std::string& row, const std::string& column, double simulated,
                     const Limit& formula, double percent) {
    CAPTURE(row, column, formula.name);
    CHECK(simulated == Approx(formula.value).epsilon(percent / 100));
    place(m_rows, row);
    place(m_columns, column);
    m_cells[{row, column}] = fixed(simulated / 1e9, 2) + " " + formula.name;
    auto at = std::find_if(m_deviations.begin(), m_deviations.end(),
                           [&](const auto& entry) { return entry.first == formula.name; });
    if (at == m_deviations.end()) at = m_deviations.insert(at, {formula.name, {}});
    ++at->second.points;
    const double deviation = simulated / formula.value - 1;
    if (std::abs(deviation) > std::abs(at->second.largest)) at->second.largest = deviation;
}

std::string Comparison::rates(const std::string& corner) const {
    std::vector<std::string> names{corner};
    names.insert(names.end(), m_columns.begin(), m_columns.end());
    std::string table = header(names);
    for (const std::string& name : m_rows) {
        std::vector<std::string> cells{name};
        for (const std::string& column : m_columns)
            cells.push_back(m_cells.at({name, column}));
        table += row(cells);
    }
    return table;
}

std::string Comparison::deviations() const {
    std::string table = header({"binds", "points", "simulated above the closed form, at most %"});
    for (const auto& [name, deviation] : m_deviations)
        table += row({name, std::to_string(deviation.points), percent_above(1 + deviation.largest, 1)});
    return table;
}

std::string row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells)
        line += " " + cell + " |";
    return line + "\n";
}

std::string header(const std::vector<std::string>& names) {
    std::string line = "|";
    for (std::size_t n = 0; n < names.size(); ++n)
        line += "---|";
    return row(names) + line + "\n";
}

std::string fixed(double value, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string percent_above(double simulated, double formula) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%+.2f", 100 * (simulated / formula - 1));
    const std::string result = text.data();
    return result == "-0.00" || result == "+0.00" ? "0.00" : result;
}

std::string bytes_text(double bytes) {
    return bytes >= 1024 ? fixed(bytes / 1024, 0) + " KiB" : fixed(bytes, 0) + " B";
}

}  // namespace tlmetry::test
