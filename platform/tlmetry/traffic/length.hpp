// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>

#include <cstdint>

namespace tlmetry::traffic {

/// Random lengths with an exact mean: evenly spread from 0 to twice the mean, in integers. What rounding cuts
/// off one length is added to the next.
class Length {
public:
    /// Mean `mean * numerator / denominator`; mean and numerator up to a million.
    explicit Length(std::uint64_t mean, std::uint64_t numerator = 1, std::uint64_t denominator = 1)
        : m_span((2 * mean * numerator << fraction_bits) / denominator) {}

    std::int64_t draw(Random& random) {
        const std::uint64_t part = random.next() >> (64 - fraction_bits);
        const std::uint64_t value =
            (m_span >> fraction_bits) * part + ((m_span & low_bits) * part >> fraction_bits) + m_rest;
        m_rest = value & low_bits;
        return static_cast<std::int64_t>(value >> fraction_bits);
    }

private:
    static constexpr unsigned fraction_bits = 16;
    static constexpr std::uint64_t low_bits = (std::uint64_t{1} << fraction_bits) - 1;

    std::uint64_t m_span;  // in steps of 2^-16
    std::uint64_t m_rest = 0;
};

}  // namespace tlmetry::traffic
