// SPDX-License-Identifier: BSD-3-Clause
// How `tlmetry serve` begins and ends as a process.
#include "../support/shell.hpp"
#include "served_process.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

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

namespace {

/// Connections to a served address on this machine that say nothing.
class QuietClients {
public:
    QuietClients(const std::string& device, int count) {
        sockaddr_in name = {};
        name.sin_family = AF_INET;
        name.sin_port = htons(static_cast<std::uint16_t>(std::stoi(device.substr(device.rfind(':') + 1))));
        name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        for (int i = 0; i < count; ++i) {
            m_sockets.push_back(socket(AF_INET, SOCK_STREAM, 0));
            REQUIRE(connect(m_sockets.back(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
        }
    }
    ~QuietClients() {
        for (const int number : m_sockets)
            close(number);
    }
    QuietClients(const QuietClients&) = delete;
    QuietClients& operator=(const QuietClients&) = delete;

private:
    std::vector<int> m_sockets;
};

void wait_for(const std::string& log, const std::string& words) {
    while (test::read_file(log).find(words) == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace

TEST_CASE("a server whose file descriptors have run out says so, and serves again") {
    const test::TemporaryFolder folder;
    const std::string log = folder.path("log");
    ServedProcess served({idle, "--listen", "127.0.0.1:0"}, log);
    REQUIRE_FALSE(served.device.empty());
    rlimit files = {};
    REQUIRE(prlimit(served.pid(), RLIMIT_NOFILE, nullptr, &files) == 0);
    CHECK(files.rlim_cur == files.rlim_max);
    const auto serves = [&] { return shell(program + " status " + served.device).code == 0; };
    // The last ones are hung up on, or wait where there is not one left.
    for (const rlim_t limit : {60, 4}) {
        {
            const QuietClients few(served.device, 10);
            files.rlim_cur = limit;
            REQUIRE(prlimit(served.pid(), RLIMIT_NOFILE, &files, nullptr) == 0);
            const QuietClients many(served.device, 100);
            wait_for(log, "warning: no file descriptors are left for more clients (ulimit -n)");
            if (limit > 4) CHECK_FALSE(serves());  // else it waits to be taken
        }
        files.rlim_cur = 60;
        REQUIRE(prlimit(served.pid(), RLIMIT_NOFILE, &files, nullptr) == 0);
        while (!serves()) {
        }
    }
    CHECK(served.stop(SIGTERM) == 0);
}

TEST_CASE("a server ends with each of the signals, whatever its clients do") {
    const test::TemporaryFolder folder;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        ServedProcess served({idle, "--listen", "127.0.0.1:0"}, folder.path("log"));
        REQUIRE_FALSE(served.device.empty());
        const QuietClients quiet(served.device, 3);
        CHECK(served.stop(signal) == 0);
        CHECK_THAT(test::read_file(folder.path("log")), EndsWith("stopping\n"));
    }
}

TEST_CASE("a hang-up that is ignored does not end a server") {
    const test::TemporaryFolder folder;
    std::signal(SIGHUP, SIG_IGN);
    ServedProcess served({idle, "--listen", "127.0.0.1:0"}, folder.path("log"));
    std::signal(SIGHUP, SIG_DFL);
    REQUIRE_FALSE(served.device.empty());
    kill(served.pid(), SIGHUP);
    CHECK(shell(program + " status " + served.device).code == 0);
    CHECK(served.stop(SIGTERM) == 0);
}

TEST_CASE("a server whose simulation has failed ends with the reason, also after a signal") {
    const test::TemporaryFolder folder;
    const std::string log = folder.path("log");
    const std::string recording = folder.path("accesses");
    for (const int signal : {0, SIGTERM}) {
        std::signal(SIGXFSZ, SIG_IGN);
        ServedProcess served({idle, "--listen", "127.0.0.1:0", "--record-accesses", recording}, log);
        std::signal(SIGXFSZ, SIG_DFL);
        REQUIRE_FALSE(served.device.empty());
        const rlimit size = {1000, 1000};  // the disk is full, so to say
        REQUIRE(prlimit(served.pid(), RLIMIT_FSIZE, &size, nullptr) == 0);
        std::thread client([&] { CHECK(shell(tool + served.device + " -t 0").code == 2); });
        client.join();
        // Twice, as one who is impatient does.
        if (signal != 0) kill(served.pid(), signal);
        CHECK(served.stop(signal) == 2);
        CHECK_THAT(test::read_file(log), Catch::Contains("tlmetry: the simulation cannot go on: option "
                                                         "--record-accesses: " +
                                                         recording + " cannot be written: File too large\n"));
    }
}

TEST_CASE("options behind a served device are refused") {
    const test::TemporaryFolder folder;
    const std::string device = "grpc:unix:" + folder.path("socket");
    ServedProcess served({idle, "--listen", device.substr(5)}, folder.path("log"));
    REQUIRE(served.device == device);
    for (const std::string option : {",bogus", ",record-accesses=zz.txt", ","}) {
        for (const std::string& command : {program + " status ", tool}) {
            const Result result = shell(command + device + option);
            CHECK(result.code == 2);
            CHECK_THAT(result.err, Catch::Contains(": expected unix: and a path without commas and control "
                                                   "characters, found "));
        }
    }
}

TEST_CASE("a served device may be named like a file") {
    const test::TemporaryFolder folder;
    for (const char* name : {"x.ini", "x.json"}) {
        ServedProcess served({idle, "--listen", "unix:" + folder.path(name)}, folder.path("log"));
        CHECK(served.device == "grpc:unix:" + folder.path(name));
        CHECK(shell(tool + served.device + " -t 0").code == 0);
    }
}
