// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry characterize` as a user starts it.
#include "../support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace tlmetry;
using Catch::Contains;
using Catch::StartsWith;
using test::Result;
using test::shell;

namespace {

Result characterize(const std::string& arguments) {
    return shell(TLMETRY_PROGRAM " characterize " + arguments);
}

const std::string config = TLMETRY_CONFIGS "/default.ini ";

void check_refused(const std::string& arguments, const std::string& sentence) {
    CAPTURE(arguments);
    const Result result = characterize(arguments);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err == "tlmetry: " + sentence + "\n");
}

}  // namespace

TEST_CASE("all parts are measured, printed and saved") {
    const test::TemporaryFolder dir;
    const Result result = characterize(config + "--quick --csv " + dir.path("tables") + " --json " +
                                       dir.path("all.json") + " --html " + dir.path("page.html"));
    CHECK(result.code == 0);
    CHECK(result.err == "");
    for (const char* title :
         {"Throughput\n=", "Read latency\n=", "Reads under way\n=", "Alignment\n=", "Snoop and no snoop\n=",
          "Completion combining\n=", "Aggregate scaling\n=", "MPS and MRRS\n="})
        CHECK_THAT(result.out, Contains(title));
    const auto json = nlohmann::json::parse(test::read_file(dir.path("all.json")));
    CHECK(json["schema"] == "tlmetry.characterization/1");
    CHECK(json["configuration"] == "default.ini");
    CHECK(json["quick"] == true);
    CHECK(json["parameters"]["card"]["shape"] == "gen4x16_ptile");
    CHECK(json["parts"].size() == 8);
    std::size_t tables = 0;
    for (const auto& part : json["parts"]) {
        for (const auto& [key, rows] : part["tables"].items()) {
            const std::string csv = test::read_file(dir.path("tables/" + key + ".csv"));
            CHECK(std::count(csv.begin(), csv.end(), '\n') == static_cast<long>(rows.size() + 1));
            ++tables;
        }
    }
    CHECK(tables == 10);
    const std::string page = test::read_file(dir.path("page.html"));
    CHECK_THAT(page, StartsWith("<!DOCTYPE html>"));
    CHECK_THAT(page, Contains(test::read_file(dir.path("tables/throughput.csv"))));
    CHECK_THAT(page, !Contains("<script src") && !Contains("<link"));
}

TEST_CASE("parts, options and a single file of CSV") {
    const test::TemporaryFolder dir;
    const Result result = characterize(
        config + "--quick --parts alignment,scaling --jobs 1 --card.shape=gen4x8x8_ptile --csv " +
        dir.path("all.csv"));
    CHECK(result.code == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out, StartsWith("Alignment\n") && Contains("2 endpoints at once reach what"));
    CHECK_THAT(test::read_file(dir.path("all.csv")),
               StartsWith("# alignment\nrequest,offset_B,size_B,") &&
                   Contains("\n\n# scaling\ntraffic,size_B,endpoints,"));
}

TEST_CASE("Ctrl-C ends it") {
    const Result result =
        test::interrupted(TLMETRY_PROGRAM " characterize " + config +
                          "--telemetry.pcie_endpoints=16 --host.latency=10ms --parts scaling");
    CHECK(result.code == 130);
    CHECK(result.err == "interrupted after 0 of 1 parts\n");
    CHECK(result.out == "");
}

TEST_CASE("mistakes are told in a sentence") {
    check_refused("",
                  "characterize: expected a configuration file, found none; see tlmetry characterize --help");
    check_refused(
        config + "--parts throughput,speed",
        "option --parts: expected some of throughput, latency, outstanding, alignment, snoop, combining, "
        "scaling, settings, found 'speed'");
    check_refused(config + "--jobs 0", "option --jobs: expected a number from 1 to 256, found '0'");
    check_refused(
        config + "--traffic.kind=pins",
        "characterize: expected traffic.kind = requests, the traffic of a card, found another kind");
    check_refused(config + "--link.up=false", "characterize: expected link.up = true, found false");
    for (const char* arguments :
         {"--html /no/such/folder/page.html", "--json /no/such/folder/all.json", "--csv /proc/no/folder",
          "--html /tmp/same --json /tmp/same", "--unknown", "--link.lanes=3"}) {
        CAPTURE(arguments);
        const Result result = characterize(config + arguments);
        CHECK(result.code == 2);
        CHECK(result.out == "");
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
}

TEST_CASE("help names the parts") {
    const Result result = characterize("--help");
    CHECK(result.code == 0);
    test::check_width(result.out);
    CHECK_THAT(result.out, Contains("\n  throughput   ") && Contains("\n  settings     "));
}
