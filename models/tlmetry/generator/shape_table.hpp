// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/alias_table.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::generator {

/// What an operation is apart from its place and time: the direction, the flags, and a size out of `count`
/// equally likely ones.
struct Shape {
    std::uint32_t base = 1;  ///< smallest size
    std::uint32_t step = 1;
    std::uint32_t count = 1;
    bool read = false;
    std::uint8_t flags = 0;

    std::uint32_t largest() const { return base + step * (count - 1); }
    /// The size that 32 random bits choose.
    std::uint32_t bytes(std::uint32_t bits) const {
        return base + step * static_cast<std::uint32_t>(std::uint64_t{bits} * count >> 32);
    }
};

/// Shapes by weight, drawn in constant time.
class ShapeTable {
public:
    struct Weighted {
        Shape shape;
        double weight;  ///< above 0
    };

    ShapeTable() = default;
    /// At most 65535 shapes.
    explicit ShapeTable(const std::vector<Weighted>& weighted);

    /// The shape that 32 random bits choose: right to n / 2^32 for n shapes.
    const Shape& draw(std::uint32_t bits) const { return m_shapes[m_indices.draw(bits)]; }
    const std::vector<Shape>& shapes() const { return m_shapes; }

private:
    AliasTable m_indices;
    std::vector<Shape> m_shapes;
};

}  // namespace tlmetry::generator
