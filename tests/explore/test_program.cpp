// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry explore` as a user starts it.
#include "../support/terminal.hpp"
#include "program.hpp"

#include <tlmetry/explore/store.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace tlmetry;
using Catch::Contains;
using test::quick_plan;
using test::Result;
using test::run_explore;

namespace {

using Json = nlohmann::json;

std::vector<std::vector<std::string>> rows(const std::string& csv) {
    std::vector<std::vector<std::string>> result;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        result.emplace_back();
        std::istringstream cells(line + ",");
        for (std::string cell; std::getline(cells, cell, ',');)
            result.back().push_back(cell);
    }
    return result;
}

}  // namespace

TEST_CASE("a plan becomes tables") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini",
                 quick_plan + "[axes]\nptc.tags = 64, 128\ntraffic.read_size.bytes = 64B, 256B\n");
    const Result result = run_explore(folder, "plan.ini");
    CHECK(result.code == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out,
               Contains("4 points, 0 failed: plan.results/results.html, plan.results/results.csv, "
                        "plan.results/results.json\n"));
    const auto csv = rows(test::read_file(folder.path("plan.results/results.csv")));
    REQUIRE(csv.size() == 5);
    CHECK(csv[0] == std::vector<std::string>{"point", "base", "ptc.tags", "traffic.read_size.bytes",
                                             "repetition", "useful_rate", "error"});
    CHECK(csv[4][2] == "128");
    CHECK(csv[4][3] == "256");
    const Json json = Json::parse(test::read_file(folder.path("plan.results/results.json")));
    CHECK(json["schema"] == "tlmetry.explore/1");
    CHECK(json["plan"] == "plan.ini");
    CHECK(json["points_planned"] == 4);
    CHECK(json["points_failed"] == 0);
    CHECK(json["axes"][1]["parameters"][0]["unit"] == "B");
    CHECK(json["outputs"][0]["unit"] == "B/s");
    REQUIRE(json["points"].size() == 4);
    CHECK(json["points"][3]["values"] == Json({"128", "256B"}));
    CHECK(json["points"][3]["numbers"] == Json({128, 256}));
    CHECK(json["points"][3]["outputs"][0].get<double>() == Approx(std::stod(csv[4][5])));
    CHECK(json["points"][3]["error"] == nullptr);
}

TEST_CASE("points are what tlmetry run makes of them") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini",
                 "[explore]\nbase = " TLMETRY_CONFIGS
                 "/card_gen4x8x8_ptile.ini\n"
                 "outputs = endpoint1.reads, endpoint0.link_up.all_bytes, host.endpoint1.lines_read, "
                 "report.endpoint1.rc.words, report.endpoint0.tags_free_min, endpoint1.down.F4\n"
                 "[run]\nduration = 300us\n[axes]\nptc.tags = 32, 64\n");
    CHECK(run_explore(folder, "plan.ini").code == 0);
    const Json point =
        Json::parse(test::read_file(folder.path("plan.results/results.json")))["points"][1]["outputs"];
    const Result config = run_explore(folder, "plan.ini --dump-config 1");
    CHECK(config.code == 0);
    folder.write("point.ini", config.out);
    const Result run = test::shell("cd " + folder.path("") + " && " + TLMETRY_PROGRAM +
                                   " run point.ini --json --stats stats.json --account=account.json");
    CHECK(run.code == 0);
    const Json report = Json::parse(run.out)["data"]["endpoints"];
    CHECK(point[3] == report[1]["buses"]["PCIe -> PTC (RC)"]["words"]);
    CHECK(point[4] == report[0]["tags_free_min"]);
    const Json account = Json::parse(test::read_file(folder.path("account.json")))["endpoints"][1];
    CHECK(point[5].get<double>() ==
          Approx(account["down"]["measured"]["factors"]["window"].get<double>()).epsilon(1e-4));
    const Json statistics = Json::parse(test::read_file(folder.path("stats.json")));
    for (const Json& statistic : statistics["statistics"]) {
        // The platform looks at its card a moment later.
        if (statistic["name"] == "endpoint1.reads")
            CHECK(point[0].get<double>() == Approx(statistic["value"].get<double>()).epsilon(0.01));
        if (statistic["name"] == "host.endpoint1.lines_read")
            CHECK(point[2].get<double>() == Approx(statistic["value"].get<double>()).epsilon(0.01));
    }
}

