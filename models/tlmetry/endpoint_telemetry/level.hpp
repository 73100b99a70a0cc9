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
    /// Where a pass has come to.
    struct Position {
        cycle_t first = 0;  // of the pass
        std::int64_t value = 0;
        std::int64_t lowest = 0;
        std::uint64_t since = 0;  // cycle, from `first` on, up to which `above` is summed
        std::uint64_t above = 0;
    };
    void pass_some(Position& position, cycle_t end);
    void walk(Position& position, cycle_t end);
    /// Makes keys of the first steps of a log, at most `most` of those before `end`, in which the cycle
    /// stands above the step, so that they are in the order of time. One that is larger than all follows.
    static std::size_t make_keys(const endpoint::LevelLog& log, std::size_t most, cycle_t first, cycle_t end,
                                 std::vector<std::uint64_t>& keys);
    static cycle_t at(const endpoint::LevelLog& log, std::size_t i) {
        return i < log.size() ? log[i].at : never;
    }

    endpoint::LevelLog& m_falls;
    endpoint::LevelLog& m_rises;
    // By value; their size is a power of two.
    std::vector<std::uint64_t> m_above;
    std::vector<std::uint8_t> m_band;
    std::uint32_t m_value;
    bool m_in_lanes;  // this processor can use level_lanes
    std::vector<std::uint64_t> m_fall_keys;
    std::vector<std::uint64_t> m_rise_keys;
};

}  // namespace tlmetry::endpoint_telemetry
