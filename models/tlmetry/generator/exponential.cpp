// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/exponential.hpp"

namespace tlmetry::generator {

namespace {

/// ln((n + 1) / n) for n >= 1, with basic operations only, so that it is the same on every machine.
double log_step(double n) {
    const double z = 1 / (2 * n + 1);
    double sum = 0;
    double term = z;
    for (int k = 1; k < 40; k += 2, term *= z * z)
        sum += term / k;
    return 2 * sum;
}

}  // namespace

ExponentialTable::ExponentialTable() {
    constexpr double one = 4294967296.0;  // 2^32
    double from = 0;
    for (std::size_t i = 0; i < strata; ++i) {
        Stratum& stratum = m_strata[i];
        stratum.base = static_cast<std::uint64_t>(from * one);
        const auto above = static_cast<double>(strata - i);  // this stratum and those above it
        if (above == 1) break;
        const double to = from + log_step(above - 1);
        const double mean = (from + 1) * above - (to + 1) * (above - 1);
        stratum.width = static_cast<std::uint64_t>(2 * (mean - from) * one);
        from = to;
    }
}

}  // namespace tlmetry::generator
