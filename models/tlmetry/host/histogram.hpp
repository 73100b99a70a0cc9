// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::host {

/// A latency and how often it was seen.
struct HistogramBin {
    time_fs latency = 0;
    std::uint64_t count = 0;  ///< above 0
};

/// Reads a histogram of latencies. A line is
///
///     ns count
///
/// with the latency in nanoseconds (up to 6 decimals) and how often it was seen. Empty lines and lines that
/// begin with # are skipped, and so are latencies seen 0 times. At most 65535 bins are left. Throws UserError
/// naming the file and the line of a mistake.
std::vector<HistogramBin> read_histogram(const std::string& path);

}  // namespace tlmetry::host
