// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../support/shell.hpp"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::test {

/// A point of a study: its values and outputs by name, as numbers in base units and as texts.
class Point {
public:
    std::map<std::string, double> numbers;
    std::map<std::string, std::string> texts;

    double operator[](const std::string& name) const;
    const std::string& text(const std::string& name) const;
};

/// A plan of configs/studies with what `tlmetry explore` makes of it.
class Study {
public:
    explicit Study(std::string name);

    const std::vector<Point>& points() const { return m_points; }
    /// The rows of find.csv: what `--find` with these words finds, everything by the names of the columns.
    std::vector<Point> find(const std::string& words) const;
    /// The page of the study must contain this text.
    void expect_on_page(const std::string& text) const;

private:
    std::string explore(const std::string& words) const;

    std::string m_name;
    TemporaryFolder m_folder;
    std::vector<Point> m_points;
};

/// Of several limits the smallest one binds.
struct Limit {
    std::string name;
    double value;
};
Limit least(const std::vector<Limit>& limits);

/// Simulated rates beside a closed form, as they stand on the page of a study.
class Comparison {
public:
    /// A cell of the table of rates; the rate must be within `percent` of its formula.
    void add(const std::string& row, const std::string& column, double simulated, const Limit& formula,
             double percent = 1);

    /// Rates in GB/s and what binds by the formula; `corner` is the name of the rows and columns.
    std::string rates(const std::string& corner) const;
    /// How far the simulation is from the formula, for each thing that binds.
    std::string deviations() const;

private:
    struct Deviation {
        std::size_t points = 0;
        double largest = 0;
    };
    std::vector<std::string> m_rows, m_columns;
    std::map<std::pair<std::string, std::string>, std::string> m_cells;
    std::vector<std::pair<std::string, Deviation>> m_deviations;
};

/// A row of a table in Markdown.
std::string row(const std::vector<std::string>& cells);
/// The rows with the names of the columns of a table.
std::string header(const std::vector<std::string>& names);
std::string fixed(double value, int digits);
/// `+0.12`, how many percent `simulated` is above `formula`.
std::string percent_above(double simulated, double formula);
/// `512 B`, `4 KiB`.
std::string bytes_text(double bytes);

/// Payload a second that a link carries in TLPs of so many bytes with so much overhead, Acks left out:
/// 128b/130b, and an ordered set SKP in the place of one block in 375.
inline double link_rate(double raw_bytes_per_s, double payload, double overhead) {
    return raw_bytes_per_s * 128 / 130 * 374 / 375 * payload / (payload + overhead);
}
inline constexpr double gen4_x16 = 32e9;
inline constexpr double gen5_x16 = 64e9;
inline constexpr double completion_overhead = 20;
inline constexpr double request_overhead = 24;

}  // namespace tlmetry::test
