// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../explore/program.hpp"
#include "cluster.hpp"

#include <filesystem>
#include <string>

namespace tlmetry::test {

/// Six points: four of a moment, and the last two of many moments more.
inline const std::string long_plan = quick_plan.substr(0, quick_plan.find("duration")) +
                                     "warmup = 10us\n[axes]\nrun.duration = 20us, 30us, 300ms\n"
                                     "run.seed = 1, 2\n";

/// The result files in folder `cluster` are those of the local engine.
inline void check_results(const TemporaryFolder& folder, const std::string& cluster,
                          const std::string& plan) {
    REQUIRE(run_explore(folder, plan + " -o local").code <= 1);
    for (const char* name : {"/results.csv", "/results.json"})
        CHECK(read_file(folder.path(cluster + name)) == read_file(folder.path("local" + std::string(name))));
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
