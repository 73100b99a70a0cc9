// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry explore`: what a point costs besides its simulation, and what a second processor gives. Wall time,
// the best of some rounds, since other programs on the machine only make it longer.
#include "measure.hpp"

#include <tlmetry/explore/engine.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace tlmetry::explore;

struct Time {
    double wall_s = 0;
    double simulation_s = 0;  // of the points
};

/// Simulates equal points, from nothing.
Time run(const fs::path& folder, std::uint64_t points, const std::string& duration, std::size_t jobs) {
    const std::string file = (folder / "plan.ini").string();
    std::ofstream(file) << "[explore]\nrepetitions = " << points << "\n[run]\nduration = " << duration
                        << "\nwarmup = 0s\n";
    fs::remove_all(folder / "results");
    const Plan plan = Plan::load(file);
    const auto begin = std::chrono::steady_clock::now();
    Store store((folder / "results").string());
    store.begin(plan);
    LocalEngine(jobs).run(plan, points_between(0, points), store, {});
    Time time;
    time.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    store.each([&](std::uint64_t, const Result& result) { time.simulation_s += result.wall_s; });
    return time;
}

}  // namespace

int main() {
    std::string name = (fs::temp_directory_path() / "tlmetry-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return 1;
    double overhead = 1e9, one = 1e9, two = 1e9;
    constexpr int rounds = 5;
    constexpr std::uint64_t many = 500, equal = 64;
    for (int round = 0; round < rounds; ++round) {
        const Time time = run(name, many, "1us", 1);
        overhead = std::min(overhead, (time.wall_s - time.simulation_s) / static_cast<double>(many));
        one = std::min(one, run(name, equal, "5ms", 1).wall_s);
        two = std::min(two, run(name, equal, "5ms", 2).wall_s);
    }
    fs::remove_all(name);
    tlmetry::bench::result("explore, a point besides its simulation", 1e3 * overhead, "ms");
    tlmetry::bench::result("explore, 64 equal points: time of 1 process / of 2", one / two, "");
}
