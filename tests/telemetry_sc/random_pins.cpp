// SPDX-License-Identifier: BSD-3-Clause
//
// Random scenarios through the pin adapter, through the literal ticking reference and through the counting
// core told by runs: every MI answer, the order of the deltas and the counters must be equal.
//
//   random_pins [--first N] [--count M] [--seconds S]
//
// SystemC elaborates once in a process, so each scenario has a process of its own.
#include "telemetry_sc/child_process.hpp"
#include "telemetry_sc/outcome.hpp"

#include <tlmetry/systemc/time.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <systemc>

namespace {

using namespace tlmetry;
using namespace tlmetry::testing;

/// What one scenario reports to the parent process.
struct Result {
    bool different;
    std::uint64_t answers;
    std::uint64_t deltas;
    std::uint64_t dropped_deltas;
};

Drive drive_of(std::uint64_t seed) {
    return seed % 4 == 3 ? Drive::with : Drive::after;
}

Result compare(std::uint64_t seed, const std::string& description) {
    const Drive drive = drive_of(seed);
    const Outcome expected = ticking_outcome(seed, drive);
    const Outcome pins = pins_outcome(seed, drive);
    std::string difference = pins.difference(expected);
    if (!difference.empty()) difference = "pins against the ticking reference: " + difference;
    if (difference.empty()) {
        difference = pins.difference(runs_outcome(seed, drive));
        if (!difference.empty()) difference = "pins against runs: " + difference;
    }
    if (!difference.empty()) {
        std::cout << description << (drive == Drive::with ? ", driven with the edges" : "") << "\n  "
                  << difference << std::endl;
    }
    return {!difference.empty(), expected.answer_count(), expected.deltas.size(), pins.dropped_deltas};
}

int compare_many(std::uint64_t first, std::uint64_t count, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t scenarios = 0, too_wide = 0, with_resets = 0, bad = 0;
    Result sum{};
    for (std::uint64_t seed = first; seed < first + count && bad < 10; ++seed) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) break;
        const Scenario scenario(seed);
        if (!fits_pin_adapter(scenario.config)) {
            ++too_wide;
            continue;
        }
        Result result{};
        const bool done = in_child_process([&] { return compare(seed, scenario.description); }, result);
        if (!done) std::cout << scenario.description << "\n  ended early" << std::endl;
        ++scenarios;
        bad += !done || result.different ? 1 : 0;
        with_resets += scenario.resets.empty() ? 0 : 1;
        sum.answers += result.answers;
        sum.deltas += result.deltas;
        sum.dropped_deltas += result.dropped_deltas;
    }
    std::cout << scenarios << " scenarios (" << too_wide << " left out, too wide for pins), " << with_resets
              << " with resets, " << sum.answers << " MI answers, " << sum.deltas << " deltas, "
              << sum.dropped_deltas << " dropped, " << bad << " different\n";
    // A run in which nothing was compared proves nothing.
    return bad == 0 && sum.answers > 0 && sum.deltas > 0 && with_resets > 0 && sum.dropped_deltas > 0 ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    use_fs_resolution();
    std::uint64_t first = 1;
    std::uint64_t count = 100;
    double seconds = 1e9;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--first") == 0) first = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--count") == 0) count = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::strtod(argv[i + 1], nullptr);
    }
    return compare_many(first, count, seconds);
}
