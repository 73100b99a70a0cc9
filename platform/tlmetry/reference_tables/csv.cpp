// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/reference_tables/csv.hpp"

#include <tlmetry/base/alternatives.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace tlmetry::reference_tables {

namespace {

const std::string byte_order_mark = "\xEF\xBB\xBF";

/// Where a mistake is.
class Place {
public:
    Place(const std::string& path, std::size_t line) : m_text(path + ":" + std::to_string(line)) {}

    [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
        throw UserError(m_text + ": expected " + expected + ", found " + found);
    }
    Place column(const std::string& name) const {
        Place place = *this;
        place.m_text += ", column " + name;
        return place;
    }

private:
    std::string m_text;
};

/// Cells of a line; one in quotes may hold commas, and quotes written twice.
std::vector<std::string> cells_of(const std::string& line, const Place& place) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
                cells.back() += line[++i];
            } else {
                quoted = !quoted;
            }
        } else if (line[i] == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    if (quoted) place.fail("a closing quote", "the end of the line");
    for (std::string& cell : cells)
        cell = trimmed(cell);
    return cells;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The table that has most columns of the header.
const Table& recognise(const std::vector<std::string>& header, const Place& place) {
    const Table* best = nullptr;
    std::size_t most = 0;
    std::size_t missing_from_best = 0;
    for (const Table& table : catalogue()) {
        std::size_t common = 0;
        for (const Column& column : table.columns)
            common += contains(header, column.name) ? 1 : 0;
        const std::size_t missing = table.columns.size() - common;
        if (common > most || (common == most && common != 0 && missing < missing_from_best)) {
            best = &table;
            most = common;
            missing_from_best = missing;
        }
    }
    if (best == nullptr || 2 * most < best->columns.size()) {
        place.fail("the header of one of the reference tables (tools/reference --list names them)",
                   config::found(header.front()) + (header.size() > 1 ? " and others" : ""));
    }
    return *best;
}

/// For each column of the table its place in the header.
std::vector<std::size_t> places_of(const Table& table, const std::vector<std::string>& header,
                                   const Place& place) {
    std::vector<std::string> names;
    for (const Column& column : table.columns)
        names.push_back(column.name);
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (!contains(names, header[i])) {
            std::string expected = "a column of " + table.name;
            const std::string near = config::closest(header[i], names);
            if (!near.empty()) expected += ", such as " + near;
            place.column(std::to_string(i + 1)).fail(expected, config::found(header[i]));
        }
        const auto first = std::find(header.begin(), header.end(), header[i]);
        if (first != header.begin() + static_cast<std::ptrdiff_t>(i))
            place.column(std::to_string(i + 1)).fail("a column once", "a second " + header[i]);
    }
    std::vector<std::size_t> places;
    for (const std::string& name : names) {
        const auto found = std::find(header.begin(), header.end(), name);
        if (found == header.end())
            place.fail("the column " + name + " of " + table.name, "none of this name");
        places.push_back(static_cast<std::size_t>(found - header.begin()));
    }
    return places;
}

std::string exactly(double value) {
    std::ostringstream text;
    text.precision(15);
    text << value;
    return text.str();
}

/// The value of a decimal number; false for anything else.
bool decimal(const std::string& text, double& value) {
    if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) return false;
    try {
        std::size_t end = 0;
        value = std::stod(text, &end);
        return end == text.size() && std::isfinite(value);
    } catch (const std::logic_error&) {  // no number, or out of range
        return false;
    }
}

/// Half a unit of the last digit of a decimal number.
double half_of_last_digit(const std::string& text) {
    const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
    const std::size_t point = text.find('.');
    int digits = point < exponent_at ? static_cast<int>(exponent_at - point) - 1 : 0;
    if (exponent_at != text.size()) digits -= std::stoi(text.substr(exponent_at + 1));
    // A little more, as the nearest double may be on the other side.
    return 0.500001 * std::pow(10.0, -digits);
}

bool is_hexadecimal(const std::string& text) {
    return text.size() > 2 && text.size() <= 18 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
           text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
}

Row::Cell read_cell(const Column& column, const std::string& text, const Place& row) {
    Row::Cell cell;
    cell.text = text;
    const Place place = row.column(column.name);
    const bool number = decimal(text, cell.value);
    switch (column.kind) {
        case Column::Kind::text:
            break;
        case Column::Kind::choice:
            if (!contains(column.choices, text))
                place.fail(alternatives(column.choices), config::found(text));
            break;
        case Column::Kind::hexadecimal:
            if (!is_hexadecimal(text)) place.fail("a hexadecimal number such as 0x40", config::found(text));
            break;
        case Column::Kind::whole:
            if (!number || cell.value != std::floor(cell.value) || cell.value < column.least ||
                cell.value > column.most) {
                place.fail("a whole number from " + exactly(column.least) + " to " + exactly(column.most),
                           config::found(text));
            }
            break;
        case Column::Kind::number:
            if (!number || cell.value < 0) place.fail("a number that is not negative", config::found(text));
            cell.rounding = half_of_last_digit(text);
            break;
    }
    return cell;
}

}  // namespace

TableFile read_table(const std::string& path) {
    std::istringstream lines(config::read_file("table", path));
    TableFile file;
    file.path = path;
    std::vector<std::size_t> places;
    std::size_t width = 0;
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        if (number == 1 && line.rfind(byte_order_mark, 0) == 0) line.erase(0, byte_order_mark.size());
        if (trimmed(line).empty()) continue;
        const Place place(path, number);
        const std::vector<std::string> cells = cells_of(line, place);
        if (file.table == nullptr) {
            file.table = &recognise(cells, place);
            if (file.table->run == nullptr) {
                throw UserError(path + ": " + file.table->name + " (" + file.table->title +
                                ") is not supported yet");
            }
            places = places_of(*file.table, cells, place);
            width = cells.size();
            continue;
        }
        if (cells.size() != width)
            place.fail(std::to_string(width) + " cells as in the header", std::to_string(cells.size()));
        std::vector<Row::Cell> row;
        for (std::size_t c = 0; c < places.size(); ++c)
            row.push_back(read_cell(file.table->columns[c], cells[places[c]], place));
        file.rows.emplace_back(file.table->columns, std::move(row), number);
    }
    if (file.table == nullptr) throw UserError(path + ": expected a header line, found an empty file");
    if (file.rows.empty()) throw UserError(path + ": expected rows below the header, found none");
    return file;
}

}  // namespace tlmetry::reference_tables
