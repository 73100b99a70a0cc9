// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/pcie/link_settings.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// One row of a table, by the names of its header.
class CsvRow {
public:
    explicit CsvRow(std::map<std::string, std::string> fields) : m_fields(std::move(fields)) {}

    /// Throws if there is no such column.
    const std::string& text(const std::string& column) const { return m_fields.at(column); }
    /// The number in a field, without the letters before it: 3 of "gen3", 8 of "x8".
    std::uint32_t number(const std::string& column) const;
    /// The whole row, to name it in a failure.
    std::string all() const;

private:
    std::map<std::string, std::string> m_fields;
};

/// The rows of tests/data/pcie/`name`. Throws if there are none or a field is missing.
std::vector<CsvRow> read_csv(const std::string& name);

/// A number as the tables print it.
std::string printed(double value, int decimals);

/// Settings with the analytic rules from the columns gen, lanes and mps.
tlmetry::pcie::LinkSettings analytic_link(const CsvRow& row);
