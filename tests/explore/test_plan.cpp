// SPDX-License-Identifier: BSD-3-Clause
#include "plans.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/explore/point_run.hpp>

#include <catch2/catch.hpp>

#include <set>

using namespace tlmetry;
using explore::Plan;
using explore::Point;
using explore::PointRun;
using test::plan_of;
using test::quick_plan;

namespace {

std::string text(const Plan& plan, std::uint64_t index) {
    const Point point = plan.point(index);
    std::string result = std::to_string(point.base) + "/" + std::to_string(point.repetition);
    for (const auto& [name, value] : point.values)
        result += " " + value;
    return result;
}

std::string key(const Plan& plan, std::uint64_t index) {
    return PointRun(plan, plan.point(index)).key();
}

}  // namespace

TEST_CASE("points are numbered by base, axes and repetition") {
    const test::TemporaryFolder folder;
    folder.write("a.ini", "[link]\nmps = 512B\n");
    folder.write("b.ini", "[link]\nmps = 128B\n");
    folder.write("c.ini", "[link]\nmrrs = 1KiB\n");
    const Plan plan = plan_of(folder,
                              "[explore]\nbase = a.ini, b.ini + c.ini\nrepetitions = 2\n"
                              "[axes]\nptc.tags = 32, 64, 128\ntelemetry.drain_period = 64..128 log2\n");
    CHECK(plan.points() == 2 * 3 * 2 * 2);
    CHECK(plan.outputs() == std::vector<std::string>{"useful_rate"});
    CHECK(text(plan, 0) == "0/0 32 64");
    CHECK(text(plan, 1) == "0/1 32 64");
    CHECK(text(plan, 2) == "0/0 32 128");
    CHECK(text(plan, 4) == "0/0 64 64");
    CHECK(text(plan, 12) == "1/0 32 64");
    CHECK(text(plan, 23) == "1/1 128 128");
    for (std::uint64_t i = 0; i < plan.points(); ++i) {
        CHECK(text(plan, plan.moved(i, 0, 2)).substr(4, 3) == "128");
        CHECK(text(plan, plan.moved(i, 1, 0)) == text(plan, i).substr(0, text(plan, i).rfind(' ')) + " 64");
    }
    const PointRun of_a(plan, plan.point(0)), of_b(plan, plan.point(23));
    CHECK(of_a.parameters().registry().find("link.mps")->text() == "512B");
    CHECK(of_b.parameters().registry().find("link.mps")->text() == "128B");
    CHECK(of_b.parameters().registry().find("link.mrrs")->text() == "1KiB");
    CHECK(of_b.parameters().registry().find("ptc.tags")->text() == "128");
}

TEST_CASE("an axis may be a parameter with an argument") {
    const test::TemporaryFolder folder;
    const Plan plan =
        plan_of(folder, "[axes]\ntimeline.at 100us = set host.latency 1us, set host.latency 2us\n");
    REQUIRE(plan.points() == 2);
    CHECK(PointRun(plan, plan.point(0)).error().empty());
    CHECK(plan.point(1).values.front().second == "set host.latency 2us");
}

TEST_CASE("repetitions have seeds of their own, the first one that of the configuration") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, "[explore]\nrepetitions = 100\n[run]\nseed = 7\n");
    std::set<std::uint64_t> seeds;
    for (std::uint64_t i = 0; i < plan.points(); ++i)
        seeds.insert(PointRun(plan, plan.point(i)).parameters().parameters().seed);
    CHECK(seeds.size() == 100);
    CHECK(PointRun(plan, plan.point(0)).parameters().parameters().seed == 7);
    CHECK(PointRun(plan, plan.point(5)).parameters().parameters().seed ==
          PointRun(plan, plan.point(5)).parameters().parameters().seed);
}

TEST_CASE("sampled points lie on the axes, as many for each base") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder,
                              "[axes]\nptc.tags = 32..256\nhost.latency = 100ns..10us log\n"
                              "[sample]\nkind = latin_hypercube\npoints = 50\nseed = 9\n");
    CHECK(plan.points() == 50);
    std::set<std::string> tags;
    int below_1us = 0;
    for (std::uint64_t i = 0; i < plan.points(); ++i) {
        const PointRun run(plan, plan.point(i));
        CHECK(run.error().empty());
        tags.insert(run.parameters().registry().find("ptc.tags")->text());
        below_1us += run.parameters().parameters().card.host.latency_fs < fs_per_us ? 1 : 0;
    }
    CHECK(tags.size() == 50);
    CHECK(below_1us == 25);
}

