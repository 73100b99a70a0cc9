// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/generator/word_stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry::generator {

/// Exponentially distributed numbers of mean 1, in steps of 2^-32. The range is cut into equally likely
/// strata; inside each the numbers are even, with the mean that the exponential curve has there.
class ExponentialTable {
public:
    ExponentialTable();

    /// At most 24.
    std::uint64_t draw(WordStream& random) const {
        std::uint64_t sum = 0;
        for (int tail = 0;; ++tail) {
            const std::uint64_t bits = random.next();
            const Stratum& stratum = m_strata[bits >> (64 - stratum_bits)];
            sum += stratum.base + ((bits & 0xFFFF'FFFF) * stratum.width >> 32);
            // Beyond the last stratum the curve begins anew.
            if (stratum.width != 0 || tail == most_tails) return sum;
        }
    }

private:
    static constexpr unsigned stratum_bits = 8;
    static constexpr std::size_t strata = std::size_t{1} << stratum_bits;
    static constexpr int most_tails = 3;

    struct Stratum {
        std::uint64_t base;
        std::uint64_t width;  // 0 of the last
    };

    std::array<Stratum, strata> m_strata{};
};

}  // namespace tlmetry::generator
