// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numeric>

namespace tlmetry::pcie {

/// A fraction, not negative, in lowest terms. Products are exact as long as their reduced terms fit 63 bits,
/// which those of link rates do with ease.
class Ratio {
public:
    constexpr Ratio(std::int64_t numerator, std::int64_t denominator)
        : m_numerator(numerator / std::gcd(numerator, denominator)),
          m_denominator(denominator / std::gcd(numerator, denominator)) {}

    constexpr std::int64_t numerator() const { return m_numerator; }
    constexpr std::int64_t denominator() const { return m_denominator; }
    constexpr double value() const {
        return static_cast<double>(m_numerator) / static_cast<double>(m_denominator);
    }

    /// Reduced crosswise first, so that no intermediate product is larger than the result.
    friend constexpr Ratio operator*(Ratio a, Ratio b) {
        const Ratio left(a.m_numerator, b.m_denominator);
        const Ratio right(b.m_numerator, a.m_denominator);
        return {left.m_numerator * right.m_numerator, left.m_denominator * right.m_denominator};
    }
    friend constexpr Ratio operator/(Ratio a, Ratio b) { return a * Ratio(b.m_denominator, b.m_numerator); }
    friend constexpr bool operator==(Ratio a, Ratio b) {
        return a.m_numerator == b.m_numerator && a.m_denominator == b.m_denominator;
    }

private:
    std::int64_t m_numerator;
    std::int64_t m_denominator;
};

}  // namespace tlmetry::pcie
