// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/report/table.hpp>

#include <algorithm>

namespace tlmetry::report {
namespace {

constexpr std::size_t header_padding = 2;

std::string join(const Row& cells, const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i == 0 ? "" : "  ") + pad_right(cells[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

}  // namespace

std::string pad_right(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string pad_left(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string format_table(const Row& headers, const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const std::string& header : headers)
        widths.push_back(header.size() + header_padding);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());

    Row rule;
    for (const std::size_t width : widths)
        rule.emplace_back(width, '-');
    std::string text = join(headers, widths) + join(rule, widths);
    for (const Row& row : rows)
        text += join(row, widths);
    return text;
}

std::string aligned_table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    Row headers, rule;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t width = columns[i].header.size();
        for (const Row& row : rows)
            width = std::max(width, row.at(i).size());
        widths.push_back(width);
        headers.push_back(columns[i].header);
        rule.emplace_back(width, '-');
    }
    const auto line = [&](const Row& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i)
            text +=
                "  " + (columns[i].right ? pad_left(cells[i], widths[i]) : pad_right(cells[i], widths[i]));
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    };
    std::string text = line(headers) + line(rule);
    for (const Row& row : rows)
        text += line(row);
    return text;
}

}  // namespace tlmetry::report
