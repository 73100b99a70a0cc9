// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/base/alias_table.hpp"

#include <cstddef>

namespace tlmetry {

AliasTable::AliasTable(const std::vector<double>& weights) {
    double total = 0;
    for (const double weight : weights)
        total += weight;
    const std::size_t n = weights.size();
    m_cells.resize(n);
    std::vector<double> cells_needed(n);
    std::vector<std::uint16_t> poor;  // need less than a cell
    std::vector<std::uint16_t> rich;
    for (std::uint16_t i = 0; i < n; ++i) {
        m_cells[i] = {{i, i}, 0};  // a cell of its own, unless changed below
        cells_needed[i] = weights[i] / total * static_cast<double>(n);
        (cells_needed[i] < 1 ? poor : rich).push_back(i);
    }
    while (!poor.empty() && !rich.empty()) {
        const std::uint16_t small = poor.back();
        const std::uint16_t large = rich.back();
        poor.pop_back();
        constexpr double whole = 4294967296.0;  // 2^32
        const double part = cells_needed[small] * whole + 0.5;
        if (part < whole) m_cells[small] = {{large, small}, static_cast<std::uint32_t>(part)};
        cells_needed[large] -= 1 - cells_needed[small];
        if (cells_needed[large] < 1) {
            rich.pop_back();
            poor.push_back(large);
        }
    }
}

double exp_minus(double x) {
    const double small = x / 1024;
    double term = 1;
    double sum = 1;
    for (int k = 1; k <= 12; ++k) {
        term *= small / k;
        sum += term;
    }
    for (int i = 0; i < 10; ++i)
        sum *= sum;
    return 1 / sum;
}

}  // namespace tlmetry
