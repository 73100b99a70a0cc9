// SPDX-License-Identifier: BSD-3-Clause
//
// Random scenarios through the pin adapter, through the literal ticking reference and through the counting
// core told by runs: every MI answer, the order of the deltas and the counters must be equal.
//
//   random_pins [--first N] [--count M] [--seconds S]
//
// SystemC elaborates once in a process, so each scenario has a process of its own.
#include "telemetry/seeds.hpp"
#include "telemetry_sc/child_process.hpp"
#include "telemetry_sc/pins_outcome.hpp"

#include <tlmetry/systemc/time.hpp>

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

Result compare(std::uint64_t seed, const std::string& description) {
    const Drive drive = drive_of(seed);
    const Outcome expected = ticking_outcome(seed, drive);
    const Outcome pins = pins_outcome(seed, drive);
    const char* other = "the ticking reference";
    std::string text = difference(pins, expected, seed, drive);
    if (text.empty()) {
        other = "runs";
        text = difference(pins, runs_outcome(seed, drive), seed, drive);
    }
    if (!text.empty()) {
        std::cout << description << (drive == Drive::with ? ", driven with the edges" : "") << "\n  "
                  << "pins against " << other << ": " << text << std::endl;
    }
    return {!text.empty(), expected.answer_count(), expected.deltas.size(), pins.dropped_deltas};
}

int compare_many(Seeds seeds) {
    std::uint64_t scenarios = 0, too_wide = 0, with_resets = 0, bad = 0;
    Result sum{};
    while (bad < 10) {
        const auto seed = seeds.next();
        if (!seed) break;
        const Scenario scenario(*seed);
        if (!fits_pin_adapter(scenario.config)) {
            ++too_wide;
            continue;
        }
        Result result{};
        const bool done = in_child_process([&] { return compare(*seed, scenario.description); }, result);
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
    return compare_many(Seeds(argc, argv));
}
