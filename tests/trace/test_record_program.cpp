// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry trace record` as a program: files and pipes, filters by name and number, mistakes, Ctrl-C.
#include "../support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

using namespace tlmetry;
using namespace tlmetry::test;
using nlohmann::json;

namespace {

const std::string program = TLMETRY_PROGRAM;
const std::string config = TLMETRY_CONFIGS "/reference_load.ini";
const std::string brief = " --duration 50us --run.warmup=10us";

Result record(const std::string& words) {
    return shell(program + " trace record " + words);
}

void refused(const std::string& words, const std::string& sentence) {
    CAPTURE(words);
    const Result result = record(words);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::StartsWith("tlmetry: ") && Catch::Contains(sentence));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

/// The JSON objects that the trace in `file` is decoded to.
std::vector<json> decoded(const std::string& file) {
    const Result result = shell(program + " trace decode -q --json " + file);
    CHECK(result.code == 0);
    std::vector<json> tlps;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = result.out.find('\n', begin)) != std::string::npos; begin = end + 1)
        tlps.push_back(json::parse(result.out.substr(begin, end - begin)));
    return tlps;
}

}  // namespace

TEST_CASE("record, decode and analyse") {
    const TemporaryFolder folder;
    const std::string file = folder.path("trace.bin");
    const Result recorded = record(config + brief + " -o " + file);
    CHECK(recorded.code == 0);
    CHECK(recorded.out.empty());
    CHECK_THAT(recorded.err, Catch::Contains(" traced, ") && Catch::Contains(" bytes written\n") &&
                                 !Catch::Contains("lost"));
    const std::vector<json> tlps = decoded(file);
    // 92.8 M TLPs a second.
    CHECK(tlps.size() > 4000);
    CHECK(tlps.size() < 5200);
    CHECK_THAT(recorded.err, Catch::Contains(", " + std::to_string(tlps.size()) + " traced, " +
                                             std::to_string(tlps.size() * 32) + " bytes"));
    const Result analysis =
        shell(program + " trace decode -q --analyse --json --mps 512 --mrrs 4096 " + file);
    const json told = json::parse(analysis.out);
    CHECK(told["tlps"] == tlps.size());
    for (const auto& [rule, violation] : told["violations"].items()) {
        CAPTURE(rule);
        CHECK(violation["count"] == 0);
    }

    // The same through a pipe, and again: a trace depends on its configuration only.
    const Result piped = shell(program + " trace record -q -o - " + config + brief + " | " + program +
                               " trace decode -q --json - | wc -l");
    CHECK(std::stoul(piped.out) == tlps.size());
    CHECK(piped.err.empty());
    CHECK(record("-q " + config + brief + " -o " + folder.path("again.bin")).err.empty());
    CHECK(read_file(folder.path("again.bin")) == read_file(file));
}

TEST_CASE("filters by name, by number and as one word select the same") {
    const TemporaryFolder folder;
    const std::string two = config + brief + " -q --telemetry.pcie_endpoints=2";
    const auto trace = [&](const std::string& options) {
        const std::string file = folder.path("trace.bin");
        CHECK(record(two + " " + options + " -o " + file).code == 0);
        return read_file(file);
    };
    const Result list = record(two + " --list");
    CHECK(list.code == 0);
    CHECK(list.out ==
          "hisi_ptt0_0\n"
          "root_port_filters\n  0000:00:10.0  0x80001\n  0000:00:11.0  0x80004\n"
          "requester_filters\n  0000:01:00.0  0x00100\n  0000:02:00.0  0x00200\n");

    const std::string second = trace("--filter 0000:00:11.0 --type posted --direction 2");
    CHECK(!second.empty());
    CHECK(second == trace("--filter 0x80004 --type 1 --direction 2 --format 1"));
    CHECK(second == trace("--filter 02:00.0 --type 1 --direction 2 --format 8dw"));
    CHECK(second == trace("--event 0x101280004"));
    CHECK(trace("--filter 00:10.0,00:11.0") == trace(""));
    CHECK(trace("--filter 0x80000").empty());
    CHECK(trace("--format 4dw").size() * 2 == trace("").size());
    CHECK(trace("--type posted,non-posted,completion") == trace(""));
    // Nothing of the processor is on these links.
    CHECK(trace("--direction 3").empty());
    CHECK(trace("--direction 1 --type non-posted").empty());
}

TEST_CASE("a slow reader says what is lost") {
    const TemporaryFolder folder;
    const std::string file = folder.path("trace.bin");
    const Result slow = record(config + brief + " --buffer 4KiB --reader-delay 30us -o " + file);
    CHECK(slow.code == 0);
    CHECK_THAT(slow.err,
               Catch::Contains("the driver came too late ") && Catch::Contains(" bytes were lost\n"));
    CHECK(!decoded(file).empty());
}

