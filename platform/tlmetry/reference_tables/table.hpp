// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::reference_tables {

/// A column of a table and what its cells may hold.
struct Column {
    enum class Kind { whole, number, text, choice, hexadecimal };

    std::string name;
    Kind kind = Kind::number;
    double least = 0;  ///< of whole numbers
    double most = 0;
    std::vector<std::string> choices = {};
};

Column whole(std::string name, double least, double most);
/// A number that is not negative.
Column number(std::string name);
Column text(std::string name);
/// One of a few texts or numbers.
Column choice(std::string name, std::vector<std::string> choices);
/// A number written 0x... .
Column hexadecimal(std::string name);

/// A row of a table whose cells are what its columns allow.
class Row {
public:
    struct Cell {
        std::string text;
        double value = 0;     ///< of what is a number
        double rounding = 0;  ///< half a unit of the last digit that is written
    };
    Row(const std::vector<Column>& columns, std::vector<Cell> cells, std::size_t line)
        : m_columns(&columns), m_cells(std::move(cells)), m_line(line) {}

    /// In the file, from 1.
    std::size_t line() const { return m_line; }
    /// All of these throw std::logic_error for a column the table does not have.
    const Cell& cell(const std::string& column) const;
    double number(const std::string& column) const { return cell(column).value; }
    std::uint32_t whole(const std::string& column) const {
        return static_cast<std::uint32_t>(cell(column).value);
    }
    const std::string& text(const std::string& column) const { return cell(column).text; }

private:
    const std::vector<Column>* m_columns;
    std::vector<Cell> m_cells;  // in the order of the columns
    std::size_t m_line;
};

/// A cell of a row and what the models give instead.
struct Comparison {
    std::string column;
    std::string expected;
    std::string found;
    double deviation = 0;  ///< found - expected, 0 if all written digits agree; 1 for texts that differ
    std::optional<double> percent;  ///< of what is expected; none when that is 0, or a text
    double allowed = 0;             ///< above 0

    /// How much of what is allowed is used up; above 1 is beyond the tolerance.
    double share() const { return (deviation < 0 ? -deviation : deviation) / allowed; }
    bool beyond() const { return share() > 1; }
};

/// What became of a row.
class Outcome {
public:
    /// `percent` takes the place of the table's own tolerances.
    Outcome(const Row& row, std::optional<double> percent) : m_row(&row), m_percent(percent) {}

    /// Compares a cell with what was found: it may deviate by so many percent, by `absolute`, or by half of
    /// its last digit, whichever is most. `also` tells apart what is compared with one cell.
    void compare(const std::string& column, double found, double percent, double absolute = 0,
                 const std::string& also = "");
    void compare_text(const std::string& column, const std::string& found);
    /// The row, or a part of it, cannot be run; it has not passed then.
    void cannot_run(std::string reason) { m_not_run = std::move(reason); }
    /// What a reader of the result has to know.
    void remark(std::string text) { m_remark = std::move(text); }

    std::size_t line() const { return m_row->line(); }
    const std::vector<Comparison>& comparisons() const { return m_comparisons; }
    const std::string& not_run() const { return m_not_run; }
    const std::string& remark() const { return m_remark; }
    /// The comparison that uses up most of its tolerance; nullptr without any.
    const Comparison* worst() const;
    bool passed() const;

private:
    const Row* m_row;
    std::optional<double> m_percent;
    std::vector<Comparison> m_comparisons;
    std::string m_not_run;
    std::string m_remark;
};

/// A kind of table.
struct Table {
    std::string name;       ///< of the published file, without .csv
    std::string title;      ///< a few words
    std::string tolerance;  ///< in words
    std::vector<Column> columns;
    /// Runs a row with the models. nullptr: none of them can do it yet.
    void (*run)(const Row& row, Outcome& outcome) = nullptr;
};

/// All kinds of tables.
const std::vector<Table>& catalogue();

}  // namespace tlmetry::reference_tables