TEST_CASE("rates of a sweep are those of the closed form") {
    // With t tags of reads of s bytes that are held for h seconds each, t * s / h bytes a second come back.
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[explore]\nbase = " TLMETRY_CONFIGS
                             "/case_01_32_tags.ini\n"
                             "outputs = down.useful_rate, predicted.idle_hold, predicted.binds\n"
                             "[run]\nduration = 500us\n[link]\nextended_tag = true\n"
                             "[axes]\nptc.tags = 16..64 log2\ntraffic.read_size.bytes = 64B..256B log2\n");
    CHECK(run_explore(folder, "plan.ini").code == 0);
    const auto csv = rows(test::read_file(folder.path("plan.results/results.csv")));
    REQUIRE(csv.size() == 10);
    for (std::size_t i = 1; i < csv.size(); ++i) {
        CAPTURE(csv[i][2], csv[i][3]);
        CHECK(csv[i][7] == "tags");
        // From the release of a tag to its next grant.
        constexpr double release_s = 6e-9;
        const double hold_s = std::stod(csv[i][6]) + release_s;
        CHECK(std::stod(csv[i][5]) ==
              Approx(std::stod(csv[i][2]) * std::stod(csv[i][3]) / hold_s).epsilon(0.01));
    }
}

TEST_CASE("points that fail are in the tables, and the exit code says so") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 256, 512\n");
    const Result result = run_explore(folder, "plan.ini");
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("2 points, 1 failed") && Contains("ptc.tags: expected at most 256"));
    const Json json = Json::parse(test::read_file(folder.path("plan.results/results.json")));
    CHECK(json["points_failed"] == 1);
    CHECK(json["points"][1]["outputs"][0] == nullptr);
    CHECK_THAT(json["points"][1]["error"].get<std::string>(), Contains("found 512"));
}

TEST_CASE("a dry run tells points, axes and time, and leaves nothing behind") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1..256\nlink.mps = 128B..4KiB log2\n");
    const Result result = run_explore(folder, "plan.ini --dry-run --jobs 2");
    CHECK(result.code == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out, Contains("plan.ini: 1536 points\n") && Contains("256  ptc.tags: 1 to 256\n") &&
                               Contains("6  link.mps: 128B to 4KiB\n") && Contains("1  configuration: ") &&
                               Contains("1  repetition\n") && Contains(" with 2 processes, by 8 points"));
    CHECK_FALSE(std::filesystem::exists(folder.path("plan.results")));
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1, 2\n");
    CHECK(run_explore(folder, "plan.ini").code == 0);
    CHECK_THAT(run_explore(folder, "plan.ini --dry-run").out,
               Contains("plan.ini: 2 points, 2 already there\n") && Contains("Nothing is left to be"));
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1..5\n");
    CHECK_THAT(run_explore(folder, "plan.ini --dry-run").out,
               Contains("plan.ini: 5 points, 2 already there\n") && Contains(" for the rest with "));
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 3\n");
    CHECK_THAT(run_explore(folder, "plan.ini --dry-run").out, Contains("plan.ini: 1 point\n"));
}

TEST_CASE("latencies of no read at all are empty") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[explore]\noutputs = latency.whole.p99, latency.host.mean\n" +
                                 quick_plan.substr(quick_plan.find("base")) +
                                 "[axes]\ntraffic.read_share = 0%, 100%\n[ptc]\ntags = 64\n");
    CHECK(run_explore(folder, "plan.ini").code == 0);
    const auto csv = rows(test::read_file(folder.path("plan.results/results.csv")));
    REQUIRE(csv.size() == 3);
    CHECK(csv[1][4] == "");
    CHECK(csv[1][5] == "");
    CHECK(std::stod(csv[2][4]) > 0);
}

TEST_CASE("what the system refuses is one sentence") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1..512\n");
    const Result name = run_explore(folder, "plan.ini -o " + std::string(300, 'a'));
    CHECK(name.code == 2);
    CHECK_THAT(name.err, Contains("results: cannot make the folder aaa"));
}

TEST_CASE("a goal is found on an axis of the plan, or one of its own") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 1..256\ntraffic.read_size.bytes = 64B, 128B\n");
    const Result result = run_explore(folder, "plan.ini --find ptc.tags --until 'useful_rate>=5GB/s'");
    CHECK(result.code == 0);
    const auto csv = rows(test::read_file(folder.path("plan.results/find.csv")));
    REQUIRE(csv.size() == 3);
    CHECK(csv[0][2] == "ptc.tags");
    for (std::size_t i = 1; i < 3; ++i) {
        CHECK(std::stod(csv[i][3]) >= 5e9);
        CHECK(std::stod(csv[i][4]) == std::stod(csv[i][2]) - 1);
        CHECK(std::stod(csv[i][5]) < 5e9);
    }
    const Json json = Json::parse(test::read_file(folder.path("plan.results/find.json")));
    CHECK(json["schema"] == "tlmetry.explore.find/1");
    REQUIRE(json["combinations"].size() == 2);
    CHECK(json["combinations"][1]["values"]["traffic.read_size.bytes"] == "128B");
    CHECK(json["combinations"][1]["found"]["value"] == csv[2][2]);
    CHECK(json["combinations"][1]["beside"]["output"].get<double>() < 5e9);
    CHECK(json["combinations"][1]["looked_at"].size() == std::stoul(csv[2][6]));
    CHECK(std::stod(csv[1][2]) == Approx(2 * std::stod(csv[2][2])).margin(2));
    const Result none = run_explore(folder, "plan.ini --find ptc.tags=1..8 --until 'useful_rate>=50GB/s'");
    CHECK(none.code == 1);
    CHECK_THAT(none.out, Contains("not reached at either end"));
}