TEST_CASE("a key tells all that decides a result, and nothing else") {
    const test::TemporaryFolder folder;
    const std::string axes = "[axes]\nptc.tags = 32, 64\n";
    const std::string before = key(plan_of(folder, quick_plan + axes), 0);
    const auto of = [&](const std::string& more) { return key(plan_of(folder, more), 0); };
    CHECK(of(quick_plan + axes) == before);
    CHECK(of("# a comment\n" + quick_plan + "[axes]\nptc.tags = 32..40\n") == before);
    CHECK(of(quick_plan + "[ptc]\ntags = 32\n") == before);
    CHECK(of(quick_plan + "[sample]\n" + axes) == before);
    CHECK(key(plan_of(folder, quick_plan + axes), 1) != before);
    CHECK(of(quick_plan + axes + "[host]\nlatency = 965ns\n") != before);
    CHECK(of("[explore]\noutputs = F4\n" + quick_plan.substr(quick_plan.find("base")) + axes) != before);
    CHECK(of("[explore]\nprecision = 1%\n" + quick_plan.substr(quick_plan.find("base")) + axes) != before);
    CHECK(of("[explore]\ntimeout = 1s\n" + quick_plan.substr(quick_plan.find("base")) + axes) == before);
    const Plan repeated =
        plan_of(folder, "[explore]\nrepetitions = 2\n" + quick_plan.substr(quick_plan.find("base")) + axes);
    CHECK(key(repeated, 0) == before);
    CHECK(key(repeated, 1) != before);
}

TEST_CASE("a key tells the content of the files of a card") {
    const test::TemporaryFolder folder;
    const std::string trace = folder.write("trace.csv", "0,R,0x100000000,256\n");
    const std::string text = quick_plan + "[traffic]\ntrace = " + trace + "\n";
    const std::string before = key(plan_of(folder, text), 0);
    const std::string digest = plan_of(folder, text).digest();
    folder.write("trace.csv", "0,R,0x100000000,512\n");
    CHECK(key(plan_of(folder, text), 0) != before);
    CHECK(plan_of(folder, text).digest() != digest);
    // One that is missing may come.
    std::filesystem::remove(trace);
    const std::string missing = key(plan_of(folder, text), 0);
    folder.write("trace.csv", "0,R,0x100000000,256\n");
    CHECK(key(plan_of(folder, text), 0) == before);
    CHECK(missing != before);
}

TEST_CASE("a file that changes while its points are simulated makes them fail for now") {
    const test::TemporaryFolder folder;
    const std::string trace = folder.write("trace.csv", "0,R,0x100000000,256\n");
    const Plan plan = plan_of(folder, quick_plan + "[ptc]\ntags = 64\n[traffic]\ntrace = " + trace + "\n");
    const auto result = [&] { return explore::PointRun(plan, plan.point(0)).run(fs_per_us); };
    CHECK(result().error == "");
    const std::string before = key(plan, 0);
    folder.write("trace.csv", "0,R,0x100000000,256\n1,R,0x100000000,256\n");
    CHECK(key(plan, 0) == before);
    CHECK_THAT(result().error, Catch::Contains("expected " + trace + " to stay as it was"));
    CHECK_FALSE(result().settled);
    std::filesystem::remove(trace);
    CHECK_THAT(result().error, Catch::Contains("expected " + trace + " to stay as it was"));
    CHECK_FALSE(result().settled);
}

TEST_CASE("a point that is no card says why") {
    const test::TemporaryFolder folder;
    const Plan plan = plan_of(folder, "[axes]\nlink.extended_tag = false, true\nptc.tags = 64\n");
    const PointRun bad(plan, plan.point(0));
    CHECK(bad.error() ==
          "ptc.tags: expected at most 32 with link.tag_10bit false and link.extended_tag false, found 64");
    CHECK(bad.run().error == bad.error());
    CHECK(bad.run().settled);
    CHECK(PointRun(plan, plan.point(1)).error().empty());
}

TEST_CASE("a range with a unit has steps unless it is sampled or searched") {
    const test::TemporaryFolder folder;
    const std::string axes = "[axes]\nhost.latency = 1us..2us\n";
    CHECK_THROWS_WITH(
        plan_of(folder, axes),
        Catch::Contains("plan.ini:2: axes.host.latency: expected step, lin N or log N behind a range "
                        "with a unit, found '1us..2us', which has 1000000001 values"));
    CHECK_THROWS_WITH(plan_of(folder, "[axes]\ntraffic.read_size.bytes = 64B..128B\n"),
                      Catch::Contains("which has 65 values"));
    CHECK(plan_of(folder, axes + "[sample]\nkind = random\npoints = 5\n").points() == 5);
    CHECK(plan_of(folder, "[axes]\nhost.latency = 1us..2us step 1ns\n").points() == 1001);
    const std::string file = folder.write("plan.ini", "[explore]\n");
    const config::Assignment searched{"traffic.read_size.bytes", "64B..128B", "option --find"};
    CHECK(Plan::load(file, {}, &searched).points() == 65);
}

TEST_CASE("an axis given beside the plan takes the place of its own") {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("plan.ini", "[axes]\nptc.tags = 32, 64\n");
    const config::Assignment same{"ptc.tags", "1..1024", "option --find"};
    const config::Assignment other{"link.mps", "128B", "option --find"};
    CHECK(Plan::load(file, {}, &same).points() == 1024);
    CHECK(Plan::load(file, {}, &other).axes().size() == 2);
    CHECK(Plan::load(file, {}, &same).digest() != Plan::load(file).digest());
}
