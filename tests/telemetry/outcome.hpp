// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "telemetry/random_scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::testing {

/// When pins change that have a clock edge at the same time.
enum class Drive {
    after,  ///< behind the edge, as registers of the same clock do: the edge samples the old value
    with,   ///< in the same delta cycle as the clock: the edge samples the new value
};

/// How a scenario is told to the counting core.
struct Way {
    bool recorded_clocks = false;  ///< edge by edge as time goes on; otherwise the clocks are without end
    bool watch_deltas = true;      ///< which keeps the core from taking any of them in bulk
};

/// All that can be seen of one scenario.
struct Outcome {
    /// What DRD shows behind each MI edge with DRDY high.
    std::vector<std::optional<std::uint32_t>> answers;

    struct Delta {
        std::uint32_t stream;
        std::uint32_t channel;
        std::uint64_t value;
        bool operator==(const Delta& o) const {
            return stream == o.stream && channel == o.channel && value == o.value;
        }
    };
    std::vector<Delta> deltas;  ///< in the order in which the accumulator takes them; empty if not watched
    std::vector<std::uint64_t> live;
    std::vector<std::uint64_t> snapshot;

    // Not compared: what the scenario exercised.
    std::uint64_t dropped_deltas = 0;
    std::uint64_t skipped_stretches = 0;

    std::uint64_t answer_count() const;
};

/// The first difference between two outcomes of the same scenario; empty if there is none.
std::string difference(const Outcome& found, const Outcome& expected, std::uint64_t seed, Drive drive);

/// The literal ticking reference.
Outcome ticking_outcome(std::uint64_t seed, Drive drive, bool watch_deltas = true);
/// The counting core, told by runs.
Outcome runs_outcome(std::uint64_t seed, Drive drive, const Way& way = {});

/// How the pins of a scenario are driven in the random tests.
Drive drive_of(std::uint64_t seed);

}  // namespace tlmetry::testing
