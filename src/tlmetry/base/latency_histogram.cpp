// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/base/latency_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace tlmetry {

void LatencyHistogram::add(const LatencyHistogram& other) {
    for (std::size_t i = 0; i < buckets; ++i)
        m_counts[i] += other.m_counts[i];
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_least = std::min(m_least, other.m_least);
    m_most = std::max(m_most, other.m_most);
}

double LatencyHistogram::mean_fs() const {
    return m_count == 0 ? 0 : static_cast<double>(m_sum) / static_cast<double>(m_count);
}

time_fs LatencyHistogram::percentile_fs(double percent) const {
    if (m_count == 0) return 0;
    const auto rank =
        static_cast<std::uint64_t>(std::max(1.0, std::ceil(percent / 100 * static_cast<double>(m_count))));
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < buckets; ++i) {
        below += m_counts[i];
        if (below < rank) continue;
        // The middle of the bucket, as far as durations were there at all.
        const time_fs middle = begin_of(i) + (begin_of(i + 1) - begin_of(i)) / 2;
        return std::clamp(middle, m_least, m_most);
    }
    return m_most;
}

}  // namespace tlmetry
