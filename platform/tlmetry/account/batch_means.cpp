// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tlmetry::account {

/// From 6 on the expansion of Cornish and Fisher around the normal distribution, within 0.1 %.
double student_t(double freedom) {
    constexpr double exact[] = {12.706204736432095, 4.302652729911275, 3.182446305284263, 2.776445105197799,
                                2.570581835636314};
    if (freedom < 1 + std::size(exact)) return exact[static_cast<std::size_t>(std::max(freedom, 1.0)) - 1];
    constexpr double z = 1.959963984540054;
    const double z2 = z * z;
    const double n = freedom;
    return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

void BatchMeans::add(double amount) {
    m_last += amount;
    if (++m_in_last < m_pieces) return;
    m_amounts.push_back(m_last);
    m_last = 0;
    m_in_last = 0;
    if (m_amounts.size() < 2 * least_batches) return;
    for (std::size_t i = 0; i < least_batches; ++i)
        m_amounts[i] = m_amounts[2 * i] + m_amounts[2 * i + 1];
    m_amounts.resize(least_batches);
    m_pieces *= 2;
}

Confidence BatchMeans::confidence() const {
    Confidence result;
    result.batches = m_amounts.size();
    if (m_amounts.empty()) return result;
    const double n = static_cast<double>(m_amounts.size());
    double sum = 0;
    for (const double amount : m_amounts)
        sum += amount;
    const double mean = sum / n;
    double squares = 0;
    for (const double amount : m_amounts)
        squares += (amount - mean) * (amount - mean);
    const double seconds = m_batch_s * static_cast<double>(m_pieces);
    result.mean = mean / seconds;
    if (m_amounts.size() > 3)
        result.half_width = student_t(n - 1) * std::sqrt(squares / (n - 1) / n) / seconds;
    return result;
}

bool BatchMeans::within(double part) const {
    if (m_amounts.size() < least_batches) return false;
    const Confidence now = confidence();
    // Nothing at all says nothing: it may begin later.
    return now.mean > 0 && now.half_width <= part * now.mean;
}

}  // namespace tlmetry::account
