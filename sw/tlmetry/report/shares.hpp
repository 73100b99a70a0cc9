// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::report {

/// Parts of one whole as percentages of two decimals that add up to what the parts add up to: with a last
/// part for what is left, to 100.00 exactly.
class Shares {
public:
    /// `parts`, and behind them what is left of `whole`. Parts that are more than the whole, as counters of
    /// neighbouring moments can be, are shares of their sum.
    static Shares with_rest(std::vector<double> parts, double whole);

    /// `parts` of their own sum; all zero if that is zero.
    static Shares of_sum(const std::vector<double>& parts);

    std::size_t size() const { return m_hundredths.size(); }

    /// In percent, to two decimals.
    double operator[](std::size_t i) const { return static_cast<double>(m_hundredths.at(i)) / 100; }

private:
    explicit Shares(std::vector<std::int64_t> hundredths) : m_hundredths(std::move(hundredths)) {}

    std::vector<std::int64_t> m_hundredths;
};

/// "12.34", and "12.34 %".
std::string percent_text(double percent);
std::string percent_sign(double percent);

}  // namespace tlmetry::report
