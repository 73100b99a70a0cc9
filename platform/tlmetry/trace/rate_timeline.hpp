// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/tlp/header.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry::trace {

/// TLPs and payload over time, in constant memory: intervals get twice as long whenever there would be more
/// of them than `intervals`.
class RateTimeline {
public:
    static constexpr std::size_t intervals = 32;

    struct Interval {
        std::uint64_t tlps = 0;
        std::array<std::uint64_t, tlp::categories> payload_bytes{};
    };

    /// `time` in ticks since the first TLP.
    void add(std::uint64_t time, const tlp::Header& header) {
        while (time >> m_shift >= intervals)
            halve();
        Interval& interval = m_intervals[static_cast<std::size_t>(time >> m_shift)];
        ++interval.tlps;
        interval.payload_bytes[static_cast<unsigned>(header.category())] += header.payload_bytes();
    }

    const Interval& operator[](std::size_t i) const { return m_intervals[i]; }
    std::uint64_t interval_ticks() const { return std::uint64_t{1} << m_shift; }

private:
    void halve() {
        for (std::size_t i = 0; i < intervals; ++i) {
            const Interval joined =
                i < intervals / 2 ? sum(m_intervals[2 * i], m_intervals[2 * i + 1]) : Interval{};
            m_intervals[i] = joined;
        }
        ++m_shift;
    }

    static Interval sum(Interval a, const Interval& b) {
        a.tlps += b.tlps;
        for (unsigned i = 0; i < tlp::categories; ++i)
            a.payload_bytes[i] += b.payload_bytes[i];
        return a;
    }

    std::array<Interval, intervals> m_intervals;
    unsigned m_shift = 0;
};

}  // namespace tlmetry::trace
