// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/reference_tables/table.hpp>

#include <string>
#include <vector>

namespace tlmetry::reference_tables {

/// A file that is one of the tables of the catalogue.
struct TableFile {
    std::string path;
    const Table* table = nullptr;
    std::vector<Row> rows;
};

/// Reads a CSV file: a header, which decides what table it is, and rows; lines end with LF or CRLF, columns
/// come in any order. Throws UserError naming file, line and column, what was expected and what was found.
TableFile read_table(const std::string& path);

}  // namespace tlmetry::reference_tables
