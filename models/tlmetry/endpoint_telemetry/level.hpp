// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/endpoint_status.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint_telemetry {

/// A level whose falls and rises are in two logs: goes through the steps of both in the order of time and
/// takes them out of the logs.
class Level {
public:
    /// `start` in cycle 0. The logs must live as long as this.
    Level(endpoint::LevelLog& falls, endpoint::LevelLog& rises, std::uint32_t start, std::uint32_t capacity)
        : m_falls(falls), m_rises(rises), m_bands(capacity), m_value(start) {}

    /// Cycle of the next step; `never` if none is known.
    cycle_t next() const { return std::min(at(m_falls, 0), at(m_rises, 0)); }
    /// As of the last cycle passed.
    std::uint32_t value() const { return static_cast<std::uint32_t>(m_value); }
    std::uint32_t band() const { return m_bands.of(value()); }

    /// Passes cycles [first, end), of which `first` is the first not passed yet: adds the cycles in each of
    /// the telemetry::histogram_bands bands and returns the lowest value.
    std::uint32_t pass(cycle_t first, cycle_t end, std::uint64_t* counts);

private:
    static cycle_t at(const endpoint::LevelLog& log, std::size_t i) {
        return i < log.size() ? log[i].at : never;
    }

    endpoint::LevelLog& m_falls;
    endpoint::LevelLog& m_rises;
    telemetry::HistogramBands m_bands;
    std::int64_t m_value;
};

}  // namespace tlmetry::endpoint_telemetry
