// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/shape_table.hpp"

namespace tlmetry::generator {

ShapeTable::ShapeTable(const std::vector<Weighted>& weighted) {
    std::vector<double> weights;
    for (const Weighted& w : weighted) {
        m_shapes.push_back(w.shape);
        weights.push_back(w.weight);
    }
    m_indices = AliasTable(weights);
}

}  // namespace tlmetry::generator
