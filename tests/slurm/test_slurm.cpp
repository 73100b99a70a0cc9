// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry explore --engine slurm` on a cluster: the same results as without one.
#include "runs.hpp"

#include <tlmetry/explore/child_program.hpp>

#include <iterator>
#include <set>
#include <sstream>

using namespace tlmetry;
using Catch::Contains;
using test::check_same_results;
using test::Cluster;
using test::quick_plan;
using test::Result;
using test::run_explore;

namespace {

std::set<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

TEST_CASE("a cluster gives the results of the local engine, failures included") {
    const Cluster cluster;
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan +
                                 "[axes]\nptc.tags = 16, 32, 64, 512\ntraffic.read_size.bytes = 64B, 128B\n"
                                 "host.latency = 500ns, 1us, 2us\n");
    const Result result = run_explore(folder, "plan.ini --engine slurm --tasks 5 --jobs 2");
    CHECK(result.code == 1);
    CHECK(result.err == "");
    CHECK_THAT(result.out, Contains("24 points, 6 failed: plan.results/results.html"));
    CHECK(run_explore(folder, "plan.ini -o local").code <= 1);
    check_same_results(folder, "plan.results", "local");
    CHECK_FALSE(std::filesystem::exists(folder.path("plan.results/slurm")));
    // The job that would have brought the results together is not needed any more, and nothing is left to do.
    Cluster::wait_for_the_end();
    const Result again = run_explore(folder, "plan.ini --engine slurm");
    CHECK(again.code == 1);
    CHECK(again.out == result.out);
    // A changed plan submits what is new in it.
    folder.write("plan.ini", quick_plan +
                                 "[axes]\nptc.tags = 16, 32, 48, 64\ntraffic.read_size.bytes = 64B, 128B\n"
                                 "host.latency = 500ns, 1us, 2us\n");
    const Result changed = run_explore(folder, "plan.ini --engine slurm --detach --sbatch=--hold");
    CHECK(changed.code == 0);
    CHECK_THAT(changed.out, Contains(" work on 6 of 24 points; "));
    CHECK(Cluster::tasks("PENDING") == 6 + 1);
}

TEST_CASE("submitted and left alone, jobs bring their results together themselves") {
    const Cluster cluster;
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1..20\n");
    // More tasks than an array may have.
    const Result result = run_explore(
        folder, "plan.ini --engine slurm --tasks 20 --detach --sbatch='--hold --comment=\"a b\"'");
    CHECK(result.code == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out, Contains(" work on 20 of 20 points; "));
    CHECK(Cluster::tasks("PENDING") == 20 + 1);
    CHECK(words(Cluster::queue("PENDING", "%F")).size() == 4 + 1);
    CHECK(words(Cluster::queue("PENDING", "%k")) == std::set<std::string>{"a", "b"});
    // Nothing is submitted twice.
    CHECK(run_explore(folder, "plan.ini --engine slurm --tasks 20 --detach").out == result.out);
    CHECK(Cluster::tasks("PENDING") == 20 + 1);
    // A changed plan has to wait.
    folder.write("other.ini", quick_plan + "[axes]\nptc.tags = 1..21\n");
    const Result other = run_explore(folder, "other.ini -o plan.results --engine slurm");
    CHECK(other.code == 2);
    CHECK_THAT(other.err,
               Contains("tlmetry: results: expected the plan whose jobs are still at work on plan.results, "
                        "found a changed one in other.ini; scancel --name=tlmetry-"));

    for (const std::string& job : words(Cluster::queue("PENDING", "%F")))
        explore::run_program({"scontrol", "release", job});
    Cluster::wait_for_the_end();
    CHECK(run_explore(folder, "plan.ini -o local").code <= 1);
    check_same_results(folder, "plan.results", "local");
    CHECK_FALSE(std::filesystem::exists(folder.path("plan.results/slurm")));
    const Result again = run_explore(folder, "plan.ini --engine slurm");
    CHECK(again.code == 0);
    CHECK_THAT(again.out, Contains("20 points, 0 failed: plan.results/results.html"));
}

TEST_CASE("a goal is found by steps on a cluster") {
    const Cluster cluster;
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1..16\ntraffic.read_size.bytes = 64B, 128B\n");
    const std::string goal = "plan.ini --find ptc.tags --until 'useful_rate>=0.6max' ";
    const Result result = run_explore(folder, goal + "--engine slurm");
    CHECK(result.code == 0);
    const Result local = run_explore(folder, goal + "-o local");
    CHECK(result.out == local.out);
    CHECK(test::read_file(folder.path("plan.results/find.csv")) ==
          test::read_file(folder.path("local/find.csv")));
}

TEST_CASE("what Slurm refuses is one sentence, and nothing is left") {
    const Cluster cluster;
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan);
    const Result partition = run_explore(folder, "plan.ini --engine slurm --sbatch=--partition=none");
    CHECK(partition.code == 2);
    CHECK(partition.out == "");
    CHECK(partition.err ==
          "tlmetry: sbatch: invalid partition specified: none; Batch job submission failed: Invalid "
          "partition name "
          "specified\n");
    CHECK_FALSE(std::filesystem::exists(folder.path("plan.results/slurm")));
    CHECK(Cluster::tasks("all") == 0);
}
