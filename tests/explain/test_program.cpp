// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry explain` as it is run: on recorded reports, on runs of the configurations that come along, on bad
// input.
#include "../support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

using namespace tlmetry;
using nlohmann::json;
using test::Result;
using test::shell;

namespace {

const std::string program = TLMETRY_PROGRAM;
const std::string reports = TLMETRY_TEST_DATA "/reports/";

Result explain(const std::string& arguments) {
    return shell(program + " explain " + arguments);
}

json explained(const std::string& arguments) {
    const Result result = explain(arguments + " --json");
    CAPTURE(arguments, result.err);
    REQUIRE(result.code == 0);
    REQUIRE(result.err.empty());
    return json::parse(result.out);
}

json recorded(const std::string& name) {
    return explained(reports + name + "/report.json");
}

/// A short run of a configuration, explained.
json run(const std::string& config, const std::string& facts = "") {
    const Result result =
        shell("cd " TLMETRY_CONFIGS " && " + program + " run " + config +
              " --duration=500us --quiet --json | " + program + " explain - --json " + facts);
    CAPTURE(config, result.err);
    REQUIRE(result.code == 0);
    return json::parse(result.out);
}

std::set<std::string> doubts(const json& j) {
    std::set<std::string> ids;
    for (const json& doubt : j["sanity"])
        ids.insert(doubt["id"]);
    return ids;
}

std::string top(const json& j) {
    REQUIRE(!j["verdict"].empty());
    return j["verdict"][0]["cause"];
}

/// Share of a cause of an endpoint in percent; 0 where it is not named.
double share(const json& j, const std::string& cause, int endpoint = 0) {
    for (const json& finding : j["verdict"])
        if (finding["cause"] == cause && finding["endpoint"] == endpoint) return finding["share_percent"];
    return 0;
}

void refused(const std::string& arguments, const std::string& message) {
    const Result result = explain(arguments);
    CAPTURE(arguments);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::StartsWith("tlmetry: ") && Catch::Contains(message));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("recorded reports are explained, and what is wrong with them is said") {
    using Ids = std::set<std::string>;
    // Their counters are made up, so that levels and histograms contradict each other.
    for (const char* name :
         {"01_ep1_port1", "02_ep2_port2", "03_regions4", "04_region1", "09_extra_brakes_hists_bands"})
        CHECK(doubts(recorded(name)) == Ids{"level_histogram"});
    CHECK(doubts(recorded("05_zero_counters")) == Ids{"link_down", "zero_counters", "marks_unset"});
    CHECK(doubts(recorded("06_lost_and_overrun")) == Ids{"lost_deltas", "readout_overrun"});
    CHECK(doubts(recorded("07_link_down")) == Ids{"link_down", "level_histogram"});
    CHECK(doubts(recorded("08_interval0_totals")) == Ids{"lost_deltas", "no_interval", "level_histogram"});
    CHECK(doubts(recorded("10_narrow_buses")) == Ids{"narrow_bus", "level_histogram"});
    CHECK(recorded("01_ep1_port1")["trusted"] == true);
    CHECK(recorded("06_lost_and_overrun")["trusted"] == false);
}

TEST_CASE("the verdict of recorded reports names what stopped them most") {
    CHECK(top(recorded("01_ep1_port1")) == "source");
    CHECK(share(recorded("01_ep1_port1"), "source") == Approx(39.99).margin(0.01));
    CHECK(share(recorded("01_ep1_port1"), "completion_headers") == Approx(18.82).margin(0.01));
    CHECK(top(recorded("03_regions4")) == "slow_sink");
    CHECK(top(recorded("05_zero_counters")) == "link_down");
    CHECK(top(recorded("07_link_down")) == "link_down");
    CHECK(recorded("07_link_down")["verdict"][0]["endpoint"] == 1);
    CHECK(top(recorded("08_interval0_totals")) == "link_held");
    CHECK(top(recorded("09_extra_brakes_hists_bands")) == "completion_headers");
}

TEST_CASE("real cases: the verdict names the cause, as far as telemetry tells") {
    SECTION("1: 32 tags") {
        const json j = run("case_01_32_tags.ini", "--link-generation 5 --link-width 16");
        CHECK(top(j) == "tags");
        CHECK(share(j, "tags") > 90);
        // 32 tags by 32 million reads a second
        CHECK(j["endpoints"][0]["read_round_trip_s"]["low"].get<double>() == Approx(1.0e-6).epsilon(0.02));
    }
    SECTION("2: completion headers") {
        const json j = run("case_02_completion_headers.ini");
        CHECK(top(j) == "completion_headers");
        CHECK(share(j, "tags") == 0);
    }
    SECTION("3: a slow link") {
        CHECK(top(run("case_03_gen2x1.ini")) == "link_held");
        const json j = run("case_03_gen2x1.ini", "--link-generation 2 --link-width 1");
        CHECK(top(j) == "link_up_full");
        CHECK(share(j, "headers") > 10);
        CHECK(doubts(j).empty());
    }
    SECTION("4: frames of 65 bytes") {
        const json j = run("case_04_65_byte_frames.ini", "--link-generation 4 --link-width 16");
        CHECK(top(j) == "up_full");
        CHECK(j["endpoints"][0]["buses"][2]["filled_percent"]["high"].get<double>() ==
              Approx(53.1).margin(1));
        CHECK(j["verdict"].size() == 1);
    }
    SECTION("5: one small read at a time") {
        CHECK(top(run("case_05_one_small_read.ini")) == "source");
    }
    SECTION("6: a slow driver") {
        const json j = run("case_06_slow_driver.ini");
        CHECK(top(j) == "source");
        CHECK(j["verdict"].size() == 1);
    }
    SECTION("7: an arbiter that favours writes") {
        const json j = run("case_07_favoured_writes.ini");
        CHECK(top(j) == "host_latency");
        CHECK(j["verdict"][0]["endpoint"] == 0);
        CHECK(top(run("case_07_favoured_writes.ini --traffic.stop=never,1us")) != "host_latency");
    }
    SECTION("8: a slow sink") {
        const json j = run("case_08_slow_sink.ini", "--link-generation 4 --link-width 16");
        CHECK(top(j) == "slow_sink");
        CHECK(share(j, "storage") == 0);
        CHECK(share(j, "tags") == 0);
        CHECK(top(run("case_08_slow_sink.ini --card.down_mfb_ready=1/1")) == "down_full");
    }
    SECTION("9: to the counters the tag of a lost completion is one too few") {
        CHECK(top(run("case_09_lost_completion.ini --run.warmup=700us")) == "tags");
    }
    SECTION("10: half of the lanes") {
        CHECK(top(run("case_10_half_width.ini")) == "link_held");
        CHECK(top(run("case_10_half_width.ini", "--link-generation 3 --link-width 8")) == "link_up_full");
        CHECK(top(run("case_10_half_width.ini", "--link-generation 3 --link-width 8 --capable-width 16")) ==
              "trained_down");
    }
}

TEST_CASE("a link that stops for credits or retries is told from a full one") {
    const std::string gen3x8 = "--link-generation 3 --link-width 8";
    const json few_credits =
        run("case_10_half_width.ini --link.posted_header_credits=8 --link.posted_data_credits=128", gen3x8);
    CHECK(top(few_credits) == "link_waits");
    const json damaged = run("case_10_half_width.ini --link.up_errors=10% --link.nak_latency=1us", gen3x8);
    CHECK(top(damaged) == "link_waits");
}

TEST_CASE("completions at every cache line are seen where they cost something") {
    const std::string config = "card_open.ini --traffic.writes_per_group=0 --traffic.read_size.bytes=512 ";
    const std::string gen3x8 = "--link-generation 3 --link-width 8";
    CHECK(share(run(config + "--link.combine_completions=false", gen3x8), "small_completions") > 15);
    CHECK(share(run(config + "--link.combine_completions=true", gen3x8), "small_completions") == 0);
}

TEST_CASE("the remedy of the first finding helps, and another one does not") {
    struct Case {
        const char* config;
        const char* facts;
        const char* cause;
        const char* now;  ///< what the remedy changes
        const char* remedy;
        const char* other;
    };
    const std::string reads = " --traffic.read_share=100% ";
    const Case cases[] = {
        {"card_open.ini --traffic.mix=random --traffic.read_size.bytes=256 --host.latency=960ns",
         "--link-generation 3 --link-width 8", "tags", "--ptc.tags=16", "--ptc.tags=24", "--link.mps=512"},
        {"card_open.ini --link.generation=5 --link.lanes=16 --traffic.mix=random --host.latency=2us",
         "--link-generation 5 --link-width 16", "storage", "--ptc.storage_words=512",
         "--ptc.storage_words=1024", "--link.mps=512"},
        {"card_gen5x16_rtile_2port.ini --host.latency=3us", "--link-generation 5 --link-width 16",
         "completion_headers", "--ptc.completion_headers=572", "--ptc.completion_headers=1144",
         "--ptc.storage_words=4096"},
        {"card_gen4x16_ptile.ini", "", "slow_sink", "--card.down_mvb_ready=1/16", "--card.down_mvb_ready=1/8",
         "--ptc.storage_words=8192"},
        {"card_gen4x16_ptile.ini", "", "host_latency", "--host.memory_rate=5GB/s", "--host.memory_rate=9GB/s",
         "--ptc.storage_words=8192"},
        {"card_gen3x16_htile.ini", "--link-generation 3 --link-width 8", "link_down_full", "--link.lanes=8",
         "--link.lanes=12", "--ptc.storage_words=8192"},
        {"card_gen4x16_ptile.ini", "--link-generation 4 --link-width 16", "down_full",
         "--telemetry.dma_clock=200MHz", "--telemetry.dma_clock=250MHz", "--ptc.storage_words=8192"},
        {"card_gen4x16_ptile.ini", "", "source", "--traffic.outstanding=4", "--traffic.outstanding=8",
         "--ptc.storage_words=8192"},
    };
    const auto payload = [](const json& j) {
        const json& buses = j["endpoints"][0]["buses"];
        double bytes = 0;
        for (std::size_t bus = 3; bus < buses.size(); bus += 2)
            bytes += buses[bus]["bytes_per_s"]["low"].get<double>();
        return bytes;
    };
    for (const Case& c : cases) {
        CAPTURE(c.cause);
        const std::string config = c.config + reads;
        const json before = run(config + c.now, c.facts);
        CHECK(top(before) == c.cause);
        CHECK(payload(run(config + c.remedy)) > 1.1 * payload(before));
        CHECK(payload(run(config + c.now + " " + c.other)) < 1.03 * payload(before));
    }
}

TEST_CASE("factors and times from telemetry agree with what the models count") {
    const test::TemporaryFolder folder;
    const std::string report = folder.path("report"), account = folder.path("account");
    for (const std::string config :
         {"case_01_32_tags", "case_02_completion_headers", "case_06_slow_driver", "case_07_favoured_writes",
          "card_gen4x8x8_ptile", "card_gen5x16_rtile", "card_gen3x16_htile", "reference_load", "default"}) {
        CAPTURE(config);
        REQUIRE(shell("cd " TLMETRY_CONFIGS " && " + program + " run " + config +
                      ".ini --duration=1ms --quiet --json --account=" + account + " >" + report)
                    .code == 0);
        const json counted = json::parse(test::read_file(account))["endpoints"][0];
        const json told = explained(report)["endpoints"][0];
        const auto within = [](const json& bounds, double exact, double tolerance) {
            CAPTURE(exact);
            CHECK(bounds["low"].get<double>() <= exact * (1 + tolerance));
            CHECK(bounds["high"].get<double>() >= exact * (1 - tolerance));
        };
        for (const auto& [direction, key] :
             {std::pair("up", "towards_host"), std::pair("down", "from_host")}) {
            if (told[key]["header_factor"].is_null()) continue;
            const json& bytes = counted[direction];
            within(told[key]["header_factor"],
                   bytes["payload_bytes"].get<double>() / bytes["first_bytes"].get<double>(), 0.01);
        }
        const json& grants = counted["grants"];
        double waited = 0;
        for (const char* reason : {"tags", "tag_fifo_ports", "storage_words", "completion_headers"})
            waited += grants[std::string("waiting_for_") + reason].get<double>();
        const double granting = grants["granting"];
        within(told["window_factor"], granting / (granting + waited), 0.05);
        const double reads = counted["requests"]["reads"];
        if (reads == 0) continue;
        const double hold_cycles = grants["tag_cycles"].get<double>() / reads;
        within(told["read_round_trip_s"], hold_cycles / told["pcie_clock_hz"].get<double>(), 0.05);
    }
}

TEST_CASE("every card has an explanation without a contradiction") {
    std::size_t cards = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TLMETRY_CONFIGS)) {
        const std::string name = entry.path().filename().string();
        if (name.compare(0, 5, "card_") != 0) continue;
        ++cards;
        CAPTURE(name);
        const json j = run(name);
        CHECK(j["trusted"] == true);
        const std::string cause = top(j);
        CHECK((cause == "down_full" || cause == "rq_full" || cause == "link_held"));
    }
    CHECK(cards == 8);
}

