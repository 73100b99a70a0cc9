// SPDX-License-Identifier: BSD-3-Clause
// The program as a user starts it.
#include "../support/shell.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include <cstdlib>

using namespace tlmetry;
using Catch::Contains;
using Catch::StartsWith;
using test::Result;

namespace {

const std::string sample = std::string(TLMETRY_TEST_DATA) + "/reports/01_ep1_port1/";

Result run(const std::string& arguments) {
    return test::shell(std::string(TLMETRY_TOOL) + " " + arguments);
}

/// Exit code 2, nothing on stdout and one sentence on stderr.
void check_refused(const std::string& arguments, const std::string& sentence) {
    CAPTURE(arguments);
    const Result result = run(arguments);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err == "nfb-pcie-telemetry: " + sentence + "\n");
}

}  // namespace

TEST_CASE("the program renders a saved register file") {
    const Result text = run("-d " + sample + "registers.json");
    CHECK(text.code == 0);
    CHECK(text.out == test::read_file(sample + "report.txt"));
    CHECK(text.err == "");
    const Result json = run("--json --device=" + sample + "registers.json");
    CHECK(json.code == 0);
    CHECK(json.out == test::read_file(sample + "report.json"));
    CHECK(json.err == "");
}

TEST_CASE("the program explains itself") {
    const Result result = run("--help");
    CHECK(result.code == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out,
               StartsWith("Usage: nfb-pcie-telemetry [options]\n") && Contains("Exit codes: 0 done"));
    CHECK_THAT(run("--version").out, StartsWith("nfb-pcie-telemetry "));
    test::check_width(result.out);
    for (const char* option : {"-d [ --device ] PATH", "-i [ --index ] N", "-t [ --interval ] SEC",
                               "-w [ --watch ]", "-c [ --clear ]", "-j [ --json ]", "-h [ --help ]"})
        CHECK_THAT(result.out, Contains(option));
    CHECK_THAT(result.out, Contains("FILE.ini[,OPTION...]"));
}

TEST_CASE("the program refuses in one sentence") {
    check_refused("", "no default device here: name one with --device");
    check_refused("-d card",
                  "option --device: expected FILE.json (saved registers), FILE.ini[,OPTION...] (a "
                  "configuration, simulated "
                  "inside), grpc:HOST:PORT or grpc:unix:PATH, found 'card'");
    check_refused("-d /nowhere/x.json",
                  "register file /nowhere/x.json cannot be opened: No such file or directory");
    check_refused("-d \"$(printf 'a\\033[31m\\nb').json\"",
                  "register file a?[31m?b.json cannot be opened: "
                  "No such file or directory");
    test::TemporaryFolder folder;
    const std::string memory = folder.path("memory.json");
    std::filesystem::create_symlink("/proc/self/mem", memory);  // opens, but address 0 cannot be read
    check_refused("-d " + memory, "register file " + memory + " cannot be read");
    check_refused("--interva 2", "option --interva: no option has this name, did you mean --interval?");
    check_refused("-t soon", "option --interval: expected 0 or seconds from 1e-18 to 1e9, found 'soon'");
    check_refused("-w -t 0", "option --watch: needs an --interval above 0");
    const std::string file = sample + "registers.json";
    check_refused("-w -d " + file, "option --watch: needs a device, found the saved register file " + file);
    check_refused("-c -d " + file, "option --clear: needs a device, found the saved register file " + file);
    check_refused("-i 1 -d " + file, "option --index: " + file + " holds one component, expected 0, found 1");
    const std::string broken = folder.write("broken.json", "{\"registers\": 5}");
    check_refused("-d " + broken, broken + ": key \"registers\": expected an object of registers, found 5");
}

TEST_CASE("the program notices a full disk") {
    const std::string command =
        std::string(TLMETRY_TOOL) + " -d " + sample + "registers.json >/dev/full 2>/dev/null";
    const int status = std::system(command.c_str());
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
}
