// SPDX-License-Identifier: BSD-3-Clause
// Nodes, jobs and whoever watches them end before their time: the results are those of an undisturbed run.
#include "runs.hpp"

#include <tlmetry/explore/child_program.hpp>
#include <tlmetry/explore/store.hpp>

#include <csignal>
#include <map>
#include <sstream>

using namespace tlmetry;
using Catch::Contains;
using test::check_same_results;
using test::Cluster;
using test::end_long_points;
using test::explore_locally;
using test::long_plan;
using test::points_done;
using test::run_explore;
using test::wait_until;

namespace {

/// `tlmetry explore plan.ini --engine slurm` on a terminal.
std::string on_terminal(const test::TemporaryFolder& folder) {
    return "cd " + folder.path("") + " && exec " + TLMETRY_PROGRAM +
           " explore plan.ini --engine slurm --tasks 2 --jobs 2";
}

}  // namespace

TEST_CASE("a node that dies has its tasks run again, from where they were") {
    Cluster cluster;
    const test::TemporaryFolder folder;
    folder.write("plan.ini", long_plan);
    CHECK(run_explore(folder, "plan.ini --engine slurm --tasks 2 --jobs 2 --detach").code == 0);
    // All tasks are at their last point.
    wait_until([&] { return points_done(folder, "plan.results") == 4; });
    REQUIRE(Cluster::tasks("RUNNING") == 2);
    std::istringstream running(Cluster::queue("RUNNING", "%N %K"));
    cluster.fail(0);
    CHECK(Cluster::tasks("PENDING") == 1 + 1);
    // What the tasks had done stays as it is, which the time that it took shows.
    std::map<std::uint64_t, double> before;
    for (std::string node, task; running >> node >> task;) {
        if (node != "node0") continue;
        explore::Store(folder.path("plan.results/slurm/task" + task))
            .each([&](std::uint64_t index, const explore::Result& result) { before[index] = result.wall_s; });
    }
    CHECK(before.size() == 2);
    Cluster::hurry();
    end_long_points([] { return Cluster::tasks("PENDING") <= 1; });
    cluster.repair(0);
    end_long_points([] { return Cluster::tasks("PENDING,RUNNING,COMPLETING") == 0; });
    {
        explore::Store store(folder.path("plan.results"));
        for (const auto& [index, wall_s] : before)
            CHECK(store.result(index).value().wall_s == wall_s);
    }
    explore_locally(folder);
    check_same_results(folder, "plan.results", "local");
    CHECK_FALSE(std::filesystem::exists(folder.path("plan.results/slurm")));
}

TEST_CASE("whoever watches may end, jobs may be cancelled, and the same command goes on") {
    const Cluster cluster;
    const test::TemporaryFolder folder;
    folder.write("plan.ini", long_plan);
    {
        test::Terminal terminal(on_terminal(folder));
        terminal.wait_for("4 of 6 points; 2 running");
        terminal.end();
    }
    {
        test::Terminal terminal(on_terminal(folder));
        terminal.wait_for("[################........] 66 %  4 of 6 points; 2 running");
        terminal.press_ctrl_c();
        CHECK_THAT(
            terminal.screen(),
            Contains("interrupted after 0 of 6 points, whose jobs go on; the same command watches them, "
                     "scancel --name=tlmetry-"));
        CHECK(terminal.code() == 130);
    }
    REQUIRE(Cluster::tasks("RUNNING") == 2);
    {
        test::Terminal terminal(on_terminal(folder));
        terminal.wait_for("4 of 6 points; 2 running");
        explore::run_program({"scancel", "--user=" + std::to_string(getuid())});
        CHECK_THAT(terminal.screen(),
                   Contains("results of 4 of 6 points, as jobs have ended before (plan.results/slurm/log/") &&
                       Contains(" CANCELLED AT ") &&
                       Contains("; the same command submits the others again\n"));
        CHECK(terminal.code() == 1);
    }
    const std::string csv = test::read_file(folder.path("plan.results/results.csv"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 4);
    test::Terminal again(on_terminal(folder));
    again.wait_for("4 of 6 points; 2 running");
    CHECK_THAT(end_long_points(again), Contains("6 points, 2 failed: plan.results/results.html"));
    CHECK(again.code() == 1);
    explore_locally(folder);
    check_same_results(folder, "plan.results", "local");
}
