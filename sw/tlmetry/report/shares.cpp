// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/report/shares.hpp"

#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tlmetry::report {
namespace {

constexpr std::int64_t all = 10'000;  // hundredths of a percent

/// Rounded down, and what is then missing goes to those that lost most.
std::vector<std::int64_t> largest_remainders(const std::vector<double>& parts, double sum) {
    std::vector<std::int64_t> result(parts.size());
    if (!(sum > 0)) return result;
    std::vector<double> lost(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double exact = parts[i] / sum * static_cast<double>(all);
        result[i] = static_cast<std::int64_t>(std::floor(exact));
        lost[i] = exact - std::floor(exact);
    }
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
    const std::int64_t missing = all - std::accumulate(result.begin(), result.end(), std::int64_t{0});
    for (std::size_t i = 0;
         i < static_cast<std::size_t>(std::max<std::int64_t>(missing, 0)) && i < order.size(); ++i)
        ++result[order[i]];
    return result;
}

}  // namespace

Shares Shares::with_rest(std::vector<double> parts, double whole) {
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    parts.push_back(std::max(0.0, whole - sum));
    return of_sum(parts);
}

Shares Shares::of_sum(const std::vector<double>& parts) {
    return Shares(largest_remainders(parts, std::accumulate(parts.begin(), parts.end(), 0.0)));
}

std::string percent_text(double percent) {
    return report::fixed(percent, 2);
}

std::string percent_sign(double percent) {
    return percent_text(percent) + " %";
}

}  // namespace tlmetry::report
