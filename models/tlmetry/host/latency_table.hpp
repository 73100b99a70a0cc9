// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/host/config.hpp>
#include <tlmetry/host/wide.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::host {

/// Latencies within a band are equally likely; so every distribution is a list of bands with weights.
struct LatencyBand {
    time_fs low = 0;
    std::uint64_t count = 1;  ///< of femtoseconds from `low` on
    double weight = 1;        ///< above 0
};

/// Latencies of any distribution, drawn in the same constant time (alias method): each of equally large cells
/// is shared by at most two bands.
class LatencyTable {
public:
    LatencyTable() = default;
    /// The distribution of `config`, which is valid. Throws UserError for a mistake in its histogram.
    explicit LatencyTable(const Config& config);
    /// At most 65535 bands.
    explicit LatencyTable(const std::vector<LatencyBand>& bands);

    /// The latency that 64 random bits choose.
    time_fs draw(std::uint64_t word) const {
        if (m_count == 1) return within(m_first, word);
        const std::uint64_t place = (word >> 32) * m_count;
        const Cell& cell = m_cells[place >> 32];
        // An index and no branch, which would be guessed wrong half the time.
        return within(m_bands[cell.band[static_cast<std::uint32_t>(place) < cell.second_part ? 1 : 0]], word);
    }

    /// All are equal.
    bool constant() const { return m_constant; }
    /// No latency is shorter.
    time_fs least() const { return m_least; }

private:
    struct Band {
        time_fs low;
        std::uint64_t count;
    };
    static time_fs within(const Band& band, std::uint64_t word) {
        return band.low + static_cast<time_fs>(Wide{word & 0xFFFF'FFFF} * band.count >> 32);
    }
    struct Cell {
        std::uint16_t band[2];
        std::uint32_t second_part;  // of the cell, in steps of 2^-32; the rest belongs to the first
    };

    std::uint64_t m_count = 0;
    std::vector<Cell> m_cells;
    std::vector<Band> m_bands;
    Band m_first{};
    time_fs m_least = never;
    bool m_constant = false;
};

}  // namespace tlmetry::host