TEST_CASE("what moved between two results is told") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 32, 64\n");
    CHECK(run_explore(folder, "plan.ini -o a").code == 0);
    CHECK(run_explore(folder, "plan.ini -o b --host.latency=2us").code == 0);
    const Result same = run_explore(folder, "compare a a/results.json");
    CHECK(same.code == 0);
    CHECK_THAT(same.out, Contains("equal: 0 of 2 points moved\n"));
    const Result moved = run_explore(folder, "compare a b --csv moved.csv");
    CHECK(moved.code == 1);
    CHECK_THAT(moved.out, Contains("useful_rate: 2 of 2 moved, by -") && Contains("different: 2 of 2"));
    CHECK(rows(test::read_file(folder.path("moved.csv"))).size() == 3);
    CHECK(run_explore(folder, "compare a b --tolerance 90%").code == 0);
    CHECK(Json::parse(run_explore(folder, "compare a b --json").out)["points_moved"] == 2);
    test::check_width(run_explore(folder, "compare --help").out);
    const auto refused = [&](const std::string& words, const std::string& message) {
        const Result result = run_explore(folder, "compare " + words);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains(message));
    };
    refused("a", "expected two folders of results, found 1");
    refused("a nothing", "found 'nothing', which cannot be read");
    refused("a plan.ini", "expected JSON of the schema tlmetry.explore/1");
    refused("a b --tolerance 2", "option --tolerance: expected a part from 0 to 1");
    refused("a b --at ptc.tags", "option --at: expected NAME=VALUE");
}

TEST_CASE("repetitions have a summary") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", quick_plan + "[axes]\nptc.tags = 32, 64\n[explore]\nrepetitions = 3\n");
    CHECK(run_explore(folder, "plan.ini").code == 0);
    const auto csv = rows(test::read_file(folder.path("plan.results/summary.csv")));
    REQUIRE(csv.size() == 3);
    CHECK(csv[0][5] == "useful_rate");
    CHECK(csv[2][0] == "3");
    CHECK(csv[2][3] == "3");
}

TEST_CASE("outputs are listed, for a plan those of its cards") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[telemetry]\npcie_endpoints = 3\n");
    const Result all = run_explore(folder, "--list-outputs");
    CHECK(all.code == 0);
    CHECK_THAT(all.out,
               Contains("\nuseful_rate ") && Contains("\nlatency.whole.p99 ") && !Contains("endpoint2."));
    CHECK_THAT(run_explore(folder, "plan.ini --list-outputs").out, Contains("endpoint2.down.F4"));
}

TEST_CASE("Ctrl-C saves what there is, and the same command goes on") {
    const test::TemporaryFolder folder;
    // The last point would take for ever.
    folder.write("plan.ini", "[axes]\nrun.duration = 10us, 20us, 3600s\n");
    test::Terminal terminal("cd " + folder.path("") + " && exec " + TLMETRY_PROGRAM +
                            " explore plan.ini --jobs 1");
    terminal.wait_for("[################........] 66 %  2 of 3 points, ");
    terminal.press_ctrl_c();
    CHECK_THAT(terminal.screen(),
               Contains("interrupted after 2 of 3 points; the same command goes on from there\n"));
    CHECK(terminal.code() == 130);
    CHECK(rows(test::read_file(folder.path("plan.results/results.csv"))).size() == 3);
    CHECK(Json::parse(test::read_file(folder.path("plan.results/results.json")))["points"].size() == 2);
}

TEST_CASE("SIGTERM saves what there is, too") {
    const test::TemporaryFolder folder;
    folder.write("plan.ini", "[axes]\nrun.duration = 10us, 20us, 3600s\n");
    test::Terminal terminal("cd " + folder.path("") + " && echo $$ >pid && exec " + TLMETRY_PROGRAM +
                            " explore plan.ini --jobs 1");
    terminal.wait_for(" 2 of 3 points, ");
    REQUIRE(kill(std::stoi(test::read_file(folder.path("pid"))), SIGTERM) == 0);
    CHECK_THAT(terminal.screen(),
               Contains("interrupted after 2 of 3 points; the same command goes on from there\n"));
    CHECK(terminal.code() == 143);
    CHECK(rows(test::read_file(folder.path("plan.results/results.csv"))).size() == 3);
}

TEST_CASE("help fits on a terminal") {
    const test::TemporaryFolder folder;
    const Result result = run_explore(folder, "--help");
    CHECK(result.code == 0);
    test::check_width(result.out);
}
