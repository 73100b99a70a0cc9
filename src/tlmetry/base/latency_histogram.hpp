// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry {

/// How often durations occurred, in constant memory: in steps of about a picosecond below 131 ps, above that
/// in buckets of 1/128 of an octave's begin, so that a percentile is off by less than 0.4 %. Count, mean,
/// least and most are exact.
class LatencyHistogram {
public:
    /// `duration` must not be negative.
    void add(time_fs duration) {
        ++m_counts[bucket_of(duration)];
        ++m_count;
        m_sum += static_cast<std::uint64_t>(duration);
        if (duration < m_least) m_least = duration;
        if (duration > m_most) m_most = duration;
    }
    void add(const LatencyHistogram& other);
    void clear() { *this = {}; }

    std::uint64_t count() const { return m_count; }
    // 0 without any durations.
    double mean_fs() const;
    time_fs least_fs() const { return m_count == 0 ? 0 : m_least; }
    time_fs most_fs() const { return m_most; }
    /// The shortest duration that at least this percentage (0 to 100) of all durations do not exceed.
    time_fs percentile_fs(double percent) const;

    /// Buckets in the order of their durations.
    static constexpr std::size_t buckets = std::size_t{128} * 46;
    std::uint64_t in_bucket(std::size_t bucket) const { return m_counts[bucket]; }
    /// Least duration of a bucket; that of the next one is the first beyond it.
    static time_fs begin_of(std::size_t bucket) {
        const std::size_t octave = bucket >> digits;
        const auto place = static_cast<time_fs>(bucket & (steps - 1));
        return (octave == 0 ? place : (place + steps) << (octave - 1)) << unit;
    }

private:
    static constexpr unsigned unit = 10;   // bits of a femtosecond that are not told apart
    static constexpr unsigned digits = 7;  // that are, behind the first one
    static constexpr time_fs steps = 1 << digits;

    static std::size_t bucket_of(time_fs duration) {
        const auto value = static_cast<std::uint64_t>(duration) >> unit;
        // Below two octaves buckets are equal.
        const unsigned top = 63 - static_cast<unsigned>(__builtin_clzll(value | steps));
        const unsigned shift = top - digits;
        return (std::size_t{shift} << digits) + static_cast<std::size_t>(value >> shift);
    }

    std::array<std::uint64_t, buckets> m_counts{};
    std::uint64_t m_count = 0;
    __extension__ unsigned __int128 m_sum = 0;
    time_fs m_least = never;
    time_fs m_most = 0;
};

}  // namespace tlmetry
