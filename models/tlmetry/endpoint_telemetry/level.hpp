// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/endpoint_status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint_telemetry {

/// A level whose falls and rises are in two logs: goes through the steps of both in the order of time and
/// takes them out of the logs.
class Level {
public:
    /// Cycles that can be passed at once.
    static constexpr cycle_t longest_pass = 1 << 20;

    /// `start` in cycle 0; the level never leaves [0, start]. The logs must live as long as this.
    Level(endpoint::LevelLog& falls, endpoint::LevelLog& rises, std::uint32_t start, std::uint32_t capacity);

    /// Cycle of the next step; `never` if none is known.
    cycle_t next() const { return std::min(at(m_falls, 0), at(m_rises, 0)); }
    /// As of the last cycle passed.
    std::uint32_t value() const { return m_value; }
    std::uint32_t band() const { return m_band[m_value]; }

    /// Passes cycles [first, end), at most longest_pass, of which `first` is the first not passed yet: adds
    /// the cycles in each of the telemetry::histogram_bands bands and returns the lowest value.
    std::uint32_t pass(cycle_t first, cycle_t end, std::uint64_t* counts);

private:
    /// Steps of one log in cycles below the end of a pass. In a key, the cycle stands above the step, so that
    /// keys are in the order of time.
    struct Keys {
        void take(endpoint::LevelLog& log, cycle_t first, cycle_t end);
        std::vector<std::uint64_t> keys;
        std::size_t count = 0;
    };
    static cycle_t at(const endpoint::LevelLog& log, std::size_t i) {
        return i < log.size() ? log[i].at : never;
    }

    endpoint::LevelLog& m_falls;
    endpoint::LevelLog& m_rises;
    // By value; their size is a power of two.
    std::vector<std::uint64_t> m_above;
    std::vector<std::uint8_t> m_band;
    std::uint32_t m_value;
    Keys m_fall_keys;
    Keys m_rise_keys;
};

}  // namespace tlmetry::endpoint_telemetry
