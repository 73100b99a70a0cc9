// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace tlmetry::explore {

enum class Sampling {
    grid,             ///< all combinations
    random,           ///< points that know nothing of one another
    latin_hypercube,  ///< of n points each axis has one in every n-th part of it
};

/// A permutation of 0 .. size - 1 that is worked out number by number, fixed by a seed and a name.
class Permutation {
public:
    Permutation(std::uint64_t size, std::uint64_t seed, std::string_view name);
    std::uint64_t operator()(std::uint64_t i) const;

private:
    std::uint64_t shuffled(std::uint64_t i) const;

    static constexpr int rounds = 6;
    std::uint64_t m_size;
    unsigned m_half_bits = 1;
    std::uint64_t m_keys[rounds];
};

/// Where point `i` of `points` lies on the axis with this name: from 0 to below 1. `sampling` is not grid.
double sample_part(Sampling sampling, std::uint64_t i, std::uint64_t points, std::uint64_t seed,
                   std::string_view axis);

}  // namespace tlmetry::explore
