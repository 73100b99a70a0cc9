// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace tlmetry::bench {

/// Seconds of processor time used so far: what wall time would be with a core to oneself.
inline double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds of processor time that `work` takes: the best of `rounds`, since other programs on the machine
/// only make it slower.
template <class Work>
double best_seconds(int rounds, Work&& work) {
    double best = 1e300;
    for (int round = 0; round < rounds; ++round) {
        const double start = cpu_seconds();
        work();
        best = std::min(best, cpu_seconds() - start);
    }
    return best;
}

/// Prints one result as a line of JSON; tools/bench collects the lines of all programs into one table.
inline void result(const char* name, double value, const char* unit) {
    std::printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"}\n", name, value, unit);
    std::fflush(stdout);
}

}  // namespace tlmetry::bench
