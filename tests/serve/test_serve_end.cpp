// SPDX-License-Identifier: BSD-3-Clause
// How `tlmetry serve` begins and ends as a process.
#include "../support/shell.hpp"
#include "served_process.hpp"

#include <nlohmann/json.hpp>

#include <thread>

using namespace tlmetry;
using Catch::EndsWith;
using test::Result;
using test::ServedProcess;
using test::shell;

namespace {

const std::string program = TLMETRY_PROGRAM;
const std::string tool = std::string(TLMETRY_TOOL) + " -d ";
const std::string idle = std::string(TLMETRY_CONFIGS) + "/idle.ini";
const std::string pins = std::string(TLMETRY_CONFIGS) + "/random_pins.ini";

}  // namespace

TEST_CASE("a signal ends a server that is asked for what takes for ever") {
    const test::TemporaryFolder folder;
    const std::string recording = folder.path("accesses");
    ServedProcess served({pins, "--listen", "127.0.0.1:0", "--step", "1000s", "--record-accesses", recording},
                         folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    std::thread client([&] {
        const Result result = shell(tool + served.device);
        CHECK(result.code == 2);
        CHECK(result.err == "nfb-pcie-telemetry: " + served.device + ": the server has ended\n");
    });
    nlohmann::json status;
    do
        status = nlohmann::json::parse(shell(program + " status " + served.device + " --json").out);
    while (status["accesses"] == 0);
    CHECK(served.stop(SIGTERM) == 0);
    client.join();
    CHECK(test::read_file(recording) == "tlmetry.accesses/1\n");
}

TEST_CASE("a second signal does not disturb the end of a server") {
    const test::TemporaryFolder folder;
    const std::string socket = folder.path("socket");
    const Result result =
        shell(program + " serve " + idle + " --listen unix:" + socket + " & pid=$!; until [ -S " + socket +
              " ]; do sleep 0.02; done; "
              "kill -TERM $pid; kill -INT $pid; sleep 0.002; kill -TERM $pid; wait $pid");
    CHECK(result.code == 0);
    CHECK_THAT(result.err, EndsWith("stopping\n"));
}

TEST_CASE("a status is asked of one device") {
    const auto refused = [](const std::string& devices) {
        const Result result = shell(program + " status " + devices);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        return result.err;
    };
    const std::string expected =
        "tlmetry: status: expected one device grpc:HOST:PORT or grpc:unix:PATH, found ";
    CHECK(refused("") == expected + "nothing\n");
    CHECK(refused("grpc:") == expected + "'grpc:'\n");
    CHECK(refused("127.0.0.1:1") == expected + "'127.0.0.1:1'\n");
    CHECK(refused("grpc:127.0.0.1:1 grpc:127.0.0.1:2") == expected + "2\n");
    CHECK(refused("grpc:127.0.0.1:70000") ==
          "tlmetry: grpc:127.0.0.1:70000: expected HOST:PORT with a port from 1 to 65535, found "
          "'127.0.0.1:70000'\n");
    CHECK(shell(tool + "grpc:127.0.0.1:116518").err ==
          "nfb-pcie-telemetry: grpc:127.0.0.1:116518: expected HOST:PORT with a port from 1 to 65535, found "
          "'127.0.0.1:116518'\n");
}
