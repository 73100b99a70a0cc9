// SPDX-License-Identifier: BSD-3-Clause
// tlmetry run --account and --latency.
#include "../support/shell.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace tlmetry;
using Catch::Contains;
using Catch::StartsWith;
using test::Result;
using test::shell;

namespace {

const std::string configs = TLMETRY_CONFIGS;

Result run(const std::string& words) {
    return shell(std::string(TLMETRY_PROGRAM) + " run " + words);
}

std::string config(const char* name) {
    return configs + "/" + name;
}

/// Lines that begin with `begin`, as numbers behind it.
std::vector<std::vector<double>> numbers(const std::string& text, const std::string& begin) {
    std::vector<std::vector<double>> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find(begin);
        if (at == line.npos) continue;
        std::istringstream cells(line.substr(at + begin.size()));
        std::vector<double>& row = result.emplace_back();
        for (double value; cells >> value;)
            row.push_back(value);
    }
    return result;
}

}  // namespace

TEST_CASE("every configuration balances, and its printed shares add up") {
    for (const auto& entry : std::filesystem::directory_iterator(configs)) {
        if (entry.path().extension() != ".ini") continue;
        const std::string file = entry.path().string();
        CAPTURE(file);
        const Result result = run(file + " --duration 1ms --run.warmup=20us --account --latency");
        if (result.code == 2) {
            CHECK_THAT(result.err, Contains("option --account: expected traffic.kind = requests"));
            continue;
        }
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("\nWhere the bandwidth went in ") &&
                                   Contains(" identities of the counts hold.\n") &&
                                   Contains("\nLatency of reads"));
        const auto losses = numbers(result.out, "% of the ceiling");
        CHECK_FALSE(losses.empty());
        for (const std::vector<double>& row : losses) {
            REQUIRE(row.size() == 10);
            double left = 100;
            for (std::size_t i = 1; i + 1 < row.size(); ++i)
                left += row[i];
            CHECK(left == Approx(row.back()).margin(0.001));
        }
        double cycles = 0;
        for (const char* state :
             {"granting", "waiting for tags", "waiting for the ports of the tag FIFO",
              "waiting for storage FIFO words", "waiting for completion headers",
              "waiting for RQ and the link", "waiting for payload on UP", "nothing asked for"}) {
            const auto row = numbers(result.out, std::string("  ") + state + " ");
            REQUIRE_FALSE(row.empty());
            cycles += row.front().front();
        }
        CHECK(cycles == Approx(100).margin(1e-6));
    }
}

TEST_CASE("accounts and latencies are saved as JSON") {
    const test::TemporaryFolder folder;
    const std::string account = folder.path("account.json");
    const std::string latency = folder.path("latency.json");
    const Result plain = run(config("case_01_32_tags.ini") + " --json");
    const Result result =
        run(config("case_01_32_tags.ini") + " --json --account=" + account + " --latency=" + latency);
    CHECK(result.code == 0);
    CHECK(result.out == plain.out);
    const auto a = nlohmann::json::parse(test::read_file(account));
    CHECK(a["schema"] == "tlmetry.account/1");
    const auto& down = a["endpoints"][0]["down"];
    CHECK(down["measured"]["useful_bytes_per_s"].get<double>() == Approx(2.05e9).epsilon(0.01));
    CHECK(down["predicted"]["useful_bytes_per_s"].get<double>() == Approx(2.05e9).epsilon(0.01));
    CHECK(a["endpoints"][0]["tags_in_use_most"] == 32);
    CHECK(a["endpoints"][0]["predicted_to_bind"] == "tags");
    for (const auto& identity : a["endpoints"][0]["identities"])
        CHECK(identity["holds"] == true);
    CHECK(down["all_bytes"] == down["first_bytes"].get<std::uint64_t>() +
                                   down["repeated_bytes"].get<std::uint64_t>() +
                                   down["dllp_bytes"].get<std::uint64_t>());
    const auto l = nlohmann::json::parse(test::read_file(latency));
    CHECK(l["schema"] == "tlmetry.latency/1");
    CHECK(l["idle"]["whole"]["mean_fs"].get<double>() == Approx(1.0e9).epsilon(0.01));
    std::uint64_t count = 0;
    for (const auto& bucket : l["loaded"]["whole"]["buckets_fs"])
        count += bucket[2].get<std::uint64_t>();
    CHECK(count == l["loaded"]["whole"]["count"]);
}

TEST_CASE("changes are simulated and compared") {
    const Result result = run(config("case_01_32_tags.ini") +
                              " --what-if ptc.tags=16 --what-if 'link.extended_tag=true & ptc.tags = 64' "
                              "--what-if link.lanes=8");
    CHECK(result.code == 0);
    // Half the tags, twice the tags, half the link, which does not bind.
    const auto half = numbers(result.out, "ptc.tags=16 ");
    REQUIRE(half.size() == 1);
    CHECK(half[0].at(1) == Approx(1.027).epsilon(0.01));
    CHECK(half[0].at(2) == Approx(-50).margin(0.5));
    const auto twice = numbers(result.out, "ptc.tags = 64 ");
    REQUIRE(twice.size() == 1);
    CHECK(twice[0].at(2) == Approx(100).margin(1));
    const auto link = numbers(result.out, "link.lanes=8 ");
    REQUIRE(link.size() == 1);
    CHECK(link[0].at(2) == Approx(0).margin(0.5));
}

TEST_CASE("Ctrl-C ends what is simulated besides the run as well") {
    const Result result = test::interrupted(std::string(TLMETRY_PROGRAM) + " run " + config("default.ini") +
                                            " -q --duration 10s --what-if ptc.tags=64");
    CHECK(result.code == 130);
    CHECK_THAT(result.out, Contains("as configured") && !Contains("ptc.tags=64 "));
}

