// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/page/table.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/table.hpp>

#include <algorithm>
#include <cmath>

namespace tlmetry::page {

namespace {

using Json = nlohmann::ordered_json;
constexpr double most_exact = 9e15;

bool is_whole(double value) {
    return std::floor(value) == value && std::abs(value) < most_exact;
}

/// A column of a terminal, from its title on.
struct Lines {
    std::vector<std::string> cells;
    bool left = false;
    std::size_t width = 0;
};

Lines lines_of(const Table& table, std::size_t column) {
    const Column& c = table.columns[column];
    Lines lines;
    lines.cells = {c.title, c.unit};
    for (const auto& row : table.rows) {
        lines.left = lines.left || std::holds_alternative<std::string>(row[column]);
        lines.cells.push_back(cell_text(row[column], c.decimals));
    }
    for (const std::string& cell : lines.cells)
        lines.width = std::max(lines.width, cell.size());
    return lines;
}

}  // namespace

Cell number(double value) {
    if (!std::isfinite(value)) return std::monostate{};
    return value;
}

std::string cell_text(const Cell& cell, int decimals) {
    if (const auto* value = std::get_if<double>(&cell)) return report::fixed(*value, decimals);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return "-";
}

std::string cell_csv(const Cell& cell) {
    if (const auto* value = std::get_if<double>(&cell))
        return is_whole(*value) ? report::fixed(*value, 0) : report::shortest(*value);
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) return "";
    if (text->find_first_of(",\"\n") == std::string::npos) return *text;
    std::string quoted = "\"";
    for (const char c : *text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

Json cell_json(const Cell& cell) {
    if (const auto* value = std::get_if<double>(&cell))
        return is_whole(*value) ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return nullptr;
}

Cell cell_of(const Json& json) {
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    return {};
}

std::string table_text(const Table& table) {
    std::vector<Lines> columns;
    std::size_t width = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (!table.columns[c].on_terminal) continue;
        columns.push_back(lines_of(table, c));
        width += columns.back().width + (width == 0 ? 0 : 2);
    }
    constexpr std::size_t head = 2;
    std::string text = table.title + "\n";
    for (std::size_t l = 0; l < head + table.rows.size(); ++l) {
        if (l > head && table.group_rows != 0 && (l - head) % table.group_rows == 0) text += "\n";
        std::string line;
        for (const Lines& column : columns) {
            if (&column != &columns.front()) line += "  ";
            line += column.left ? report::pad_right(column.cells[l], column.width)
                                : report::pad_left(column.cells[l], column.width);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        if (l + 1 == head) text += std::string(width, '-') + "\n";
    }
    return text;
}

std::string table_csv(const Table& table) {
    std::string text;
    const auto line = [&](const auto& cells, const auto& field) {
        for (std::size_t c = 0; c < cells.size(); ++c)
            text += (c == 0 ? "" : ",") + field(cells[c]);
        text += "\n";
    };
    line(table.columns, [](const Column& column) { return cell_csv(column.key); });
    for (const auto& row : table.rows)
        line(row, cell_csv);
    return text;
}

Json table_json(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json object;
        for (std::size_t c = 0; c < row.size(); ++c)
            object[table.columns[c].key] = cell_json(row[c]);
        rows.push_back(object);
    }
    return rows;
}

}  // namespace tlmetry::page
