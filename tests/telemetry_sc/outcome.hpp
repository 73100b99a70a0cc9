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
    std::vector<Delta> deltas;  ///< in the order in which the accumulator takes them
    std::vector<std::uint64_t> live;
    std::vector<std::uint64_t> snapshot;

    // Not compared: what the scenario exercised.
    std::uint64_t dropped_deltas = 0;

    std::uint64_t answer_count() const;
    /// The first difference to what is expected; empty if there is none.
    std::string difference(const Outcome& expected) const;
};

/// The literal ticking reference.
Outcome ticking_outcome(std::uint64_t seed, Drive drive);
/// The counting core with endless clocks, told by runs.
Outcome runs_outcome(std::uint64_t seed, Drive drive);
/// The pin adapter with signals and sc_clocks. Elaborates: once in a process.
Outcome pins_outcome(std::uint64_t seed, Drive drive);

/// The vectors of the configuration fit into the integers of the pin adapter.
bool fits_pin_adapter(const telemetry::Config& config);

}  // namespace tlmetry::testing
