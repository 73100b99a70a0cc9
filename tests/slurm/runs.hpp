// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../explore/program.hpp"
#include "../support/terminal.hpp"
#include "cluster.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace tlmetry::test {

/// Six points: four of a moment, and two that do not end by themselves, but by end_long_points().
inline const std::string long_plan = quick_plan.substr(0, quick_plan.find("duration")) +
                                     "warmup = 10us\n[axes]\nrun.duration = 20us, 30us, 3600s\n"
                                     "run.seed = 1, 2\n";

/// Processes that simulate points for this test, be it as tasks of its cluster or beside it.
std::vector<pid_t> workers();

/// Lets them crash until `done`: as long as only long points are left, these get their error that way.
void end_long_points(const std::function<bool()>& done);

/// What a command has shown on its terminal in the end, which it reaches as its long points end.
std::string end_long_points(Terminal& terminal);

/// Results of long_plan by the local engine, in folder `local`.
void explore_locally(const TemporaryFolder& folder);

/// The result files of two folders are the same.
inline void check_same_results(const TemporaryFolder& folder, const std::string& a, const std::string& b) {
    for (const char* name : {"/results.csv", "/results.json"})
        CHECK(read_file(folder.path(a + name)) == read_file(folder.path(b + name)));
}

/// What tasks have told of the points that they have done.
inline int points_done(const TemporaryFolder& folder, const std::string& results) {
    int done = 0;
    for (int task = 0;; ++task) {
        const std::string part = folder.path(results + "/slurm/task" + std::to_string(task));
        if (!std::filesystem::exists(part)) return done;
        std::ifstream file(part + "/progress");
        int points = 0;
        if (file >> points) done += points;
    }
}

}  // namespace tlmetry::test
