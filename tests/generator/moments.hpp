// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::generator {

/// Mean and variance of a sample.
class Moments {
public:
    void add(double x) {
        ++m_count;
        const double off = x - m_mean;
        m_mean += off / static_cast<double>(m_count);
        m_squares += off * (x - m_mean);
    }
    std::uint64_t count() const { return m_count; }
    double mean() const { return m_mean; }
    double variance() const { return m_squares / static_cast<double>(m_count); }

private:
    std::uint64_t m_count = 0;
    double m_mean = 0;
    double m_squares = 0;
};

}  // namespace tlmetry::generator
