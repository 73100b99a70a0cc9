// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace tlmetry {

/// Indices by weight, drawn in constant time (alias method): each of equally large cells is shared by at most
/// two.
class AliasTable {
public:
    AliasTable() = default;
    /// At most 65535 weights, each above 0.
    explicit AliasTable(const std::vector<double>& weights);

    /// The index that 32 random bits choose: right to n / 2^32 for n weights.
    std::uint16_t draw(std::uint32_t bits) const {
        const std::uint64_t place = std::uint64_t{bits} * m_cells.size();
        const Cell& cell = m_cells[place >> 32];
        // An index and no branch, which would be guessed wrong half the time.
        return cell.index[static_cast<std::uint32_t>(place) < cell.second_part ? 1 : 0];
    }

private:
    struct Cell {
        std::uint16_t index[2];
        std::uint32_t second_part;  // of the cell, in steps of 2^-32; the rest belongs to the first
    };
    std::vector<Cell> m_cells;
};

/// e^-x for x from 0 to some hundred, with basic operations only, so that it is the same on every machine.
double exp_minus(double x);

}  // namespace tlmetry
