// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace tlmetry::page {

/// Nothing, a finite number, or a text.
using Cell = std::variant<std::monostate, double, std::string>;

/// `value`, or nothing if it is not finite.
Cell number(double value);

struct Column {
    std::string key;    ///< in CSV and JSON, with the unit
    std::string title;  ///< for people, without the unit
    std::string unit;   ///< empty: none, as of a name
    int decimals = 0;   ///< for people; elsewhere numbers have all their digits
    bool on_terminal = true;
};

/// Numbers with names and units: for a terminal, for other programs, and for a page.
struct Table {
    std::string key;  ///< letters and underscores
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::size_t group_rows = 0;  ///< rows that belong together; 0: all
};

/// A cell as people see it; a dash if there is nothing.
std::string cell_text(const Cell& cell, int decimals);
/// As a field of CSV, and as a JSON value.
std::string cell_csv(const Cell& cell);
nlohmann::ordered_json cell_json(const Cell& cell);
/// The cell that this is.
Cell cell_of(const nlohmann::ordered_json& json);

/// Title, names, units and rows in aligned columns, without the columns that are not for a terminal.
std::string table_text(const Table& table);
/// A line of keys, then one for each row.
std::string table_csv(const Table& table);
/// An array with one object for each row.
nlohmann::ordered_json table_json(const Table& table);

}  // namespace tlmetry::page
