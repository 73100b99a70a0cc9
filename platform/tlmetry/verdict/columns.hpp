// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace tlmetry::verdict {

struct Column {
    std::string header;
    bool right = true;  ///< numbers
};

/// A table under a dashed line, every line begun by two blanks and none ended by one.
std::string aligned_table(const std::vector<Column>& columns,
                          const std::vector<std::vector<std::string>>& rows);

}  // namespace tlmetry::verdict
