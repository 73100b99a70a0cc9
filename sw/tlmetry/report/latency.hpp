// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/latency_histogram.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tlmetry::report {

/// A histogram and what it is of.
struct NamedLatency {
    std::string name;
    const LatencyHistogram* histogram;
};

/// Mean, least, most and percentiles in nanoseconds, a line for each.
std::string latency_table(const std::vector<NamedLatency>& latencies);

/// Bars of equal widths from the least to nearly the most.
std::string latency_bars(const LatencyHistogram& histogram);

/// The same numbers by their names, in femtoseconds; with `buckets` also the histogram: [first, first beyond,
/// count].
nlohmann::ordered_json latency_json(const LatencyHistogram& histogram, bool buckets);

}  // namespace tlmetry::report
