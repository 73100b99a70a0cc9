// SPDX-License-Identifier: BSD-3-Clause
// What the programs of Slurm print, and the words that they are given.
#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/child_program.hpp>
#include <tlmetry/explore/slurm.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using explore::run_program;
namespace slurm = explore::slurm;

TEST_CASE("squeue tells the states of the tasks of one name") {
    const slurm::Queue queue = slurm::parse_queue(
        "a|RUNNING|None\na|PENDING|None\na|PENDING|Resources\nb|RUNNING|None\na-collect|PENDING|Dependency\n"
        "a|PENDING|Priority\n",
        "a");
    CHECK(queue.tasks.size() == 2);
    CHECK(queue.tasks.at("PENDING") == 3);
    CHECK(queue.text() == "3 pending (Resources), 1 running");
    CHECK_FALSE(queue.collecting);
    CHECK(slurm::parse_queue("", "a").tasks.empty());
    CHECK(slurm::parse_queue("", "a").text() == "");
    const slurm::Queue collecting = slurm::parse_queue("a-collect|RUNNING|None\n", "a");
    CHECK(collecting.tasks.empty());
    CHECK(collecting.collecting);
    CHECK(slurm::parse_queue("a|PENDING|why|so\n", "a").waits_for == "why|so");
    CHECK_THROWS_WITH(slurm::parse_queue("a|RUNNING\n", "a"),
                      "squeue: expected NAME|STATE|REASON, found 'a|RUNNING'");
}

TEST_CASE("scontrol tells how many tasks an array may have") {
    CHECK(slurm::parse_max_array_size("Configuration data\nMaxArraySize            = 1001\nMaxX = 2\n") ==
          1001);
    CHECK_THROWS_WITH(slurm::parse_max_array_size("MaxArraySize            = 0\n"),
                      "scontrol: expected a MaxArraySize above 0, found 'MaxArraySize            = 0'");
    CHECK_THROWS_WITH(slurm::parse_max_array_size("MaxX = 2\n"),
                      "scontrol: expected MaxArraySize in the configuration of Slurm, found none");
}

TEST_CASE("what a program prints, and how it ends") {
    const explore::Ended ended = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"});
    CHECK(ended.code == 3);
    CHECK(ended.out == "out\n");
    CHECK(ended.err == "err\n");
    CHECK(run_program({"sh", "-c", "kill -9 $$"}).code == 128 + 9);
    // More than a pipe holds, in both.
    const explore::Ended much = run_program({"sh", "-c", "yes | head -c 300000; yes | head -c 300000 >&2"});
    CHECK(much.out.size() == 300'000);
    CHECK(much.err.size() == 300'000);
    CHECK(run_program({"cat"}).out == "");
    CHECK_THROWS_WITH(run_program({"no-such-program"}),
                      "no-such-program: expected a program of this name on the PATH, found none");
}
