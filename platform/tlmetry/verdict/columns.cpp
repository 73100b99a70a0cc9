// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/columns.hpp"

#include <tlmetry/report/table.hpp>

#include <algorithm>

namespace tlmetry::verdict {

std::string aligned_table(const std::vector<Column>& columns,
                          const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    std::vector<std::string> headers, rule;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t width = columns[i].header.size();
        for (const std::vector<std::string>& row : rows)
            width = std::max(width, row.at(i).size());
        widths.push_back(width);
        headers.push_back(columns[i].header);
        rule.emplace_back(width, '-');
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += "  " + (columns[i].right ? report::pad_left(cells[i], widths[i])
                                             : report::pad_right(cells[i], widths[i]));
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    };
    std::string text = line(headers) + line(rule);
    for (const std::vector<std::string>& row : rows)
        text += line(row);
    return text;
}

}  // namespace tlmetry::verdict