TEST_CASE("the limits of a bus that is narrower than its probe hold what it really carried") {
    const std::string config = "card_gen3x16_usp.ini --traffic.write_size.bytes=100 ";
    const json documented = run(config + "--telemetry.padding=documented");
    const json as_built = run(config);
    for (const int bus : {0, 2}) {
        const json& exact = documented["endpoints"][0]["buses"][bus];
        const json& bounds = as_built["endpoints"][0]["buses"][bus];
        CHECK(exact["frame_bytes"]["high"].get<double>() <=
              bounds["frame_bytes"]["high"].get<double>() * 1.001);
        CHECK(exact["frame_bytes"]["low"].get<double>() >=
              bounds["frame_bytes"]["low"].get<double>() * 0.999);
        CHECK(exact["narrower_than_probe"] == true);
    }
    const json& up = as_built["endpoints"][0]["buses"][2]["frame_bytes"];
    CHECK(up["low"].get<double>() <= 100 * 1.001);
    CHECK(up["high"].get<double>() >= 100 * 0.999);
}

TEST_CASE("the text is for a terminal, and - reads standard input") {
    const std::string file = reports + "02_ep2_port2/report.json";
    const Result from_file = explain(file);
    CHECK(from_file.code == 0);
    CHECK_THAT(from_file.out,
               Catch::StartsWith("Where the bandwidth went - 2 endpoints, 2 DMA ports per endpoint, "
                                 "2.00 s\n====") &&
                   Catch::Contains("Verdict") && Catch::Contains("What the counters cannot tell"));
    CHECK(shell(program + " explain - <" + file).out == from_file.out);
}

