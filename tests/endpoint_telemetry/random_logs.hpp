// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/endpoint_status.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tlmetry::testing {

/// What an observer can know of a bus at some time: the log, and since when a word stands that is not in it.
template <class Item>
struct Shown {
    std::conditional_t<std::is_same_v<Item, endpoint::Piece>, endpoint::MfbLog, SlidingQueue<Item>> log;
    cycle_t since = never;
};

/// Items of one log from the first cycle to the last, shown bit by bit.
template <class Item>
class Script {
public:
    std::vector<Item> items;

    /// Shows all that begins below `end`, sometimes some of the future, and sometimes of what lasts beyond
    /// `end` only that it has begun.
    void show_to(cycle_t end, Random& random, Shown<Item>& shown);

private:
    std::size_t m_shown = 0;
};

/// How busy the buses of a random case are.
struct Mood {
    std::uint32_t gap_share = 0;  ///< of 16
    std::uint32_t longest_gap = 1;
    std::uint32_t stall_share = 0;  ///< of 16
    std::uint32_t longest_stall = 1;

    static Mood random(Random& random);
    cycle_t gap(Random& random) const;
    cycle_t stall(Random& random) const;
};

/// Legal traffic below cycle `end`.
std::vector<endpoint::Piece> random_pieces(Random& random, const telemetry::BusShape& shape, cycle_t end);
std::vector<endpoint::Headers> random_headers(Random& random, cycle_t end);
std::vector<endpoint::Interval> random_intervals(Random& random, cycle_t end);

/// Falls and rises of a level that starts at `start` and stays in [0, start].
struct LevelScript {
    LevelScript(Random& random, std::uint32_t start, cycle_t end);
    Script<endpoint::Step> falls, rises;
};

// The same cycle by cycle, for cycles [0, end).
std::vector<telemetry::MfbPins> pins_of(const std::vector<endpoint::Piece>& pieces,
                                        const telemetry::BusShape& shape, cycle_t end);
std::vector<telemetry::MvbWord> words_of(const std::vector<endpoint::Headers>& headers, cycle_t end);
std::vector<std::uint32_t> values_of(const LevelScript& level, std::uint32_t start, cycle_t end);
/// Sets bit `bit` in the cycles of the intervals.
void mark(const std::vector<endpoint::Interval>& intervals, std::uint32_t bit,
          std::vector<std::uint32_t>& masks);

}  // namespace tlmetry::testing
