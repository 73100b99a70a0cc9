// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/platform/platform.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::app {

/// One number about what a simulation has done.
struct Statistic {
    std::string name;  ///< where it was counted and what: endpoint0.dma1.requests
    std::uint64_t value = 0;
    std::string unit;
    std::string description;
};

/// All statistics of a platform, up to the last look at its telemetry.
std::vector<Statistic> statistics(const platform::Platform& platform);

/// As a table.
std::string statistics_text(const std::vector<Statistic>& statistics);

/// As a document `tlmetry.statistics/1` (docs/json.md).
std::string statistics_json(const std::vector<Statistic>& statistics, std::uint64_t seed, time_fs simulated);

}  // namespace tlmetry::app
