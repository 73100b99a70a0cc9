// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace tlmetry::host {

/// Payload of writes that the host has taken and commits later, by the microsecond of their commit. Without
/// credits a slow memory has any backlog.
class CommitBacklog {
public:
    /// At time `now` it has taken a write of `bytes` that it commits at `commit`.
    void add(time_fs now, time_fs commit, std::uint32_t bytes) {
        const time_fs first = now / bin_fs;
        for (; m_first < first && !m_bins.empty(); ++m_first)
            m_bins.pop_front();
        if (m_bins.empty()) m_first = first;
        const auto bin = static_cast<std::size_t>(std::max(commit / bin_fs, m_first) - m_first);
        if (m_bins.size() <= bin) m_bins.resize(bin + 1);
        m_bins[bin] += bytes;
    }

    /// Bytes that are not committed at time `t`.
    std::uint64_t after(time_fs t) const {
        std::uint64_t bytes = 0;
        const auto begin = std::max<time_fs>(0, t / bin_fs - m_first);
        for (auto bin = static_cast<std::size_t>(begin); bin < m_bins.size(); ++bin)
            bytes += m_bins[bin];
        return bytes;
    }

private:
    static constexpr time_fs bin_fs = fs_per_us;

    std::deque<std::uint64_t> m_bins;  // the first one is of microsecond m_first
    time_fs m_first = 0;
};

}  // namespace tlmetry::host