TEST_CASE("tags in use are counted while they are held, and what is under way has a factor of its own") {
    const test::TemporaryFolder folder;
    const std::string file = folder.path("account.json");
    // Longer than half of the run.
    const Result result =
        run(config("default.ini") +
            " --duration 5ms --host.latency=3ms --traffic.read_share=100% --account=" + file);
    CHECK(result.code == 0);
    const auto account = nlohmann::json::parse(test::read_file(file))["endpoints"][0];
    const auto& grants = account["grants"];
    CHECK(grants["tag_cycles"].get<double>() / grants["pcie_cycles"].get<double>() ==
          Approx(256).epsilon(0.02));
    CHECK(account["tags_in_use_most"].get<int>() >= 254);  // reads are granted in pairs
    const auto& down = account["down"];
    double product = down["measured"]["ceiling_bytes_per_s"].get<double>() * down["arrived"].get<double>();
    for (const auto& factor : down["measured"]["factors"])
        product *= factor.get<double>();
    CHECK(product == Approx(down["measured"]["useful_bytes_per_s"].get<double>()));
    CHECK(down["measured"]["factors"]["encoding"].get<double>() == Approx(0.982).epsilon(0.001));
}

TEST_CASE("arithmetic does not guess what ports of different kinds do together") {
    const Result result = run(config("card_gen5x16_rtile_2port.ini") +
                              " --duration 200us --traffic.read_share=100%,0% --account");
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("not known: the ports of the endpoint ask for different things") &&
                               !Contains("  predicted "));
}

TEST_CASE("a configuration that can be read only once is changed as well as another one") {
    const std::string options = " --duration 200us --verdict --what-if ptc.tags=16";
    const Result from_file = run(config("case_01_32_tags.ini") + options);
    const Result from_pipe =
        shell("cat " + config("case_01_32_tags.ini") + " | " + TLMETRY_PROGRAM + " run /dev/stdin" + options);
    CHECK(from_file.code == 0);
    CHECK_THAT(from_file.out, Contains("ptc.tags=64"));
    CHECK(from_pipe.code == 0);
    CHECK(from_pipe.out == from_file.out);
}

TEST_CASE("what a card reads more than once is no pipe") {
    for (const char* parameter : {"traffic.trace", "host.latency_file"}) {
        const Result result = shell("echo 0,R,0,64 | " + std::string(TLMETRY_PROGRAM) + " run " +
                                    config("card_open.ini") + " --" + parameter + "=/dev/stdin --account");
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(result.err == "tlmetry: " + std::string(parameter) +
                                ": expected a file that can be read again, found the pipe '/dev/stdin'\n");
    }
}

TEST_CASE("nothing but what is asked for changes") {
    const std::string file = config("timeline.ini") + " --duration 3ms";
    const Result plain = run(file);
    const Result both = run(file + " --account --latency");
    CHECK(plain.code == both.code);
    CHECK_THAT(both.out, StartsWith(plain.out + "\nWhere the bandwidth went"));
}

TEST_CASE("accounts that cannot be made are refused in one sentence") {
    const auto refused = [](const std::string& words, const std::string& sentence) {
        const Result result = run(words);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(result.err == "tlmetry: " + sentence + "\n");
    };
    refused(config("default.ini") + " --account --traffic.kind=pins",
            "option --account: expected traffic.kind = requests, the traffic of a card, found another kind");
    refused(config("default.ini") + " --latency --json",
            "option --latency: expected --latency=FILE.json with --json, of which standard output has the "
            "report, "
            "found no file");
    refused(config("default.ini") + " --what-if ptc.tags",
            "option --what-if: expected SECTION.KEY=VALUE, or several with & between them, found 'ptc.tags'");
    refused(config("default.ini") + " --what-if traffic.kind=idle",
            "option --what-if: expected traffic.kind = requests, the traffic of a card, found another kind");
    refused(config("default.ini") + " --what-if run.duration=1s",
            "option --what-if run.duration: expected a parameter of the card, whose time is that of the run");
    refused("--dump-config --verdict", "option --verdict: nothing is simulated with --dump-config");
    refused(config("default.ini") + " --what-if ptc.tags=1 --json",
            "option --what-if: expected no --json, of which standard output has the report, found it");
    CHECK_THAT(run(config("default.ini") + " --what-if ptc.tag=1").err,
               StartsWith("tlmetry: option --what-if ptc.tag: no parameter has this name"));
    const std::string file = config("default.ini");
    CHECK(run(file + " --account=" + file).code == 2);
    CHECK(run(file + " --account=/nowhere/a.json").code == 2);
}

TEST_CASE("what was under way before the measurement balances, too") {
    for (const char* more : {"", " --tune.batch_time=300ns --timeline.at='50us link down for 10ns'"}) {
        const Result result = run(config("reference_load.ini") +
                                  " --run.warmup=50us --duration=100us --traffic.stop=50us --account" + more);
        CAPTURE(more);
        CHECK(result.code == 0);
        CHECK(result.err.empty());
    }
}

TEST_CASE("a file behind an option without a value is read, and stays as it is") {
    const test::TemporaryFolder folder;
    const std::string more = folder.path("more.ini");
    std::ofstream(more) << "[link]\nmps = 256\n";
    for (const char* option : {" --latency ", " --account ", " --verdict "}) {
        CAPTURE(option);
        const Result result = run(config("reference_load.ini") + option + more + " --duration=1ms");
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("(MPS)    256 B"));
        CHECK(test::read_file(more) == "[link]\nmps = 256\n");
    }
    CHECK(run("--latency " + config("default.ini") + " --duration=1ms").code == 0);
}