TEST_CASE("the example of the page is what the program prints") {
    const std::string page = test::read_file(TLMETRY_DOCS "/explain.md");
    const std::string begin = "    $ tlmetry explain tests/data/reports/01_ep1_port1/report.json ";
    std::size_t at = page.find(begin);
    REQUIRE(at != std::string::npos);
    at += begin.size();
    const std::string facts = page.substr(at, page.find('\n', at) - at);
    std::istringstream printed(explain(reports + "01_ep1_port1/report.json " + facts).out);
    std::size_t found = 0;
    for (std::string line; std::getline(printed, line) && line != "What the counters cannot tell";) {
        if (line.empty()) continue;
        CAPTURE(line);
        const std::size_t next = page.find("    " + line + "\n", at);
        CHECK(next != std::string::npos);
        if (next != std::string::npos) at = next;
        ++found;
    }
    CHECK(found > 60);
}

TEST_CASE("help fits a terminal, and the program's help names it") {
    const Result help = explain("--help");
    CHECK(help.code == 0);
    test::check_width(help.out);
    for (const char* option : {"--link-generation", "--capable-width", "--address-bits", "--ecrc", "--json"})
        CHECK_THAT(help.out, Catch::Contains(option));
    CHECK_THAT(shell(program + " --help").out, Catch::Contains("\n  explain  "));
}

