// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/statistics.hpp>
#include <tlmetry/platform/platform.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::app {

using account::Statistic;

/// All statistics of a platform, up to the last look at its telemetry.
std::vector<Statistic> statistics(const platform::Platform& platform);

/// As a table.
std::string statistics_text(const std::vector<Statistic>& statistics);

/// As a document `tlmetry.statistics/1` (docs/json.md).
std::string statistics_json(const std::vector<Statistic>& statistics, std::uint64_t seed, time_fs simulated);

}  // namespace tlmetry::app
