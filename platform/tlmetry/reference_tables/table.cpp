// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/reference_tables/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace tlmetry::reference_tables {

namespace {

/// A found number with as many digits as are worth reading.
std::string written(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

}  // namespace

Column whole(std::string name, double least, double most) {
    return {std::move(name), Column::Kind::whole, least, most};
}

Column number(std::string name) {
    return {std::move(name), Column::Kind::number};
}

Column text(std::string name) {
    return {std::move(name), Column::Kind::text};
}

Column choice(std::string name, std::vector<std::string> choices) {
    return {std::move(name), Column::Kind::choice, 0, 0, std::move(choices)};
}

Column hexadecimal(std::string name) {
    return {std::move(name), Column::Kind::hexadecimal};
}

const Row::Cell& Row::cell(const std::string& column) const {
    for (std::size_t i = 0; i < m_columns->size(); ++i) {
        if ((*m_columns)[i].name == column) return m_cells[i];
    }
    throw std::logic_error("no column has the name " + column);
}

void Outcome::compare(const std::string& column, double found, double percent, double absolute,
                      const std::string& also) {
    const Row::Cell& cell = m_row->cell(column);
    if (m_percent) {
        percent = *m_percent;
        absolute = 0;
    }
    Comparison comparison;
    comparison.column = column + also;
    comparison.expected = cell.text;
    comparison.found = written(found);
    // Nothing is known of what the last digit rounds away.
    if (std::abs(found - cell.value) > cell.rounding) comparison.deviation = found - cell.value;
    if (cell.value != 0) comparison.percent = 100 * comparison.deviation / cell.value;
    comparison.allowed = std::max({percent / 100 * cell.value, absolute, cell.rounding});
    m_comparisons.push_back(std::move(comparison));
}

void Outcome::compare_text(const std::string& column, const std::string& found) {
    Comparison comparison;
    comparison.column = column;
    comparison.expected = m_row->text(column);
    comparison.found = found;
    comparison.deviation = comparison.expected == found ? 0 : 1;
    comparison.allowed = 0.5;
    m_comparisons.push_back(std::move(comparison));
}

const Comparison* Outcome::worst() const {
    const Comparison* worst = nullptr;
    for (const Comparison& comparison : m_comparisons) {
        if (worst == nullptr || comparison.share() > worst->share()) worst = &comparison;
    }
    return worst;
}

bool Outcome::passed() const {
    return m_not_run.empty() && std::none_of(m_comparisons.begin(), m_comparisons.end(),
                                             [](const Comparison& c) { return c.beyond(); });
}

}  // namespace tlmetry::reference_tables
