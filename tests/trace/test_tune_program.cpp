// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry trace tune` as a program: levels by the driver have the effects that they ought to have.
#include "../support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace tlmetry;
using namespace tlmetry::test;
using nlohmann::json;

namespace {

const std::string program = TLMETRY_PROGRAM;
const std::string config = TLMETRY_CONFIGS "/card_gen3x16_usp.ini";
const std::string brief = " --duration 300us --run.warmup=100us ";
// Writes of the processor that want all of the link, beside completions that do, too.
const std::string contention = "--cpu.write_rate=100M/s --cpu.write_size=256B ";

Result tune(const std::string& words) {
    return shell(program + " trace tune " + words);
}

/// The runs that are told as JSON.
std::vector<json> runs_of(const std::string& words) {
    const Result result = tune(words + " --json");
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    const json document = json::parse(result.out);
    CHECK(document["schema"] == "tlmetry.tune/1");
    return document["runs"].get<std::vector<json>>();
}

void refused(const std::string& words, const std::string& sentence) {
    CAPTURE(words);
    const Result result = tune(words);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::StartsWith("tlmetry: ") && Catch::Contains(sentence));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

double number(const json& run, const char* what, const char* of) {
    return run[what][of].get<double>();
}

}  // namespace

TEST_CASE("weights set the shares of the link") {
    const std::vector<json> runs =
        runs_of(config + brief + contention + "--set qos_tx_p=2 --set qos_tx_cpl=0");
    REQUIRE(runs.size() == 2);
    const auto share = [](const json& run) {
        const double posted = number(run, "posted", "bytes_per_s");
        return posted / (posted + number(run, "completions", "bytes_per_s"));
    };
    CHECK(share(runs[0]) == Approx(0.5).epsilon(0.01));
    CHECK(share(runs[1]) == Approx(0.8).epsilon(0.01));  // 4 to 1
    CHECK(runs[1]["levels"] == json::parse(R"({"qos_tx_cpl": 0, "qos_tx_np": 1, "qos_tx_p": 2,
                                                "rx_alloc_buf_level": 0, "tx_alloc_buf_level": 0})"));
    // Less of the link for completions is less useful rate, and reads that take longer.
    CHECK(runs[1]["useful_down_bytes_per_s"] < 0.5 * runs[0]["useful_down_bytes_per_s"].get<double>());
    CHECK(runs[1]["mean_read_s"] > 1.5 * runs[0]["mean_read_s"].get<double>());
}

TEST_CASE("watermarks make batches and latency") {
    const std::string load = TLMETRY_CONFIGS "/reference_load.ini" + brief;
    const std::vector<json> tx = runs_of(load + "--set tx_alloc_buf_level=2");
    CHECK(number(tx[0], "completions", "tlps_in_batch") == 1);
    CHECK(number(tx[1], "completions", "tlps_in_batch") > 5);
    CHECK(tx[1]["mean_read_s"] > tx[0]["mean_read_s"].get<double>() + 50e-9);
    CHECK(tx[1]["useful_down_bytes_per_s"].get<double>() ==
          Approx(tx[0]["useful_down_bytes_per_s"].get<double>()).epsilon(0.02));

    const std::vector<json> rx = runs_of(load + "--set rx_alloc_buf_level=1");
    CHECK(number(rx[1], "received", "tlps_in_batch") > 1.5);
    CHECK(number(rx[1], "received", "mean_wait_s") > 5e-9);
    CHECK(rx[1]["mean_read_s"] > rx[0]["mean_read_s"].get<double>());

    // Where each batch costs the interconnect, larger ones give the higher rate.
    const std::vector<json> dear =
        runs_of(load + "--tune.batch_time=60ns --set tx_alloc_buf_level=2 --set rx_alloc_buf_level=2");
    CHECK(dear[1]["useful_down_bytes_per_s"] > 1.5 * dear[0]["useful_down_bytes_per_s"].get<double>());
}

TEST_CASE("levels of the configuration, and text of one run or two") {
    const Result one = tune(config + brief + "--tune.qos_tx_np=2");
    CHECK(one.code == 0);
    CHECK_THAT(one.out, Catch::StartsWith("Levels of hisi_ptt0_0\n") &&
                            Catch::Contains("  qos_tx_np               2  ") &&
                            Catch::Contains("useful DOWN, GB/s") && !Catch::Contains("change"));
    const Result two = tune(config + brief + "--set qos_tx_np=65535");
    CHECK_THAT(two.out,
               Catch::Contains("  qos_tx_np               1       2  ") && Catch::Contains("change"));
    for (const std::string& text : {one.out, two.out}) {
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
            CHECK(end - begin <= 100);
    }
}

TEST_CASE("mistakes in one sentence are refused") {
    const Result help = tune("--help");
    CHECK(help.code == 0);
    for (const char* word : {"--set", "--core", "--duration", "--json", "qos_tx_cpl", "tx_alloc_buf_level"})
        CHECK_THAT(help.out, Catch::Contains(word));
    refused("", "trace tune: expected a configuration file, found none");
    refused(config + " --set qos_tx_p",
            "option --set: expected EVENT=LEVEL such as qos_tx_p=2, found 'qos_tx_p'");
    refused(config + " --set qos=1",
            "option --set: expected qos_tx_cpl, qos_tx_np, qos_tx_p, rx_alloc_buf_level or");
    refused(config + " --set qos_tx_p=-1", "option --set qos_tx_p: expected a level from 0 to 65535");
    refused(config + " --set qos_tx_p=65536", "option --set qos_tx_p: expected a level from 0 to 65535");
    refused(config + " --set qos_tx_p=high", "option --set qos_tx_p: expected a level");
    refused(config + " --core 1", "option --core: expected 0, the only core, found '1'");
    refused(config + " --tune.qos_tx_p=3", "tune.qos_tx_p");
    refused(config + " --duration 0s", "run.duration");
    refused(TLMETRY_CONFIGS "/idle.ini", "traffic.kind: expected requests");
}

TEST_CASE("Ctrl-C ends it without a word of results") {
    const Result result = interrupted(program + " trace tune " + config + " --duration 1000s");
    CHECK(result.code == 130);
    CHECK(result.out.empty());
    CHECK(result.err == "interrupted: nothing has been measured\n");
}
