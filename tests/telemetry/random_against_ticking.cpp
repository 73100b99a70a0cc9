// SPDX-License-Identifier: BSD-3-Clause
//
// Random scenarios through the counting core, told by runs, and through the literal ticking reference: every
// MI answer, the order of the deltas and the counters must be equal.
//
//   random_against_ticking [--first N] [--count M] [--seconds S]
#include "telemetry/outcome.hpp"
#include "telemetry/seeds.hpp"

#include <iostream>

using namespace tlmetry::testing;

int main(int argc, char** argv) {
    Seeds seeds(argc, argv);
    std::uint64_t scenarios = 0, with_resets = 0, answers = 0, dropped = 0, skipped = 0, bad = 0;
    while (bad < 10) {
        const auto seed = seeds.next();
        if (!seed) break;
        const Drive drive = drive_of(*seed);
        const Way way{*seed % 3 == 1, *seed % 2 == 1};
        const Outcome expected = ticking_outcome(*seed, drive, way.watch_deltas);
        const Outcome runs = runs_outcome(*seed, drive, way);
        const Scenario scenario(*seed);
        ++scenarios;
        with_resets += scenario.resets.empty() ? 0 : 1;
        answers += runs.answer_count();
        dropped += runs.dropped_deltas;
        skipped += runs.skipped_stretches;
        const std::string text = difference(runs, expected, *seed, drive);
        if (text.empty()) continue;
        ++bad;
        std::cout << scenario.description << (drive == Drive::with ? ", driven with the edges" : "")
                  << (way.recorded_clocks ? ", recorded clocks" : "")
                  << (way.watch_deltas ? ", deltas watched" : "") << "\n  " << text << std::endl;
    }
    std::cout << scenarios << " scenarios, " << with_resets << " with resets, " << answers << " MI answers, "
              << dropped << " dropped deltas, " << skipped << " stretches skipped, " << bad << " different\n";
    // A run that met none of the hard regimes proves nothing.
    const bool met_all = answers > 0 && (scenarios < 100 || (dropped > 0 && skipped > 0 && with_resets > 0));
    return bad == 0 && met_all ? 0 : 1;
}