TEST_CASE("two recorders of one file leave the whole trace of one of them") {
    const TemporaryFolder folder;
    const std::string file = folder.path("trace.bin");
    const auto alone = [&](const std::string& options) {
        CHECK(record("-q " + config + options + " -o " + file).code == 0);
        return read_file(file);
    };
    const std::string one = brief + " --seed 1";
    const std::string other = " --duration 3ms --seed 2";
    const std::string first = alone(one);
    const std::string second = alone(other);
    CHECK(first != second);
    const std::string command = program + " trace record -q " + config;
    const Result both =
        shell(command + other + " -o " + file + " & " + command + one + " -o " + file + " && wait $!");
    CHECK(both.code == 0);
    CHECK(both.err.empty());
    const std::string left = read_file(file);
    CHECK((left == first || left == second));
    CHECK(shell("ls " + folder.path("")).out == "trace.bin\n");
}

TEST_CASE("Ctrl-C keeps what there is") {
    const TemporaryFolder folder;
    const std::string file = folder.path("trace.bin");
    const Result result = interrupted(program + " trace record " + config + " --duration 100s -o " + file);
    CHECK(result.code == 130);
    CHECK_THAT(result.err, Catch::Contains("interrupted after ") && Catch::Contains(" bytes written\n"));
    CHECK(read_file(file).size() % 32 == 0);
}

TEST_CASE("mistakes in one sentence") {
    const TemporaryFolder folder;
    const std::string to = " -o " + folder.path("trace.bin");
    const Result help = record("--help");
    CHECK(help.code == 0);
    for (const char* option :
         {"--filter", "--type", "--direction", "--format", "--event", "--output", "--core", "--buffer",
          "--reader-delay", "--tick", "--list", "--duration", "--quiet"})
        CHECK_THAT(help.out, Catch::Contains(option));
    CHECK_THAT(shell(program + " trace --help").out, Catch::Contains("\n  record  "));

    refused("", "trace record: expected a configuration file, found none");
    refused(config, "option --output: expected a file for the trace, found none");
    refused(config + " -o /nowhere/trace", "option --output: /nowhere/trace cannot be written: No such file");
    refused("/nowhere.ini" + to, "/nowhere.ini");
    refused(TLMETRY_CONFIGS "/idle.ini" + to, "traffic.kind: expected requests");
    refused(config + to + " --filter 00:12.0",
            "option --filter: expected a number, or names out of 0000:00:10.0");
    refused(config + to + " --filter 0x80004",
            "option --filter: expected bits of the root ports that are there");
    refused(config + to + " --filter 0x101", "option --filter: expected one of 0000:00:10.0 (0x80001)");
    refused(config + to + " --filter 0x10000",
            "option --filter: expected 20 bits without 0x70000, found 0x10000");
    refused(config + to + " --type 0", "option --type: expected 1 (posted), 2 (non-posted)");
    refused(config + to + " --type 8", "option --type: expected 1 (posted), 2 (non-posted)");
    refused(config + to + " --type read", "option --type: expected posted, non-posted or completion");
    refused(config + to + " --direction 4",
            "option --direction: expected 1 to 3 with format 1 (8DW), found 4");
    refused(config + to + " --direction 0",
            "option --direction: expected 1 to 3 with format 1 (8DW), found 0");
    refused(config + to + " --direction 4 --format 4dw", "option --direction: expected 0 to 3, found 4");
    refused(config + to + " --direction in", "option --direction: expected 0 to 3 or all, found 'in'");
    refused(config + to + " --format 2", "option --format: expected ");
    refused(config + to + " --event 0x201280001", "option --event: expected format 0 (4DW) or 1 (8DW)");
    refused(config + to + " --event 0x100280001", "option --event: type: expected 1 (posted)");
    refused(config + to + " --event 0x107080001", "option --event: direction: expected 1 to 3");
    refused(config + to + " --event 0x107280001 --type 1",
            "option --event: expected none of the fields that it holds with it, found --type too");
    refused(config + to + " --event x", "option --event: expected a number such as 0x107280001");
    refused(config + to + " --core 1", "option --core: expected 0, the only core, found ");
    refused(config + to + " --buffer 3000", "option --buffer: expected ");
    refused(config + to + " --reader-delay 10ns",
            "option --reader-delay: expected 0s or at least 1us, found 10ns");
    refused(config + to + " --tick 1fs", "option --tick: expected ");
    refused(config + to + " --duration 3600s --run.warmup=600s",
            "run.duration: expected less than 4000s together with run.warmup");
    refused(config + to + " --ptc.tags=0", "ptc.tags");
    CHECK(!std::ifstream(folder.path("trace.bin")));

    const std::string own = folder.path("own.ini");
    std::ofstream(own) << read_file(config);
    refused(own + " -o " + own, "option --output: expected a file of its own, found ");
    CHECK(read_file(own) == read_file(config));
}
