// SPDX-License-Identifier: BSD-3-Clause
// Mistakes in plans and options: one sentence, and nothing is done.
#include "program.hpp"

#include <algorithm>
#include <filesystem>

using namespace tlmetry;
using test::Result;
using test::run_explore;

namespace {

void refused(const std::string& plan, const std::string& sentence, const std::string& options = "") {
    CAPTURE(plan, options);
    const test::TemporaryFolder folder;
    folder.write("plan.ini", plan);
    folder.write("other.ini", "[link]\nmps = 512B\n");
    const Result result = run_explore(folder, "plan.ini " + options);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err == "tlmetry: " + sentence + "\n");
    CHECK_FALSE(std::filesystem::exists(folder.path("plan.results")));
}

const std::string explore_section = "[explore]\n";

}  // namespace

TEST_CASE("mistakes in a plan name file and line") {
    refused("[axes]\nptc.tag = 1\n",
            "plan.ini:2: axes.ptc.tag: no parameter has this name, did you mean ptc.tags?");
    refused("[axes]\nptc.tags = 0, 1\n",
            "plan.ini:2: axes.ptc.tags: expected an integer from 1 to 1024 tags, found '0'");
    refused("[axes]\nlink.mps = 128..512 step 128\n",
            "plan.ini:2: axes.link.mps: expected a number of bytes that is a power of two such as 4096, "
            "0x1000 or 4KiB, from 128B to 4KiB, found '384'");
    refused("[axes]\nptc.tags = 1\n[ptc]\ntags = 2\n",
            "plan.ini:2: axes.ptc.tags: expected a parameter that nothing else sets, found ptc.tags, which "
            "is set by "
            "plan.ini:4: ptc.tags");
    refused("[axes]\nptc.tags = 1\nptc.tags & link.mps = 2 & 128B\n",
            "plan.ini:3: axes.ptc.tags & link.mps: expected a parameter that nothing else sets, found "
            "ptc.tags, which "
            "is set by plan.ini:2: axes.ptc.tags");
    refused("[axes]\nptc.tags = 1..1024 log\n",
            "plan.ini:2: axes.ptc.tags: expected a number of values behind log, as in 1us..100us log 9, "
            "where nothing "
            "is sampled, found none");
    refused("[axes]\nlink.mps = 256B, 512B, 0x100\n",
            "plan.ini:2: axes.link.mps: expected different values, found '256B' twice");
    refused("[axes]\nptc.tags & link.mps = 8..10 & 256B, 9 & 256B\n",
            "plan.ini:2: axes.ptc.tags & link.mps: expected different values, found '9 & 256B' twice");
    refused(
        "[axes]\ntimeline.at 1us = set host.latency 1us, set host.latency 1us\n",
        "plan.ini:2: axes.timeline.at 1us: expected different values, found 'set host.latency 1us' twice");
    refused(
        "[explore]\ntimeout = 0s\n",
        "plan.ini:2: explore.timeout: expected a time with its unit such as 2.5ns or 1us, at least 1fs, or "
        "never, found '0s'");
    refused("[axes]\nptc.tags = 1\nptc.tags = 2\n",
            "plan.ini:3: axes.ptc.tags is set a second time, first in line 2");
    refused("[axes]\nrun.seed = 0..10000000000\n",
            "plan.ini: expected at most 1000000000 points, found more");
    refused("[link]\nmps = 100\n",
            "plan.ini:2: link.mps: expected a number of bytes that is a power of two such as 4096, 0x1000 or "
            "4KiB, from 128B to 4KiB, found '100'");
    refused("[axis]\nptc.tags = 1\n", "plan.ini:2: axis.ptc.tags: no parameter has this name");
    refused("ptc.tags = 1 2\n", "plan.ini:1: ptc.tags: expected an integer from 1 to 1024 tags, found '1 2'");
    refused("what\n", "plan.ini:1: expected [section] or key = value, found 'what'");
}

