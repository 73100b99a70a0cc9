// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/alias_table.hpp>
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

/// Latencies of any distribution, drawn in the same constant time.
class LatencyTable {
public:
    LatencyTable() = default;
    /// The distribution of `config`, which is valid. Throws UserError for a mistake in its histogram.
    explicit LatencyTable(const Config& config);
    /// At most 65535 bands.
    explicit LatencyTable(const std::vector<LatencyBand>& bands);

    /// The latency that 64 random bits choose.
    time_fs draw(std::uint64_t word) const {
        if (m_single) return within(m_first, word);
        return within(m_bands[m_indices.draw(static_cast<std::uint32_t>(word >> 32))], word);
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
    AliasTable m_indices;
    std::vector<Band> m_bands;
    Band m_first{};
    time_fs m_least = never;
    bool m_constant = false;
    bool m_single = false;  // one band only
};

}  // namespace tlmetry::host
