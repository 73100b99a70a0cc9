// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tlmetry::report {

using Row = std::vector<std::string>;

/// A table of left-aligned columns under a dashed line, one line per row, each ended by a newline. A column
/// is as wide as its widest cell, and at least its header and two more; lines lose their trailing blanks.
std::string format_table(const Row& headers, const std::vector<Row>& rows);

struct Column {
    std::string header;
    bool right = true;  ///< numbers
};

/// A table under a dashed line, each column as wide as its widest cell, every line begun by two blanks and
/// none ended by one.
std::string aligned_table(const std::vector<Column>& columns, const std::vector<Row>& rows);

/// `text` filled up with blanks to `width`, at its right or at its left end.
std::string pad_right(std::string text, std::size_t width);
std::string pad_left(const std::string& text, std::size_t width);

}  // namespace tlmetry::report