TEST_CASE("mistakes in what is done with points") {
    refused(explore_section + "bases = other.ini\n",
            "plan.ini:2: explore.bases: no parameter has this name, did you mean explore.base?");
    refused(explore_section + "base = none.ini\n",
            "configuration file none.ini cannot be opened: No such file or directory");
    refused(explore_section + "base = other.ini, other.ini\n",
            "plan.ini:2: explore.base: expected different configurations, found 'other.ini' twice");
    refused(explore_section + "base = other.ini,\n",
            "plan.ini:2: explore.base: expected a file between two commas, found nothing");
    refused(explore_section + "base = other.ini +\n",
            "plan.ini:2: explore.base: expected a file on both sides of +, found nothing");
    refused(explore_section + "outputs = useful_rate, usefull_rate\n",
            "plan.ini:2: explore.outputs: expected outputs that tlmetry explore --list-outputs names, found "
            "'usefull_rate', did you mean useful_rate?");
    refused(explore_section + "outputs = F4, F4\n",
            "plan.ini:2: explore.outputs: expected different names, found 'F4' twice");
    refused(explore_section + "outputs = F4,\n",
            "plan.ini:2: explore.outputs: expected a name between two commas, found nothing");
    refused(explore_section + "repetitions = 0\n",
            "plan.ini:2: explore.repetitions: expected an integer from 1 to 1000000, found '0'");
    refused(explore_section + "precision = fine\n",
            "plan.ini:2: explore.precision: expected a fraction from 0 to 1 such as 0.25, 25% or 3ppm, in "
            "steps of 1e-15, found 'fine'");
    refused(
        "[sample]\npoints = 5\n",
        "plan.ini:2: sample.points: expected sample.kind = random or latin_hypercube with it, found grid");
    refused("[sample]\nkind = random\n",
            "plan.ini:2: sample.kind: expected sample.points above 0 with it, found nothing");
    refused("[sample]\nkind = sobol\n",
            "plan.ini:2: sample.kind: expected one of grid, random, latin_hypercube, found 'sobol'");
}

TEST_CASE("mistakes in options") {
    const std::string plan = "[axes]\nptc.tags = 1, 2\n";
    refused(plan, "option --ptc.tags: expected an integer from 1 to 1024 tags, found 'x'", "--ptc.tags=x");
    refused(plan,
            "plan.ini:2: axes.ptc.tags: expected a parameter that nothing else sets, found ptc.tags, which "
            "is set by "
            "option --ptc.tags",
            "--ptc.tags=3");
    refused(plan, "option --jobs: expected a number from 1 to 256, found '0'", "--jobs 0");
    refused(plan, "option --engine: expected local or slurm, found 'ssh'", "--engine ssh");
    refused(plan, "option --tasks: expected --engine slurm with it, found local", "--tasks 5");
    refused(plan, "option --sbatch: expected --engine slurm with it, found local", "--sbatch=--hold");
    refused(plan, "option --detach: expected --engine slurm with it, found local", "--detach");
    refused(plan, "option --tasks: expected a number from 1 to 100000, found '0'",
            "--engine slurm --tasks 0");
    refused(plan,
            "option --detach: expected no --find with it, whose steps follow from one another, found one",
            "--engine slurm --detach --find ptc.tags --until 'F4>1'");
    refused(plan, "option --slurm-job: expected a number or collect, found 'all'",
            "--engine slurm --slurm-job all");
    refused(plan, "option --find: expected --until with it, found none", "--find ptc.tags");
    refused(plan, "option --until: expected --find with it, found none", "--until 'F4>1'");
    refused(plan,
            "option --until: expected OUTPUT, one of >= > <= < = !=, and a number, a part of max or min, or "
            "a text, "
            "as in useful_rate>=0.99max, found 'much'",
            "--find ptc.tags --until much");
    refused(plan, "option --find: expected a range from a lower to a higher number, found '9..1'",
            "--find ptc.tags=9..1 --until 'useful_rate>1'");
    refused(plan, "option --dump-config: expected the number of a point, from 0 to 1, found '2'",
            "--dump-config 2");
    const test::TemporaryFolder folder;
    CHECK(run_explore(folder, "").err ==
          "tlmetry: explore: expected one plan, found 0 files; see tlmetry explore --help\n");
    CHECK(run_explore(folder, "none.ini").err ==
          "tlmetry: plan none.ini cannot be opened: No such file or directory\n");
    CHECK(run_explore(folder, "a b").code == 2);
}

TEST_CASE("a machine without Slurm says so") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[axes]\nptc.tags = 1, 2\n");
    const Result result = test::shell("cd " + folder.path("") + " && PATH=/nowhere " + TLMETRY_PROGRAM +
                                      " explore plan.ini --engine slurm");
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err ==
          "tlmetry: option --engine: expected a cluster whose Slurm answers, found that it does not "
          "(scontrol: expected a program of this name on the PATH, found none)\n");
}