TEST_CASE("mistakes end with one sentence and exit code 2") {
    const std::string good = reports + "01_ep1_port1/report.json";
    refused("", "expected one report REPORT.json or -, found none");
    refused(good + " second.json", "found 'second.json'");
    refused("/nowhere/report.json", "report /nowhere/report.json cannot be opened");
    refused(good + " --link-generation 8 --link-width 16",
            "option --link-generation: expected 1, 2, 3, 4, 5, 6 or 7, found '8'");
    refused(good + " --link-generation 3 --link-width 3", "option --link-width: expected 1, 2, 4");
    refused(good + " --link-width -8 --link-generation 3", "--link-width");
    refused(good + " --link-generation 3", "option --link-generation: expected --link-width with it");
    refused(good + " --link-width 16", "option --link-width: expected --link-generation with it");
    refused(good + " --capable-width 16", "option --capable-width: expected --link-generation");
    refused(good + " --link-generation 3 --link-width 16 --capable-width 8",
            "expected no less than the link runs at, Gen3 x16, found Gen3 x8");
    refused(good + " --address-bits 48", "option --address-bits: expected 32 or 64");
    refused(good + " --lanes 8", "--lanes");
    refused("- </dev/null", "standard input:1: expected JSON");
    refused("- <" + reports + "01_ep1_port1/registers.json", "standard input: key ");
    refused(reports, "cannot be read");
}
