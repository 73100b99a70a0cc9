// SPDX-License-Identifier: BSD-3-Clause
// `tlmetry serve` as a process, the tool at its socket, and the ways of attaching software compared.
#include "../nfb/loaded_library.hpp"
#include "../support/shell.hpp"
#include "../support/terminal.hpp"
#include "served_process.hpp"

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/report/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <thread>

using namespace tlmetry;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using test::Result;
using test::ServedProcess;
using test::shell;

namespace {

const std::string program = TLMETRY_PROGRAM;
const std::string tool = std::string(TLMETRY_TOOL) + " -d ";
const std::string idle = std::string(TLMETRY_CONFIGS) + "/idle.ini";
const std::string pins = std::string(TLMETRY_CONFIGS) + "/random_pins.ini";

/// A device inside of this process as a bus of the driver.
class LibraryBus : public driver::MiBus {
public:
    explicit LibraryBus(const test::OpenDevice& device) : m_device(device) {}
    std::string name() const override { return "library"; }
    std::uint32_t read32(std::uint32_t address) override {
        std::uint8_t bytes[4];
        REQUIRE(m_device.read(bytes, 4, base + address) == 4);
        return word_of(bytes);
    }
    void write32(std::uint32_t address, std::uint32_t value) override {
        std::uint8_t bytes[4];
        put_word(value, bytes);
        REQUIRE(m_device.write(bytes, 4, base + address) == 4);
    }
    std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) override {
        std::vector<std::uint8_t> data(bytes);
        REQUIRE(m_device.read(data.data(), bytes, base + address) == static_cast<ssize_t>(bytes));
        std::vector<std::uint32_t> words(bytes / 4);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = word_of(&data[4 * i]);
        return words;
    }

private:
    static constexpr off_t base = 0x20000;
    const test::OpenDevice& m_device;
};

}  // namespace

TEST_CASE("the tool reads a served card over TCP and a Unix socket") {
    const test::TemporaryFolder folder;
    const std::string socket = "unix:" + folder.path("socket");
    ServedProcess served({idle, "--listen", "127.0.0.1:0," + socket}, folder.path("log"));
    REQUIRE_THAT(served.device, StartsWith("grpc:127.0.0.1:"));
    for (const std::string& device : {served.device, "grpc:" + socket}) {
        const Result report = shell(tool + device + " -t 0.01");
        CHECK(report.code == 0);
        CHECK_THAT(report.out, StartsWith("PCIe telemetry - 1 endpoint(s)"));
        CHECK(report.err.empty());
        CHECK(shell(tool + device + " --clear").code == 0);
    }
    const Result status = shell(program + " status " + served.device + " --json");
    CHECK(status.code == 0);
    CHECK(nlohmann::json::parse(status.out)["pace"] == "real time");
    CHECK_THAT(shell(program + " status " + served.device).out,
               StartsWith("pace                    real time\n"));
    CHECK(served.stop(SIGTERM) == 0);
    CHECK_THAT(test::read_file(folder.path("log")), EndsWith("serving at the pace of real time\nstopping\n"));
    const Result gone = shell(tool + "grpc:" + socket);
    CHECK(gone.code == 2);
    CHECK_THAT(gone.err, Contains("reading the device tree failed: "));
    CHECK(shell(program + " status " + served.device).code == 2);
}

TEST_CASE("Ctrl-C ends a server, and what it was asked for is an error in one sentence") {
    const test::TemporaryFolder folder;
    ServedProcess served({idle, "--listen", "127.0.0.1:0", "--quiet"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    const std::string address = served.device.substr(5);
    const auto refused = [&](const std::vector<std::string>& arguments) {
        ServedProcess other(arguments, folder.path("other"));
        CHECK(other.device.empty());
        CHECK(other.stop(0) == 2);
        const std::string text = test::read_file(folder.path("other"));
        CHECK(std::count(text.begin(), text.end(), '\n') == 1);
        return text;
    };
    CHECK(refused({idle, "--listen", address}) ==
          "tlmetry: listening on " + address + ": the address cannot be used: Address already in use\n");
    // Whoever cannot serve replaces nothing of the one that does.
    const std::string recording = folder.write("accesses.txt", "kept");
    refused({idle, "--listen", address, "--record-accesses", recording});
    CHECK(test::read_file(recording) == "kept");
    CHECK_THAT(refused({idle, "--listen", "here"}),
               Contains("option --listen: expected HOST:PORT or unix:PATH, found 'here'"));
    CHECK_THAT(refused({idle, "--speed", "2", "--free-run"}), Contains("expected one of them"));
    CHECK_THAT(refused({idle, "--step", "2"}), Contains("option --step: expected a time with its unit"));
    CHECK_THAT(refused({}), Contains("serve: expected a configuration file, found none"));
    CHECK_THAT(refused({folder.path("none.ini")}), Contains("cannot be opened"));
    CHECK(served.stop(SIGINT) == 0);
    CHECK(test::read_file(folder.path("log")).empty());
}

TEST_CASE("an address that others can reach is warned about") {
    const test::TemporaryFolder folder;
    ServedProcess served({idle, "--listen", "0.0.0.0:0"}, folder.path("log"));
    REQUIRE_THAT(served.device, StartsWith("grpc:0.0.0.0:"));
    CHECK_THAT(test::read_file(folder.path("log")), StartsWith("warning: 0.0.0.0:"));
    CHECK_THAT(test::read_file(folder.path("log")),
               Contains("may be reached from other machines, and the service has no authentication\n"));
}

TEST_CASE("a server that is too slow says so") {
    const test::TemporaryFolder folder;
    ServedProcess served({pins, "--listen", "127.0.0.1:0", "--speed", "1000"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    while (test::read_file(folder.path("log")).find("of the pace: rates") == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(served.stop(SIGTERM) == 0);
    CHECK_THAT(test::read_file(folder.path("log")), Contains("warning: the simulation reaches 0."));
}

TEST_CASE("clients that are killed leave a server that serves") {
    const test::TemporaryFolder folder;
    ServedProcess served({idle, "--listen", "127.0.0.1:0"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    const std::string shown = folder.path("shown");
    const std::string client = tool + served.device + " --watch -t 0.0001 >" + shown;
    for (int i = 0; i < 10; ++i) {
        // Both measure all the time, and end in the middle of it.
        shell("rm -f " + shown + "*; " + test::in_background(client + "1", "[ -s " + shown + "1 ]") +
              "first=$pid; " + test::in_background(client + "2", "[ -s " + shown + "2 ]") +
              "sleep 0.05; kill -KILL $first $pid; wait");
        CHECK_THAT(test::read_file(shown + "1"), StartsWith("PCIe telemetry"));
    }
    CHECK(shell(tool + served.device + " -t 0.01").code == 0);
    CHECK(served.stop(SIGTERM) == 0);
}

TEST_CASE("a tool whose server ends says so") {
    const test::TemporaryFolder folder;
    ServedProcess served({idle, "--listen", "127.0.0.1:0"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    const std::string shown = folder.path("shown");
    const Result result = shell(
        test::in_background(tool + served.device + " --watch -t 0.001 >" + shown, "[ -s " + shown + " ]") +
        "kill -TERM " + std::to_string(served.pid()) + "; wait $pid");
    CHECK(served.stop(0) == 0);
    CHECK(result.code == 2);
    CHECK(result.err == "nfb-pcie-telemetry: " + served.device + ": the server has ended\n");
}

TEST_CASE("a watch on a terminal refreshes in place") {
    const test::TemporaryFolder folder;
    ServedProcess served({idle, "--listen", "127.0.0.1:0"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    test::Terminal terminal("exec " + tool + served.device + " --watch -t 0.05");
    terminal.wait_for("PCIe telemetry", 2);
    terminal.end();
    const std::string& shown = terminal.shown();
    CHECK_THAT(shown, StartsWith("\x1b[HPCIe telemetry - 1 endpoint(s), 1 DMA port(s) per endpoint\x1b[K"));
    CHECK_THAT(shown, Contains("\x1b[J\x1b[HPCIe telemetry"));
}

TEST_CASE("a watch on a small terminal shows what fits and never scrolls") {
    const test::TemporaryFolder folder;
    ServedProcess served({idle, "--listen", "127.0.0.1:0"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    test::Terminal terminal("exec " + tool + served.device + " --watch -t 0.05", 24, 80);
    terminal.wait_for("PCIe telemetry", 3);
    terminal.end();
    const std::string shown = terminal.shown().substr(0, terminal.shown().rfind("\x1b[H"));
    CHECK_THAT(shown, StartsWith("\x1b[HPCIe telemetry - 1 endpoint(s)"));
    int frames = 0;
    for (std::size_t begin = 0, end = 0; begin < shown.size(); begin = end, ++frames) {
        end = std::min(shown.find("\x1b[H", begin + 1), shown.size());
        CHECK(std::count(shown.begin() + static_cast<std::ptrdiff_t>(begin),
                         shown.begin() + static_cast<std::ptrdiff_t>(end), '\n') == 23);
    }
    CHECK(frames >= 2);
    CHECK_THAT(shown, Contains("\n[23 of ") && EndsWith(" columns: the window is small]\x1b[K"));
}

TEST_CASE("the tool says when a card is off real time") {
    const test::TemporaryFolder folder;
    const auto warning = [&](const std::vector<std::string>& pace, const std::string& options) {
        std::vector<std::string> words = {idle, "--listen", "127.0.0.1:0"};
        words.insert(words.end(), pace.begin(), pace.end());
        ServedProcess served(words, folder.path("log"));
        REQUIRE_FALSE(served.device.empty());
        const Result result = shell(tool + served.device + options);
        CHECK(result.code == 0);
        CHECK_THAT(result.out, !Contains("warning"));
        return result.err;
    };
    for (const char* options : {" -t 0.2", " -t 0.2 --json"}) {
        CHECK(warning({}, options).empty());
        CHECK_THAT(
            warning({"--speed", "0.5"}, options),
            StartsWith("nfb-pcie-telemetry: warning: simulated time passed 0.") &&
                Contains(" times as fast as host time (pace: 0.5 x real time): rates are shown by host time, "
                         "and are 0.") &&
                EndsWith(" times those by simulated time\n"));
        CHECK_THAT(warning({"--free-run"}, options), Contains("(pace: as fast as the simulation can)"));
        CHECK_THAT(warning({"--step", "1us"}, options), Contains("(pace: 1us of simulated time an access)"));
    }
    CHECK(warning({"--step", "1us"}, " -t 0").empty());
    CHECK(warning({"--step", "1us"}, " --clear").empty());
    // In place it belongs to what is shown.
    ServedProcess served({idle, "--listen", "127.0.0.1:0", "--speed", "0.5"}, folder.path("log"));
    test::Terminal terminal("exec " + tool + served.device + " --watch -t 0.1", 100, 130);
    terminal.wait_for("PCIe telemetry");
    terminal.end();
    CHECK_THAT(terminal.shown(), StartsWith("\x1b[Hwarning: simulated time passed 0."));
}

// The software makes the same accesses one right behind the other, so the snapshot is of the same moment.
TEST_CASE("every way of attaching the tool gives the same data of the same moment") {
    const test::TemporaryFolder folder;
    const Result inside = shell(program + " run " + pins + " --duration 0s --json");
    REQUIRE(inside.code == 0);
    CHECK_THAT(inside.out, Contains("\"seconds\": null"));

    ServedProcess served({pins, "--listen", "127.0.0.1:0", "--step", "0s"}, folder.path("log"));
    REQUIRE_FALSE(served.device.empty());
    CHECK(shell(tool + served.device + " -t 0 --json").out == inside.out);

    CHECK(shell(tool + pins + " -t 0 --json").out == inside.out);

    const test::LoadedLibrary library;
    const test::OpenDevice device(library, pins + ",step=0s");
    LibraryBus bus(device);
    driver::HostClock clock;
    driver::Telemetry telemetry(bus, clock);
    const auto recording = telemetry.record(0);
    CHECK(report::format_json(driver::evaluate(telemetry.layout(), recording)) == inside.out);
}

TEST_CASE("accesses recorded of served cards and inside of a process give the same answers in a run") {
    const test::TemporaryFolder folder;
    const std::string recording = folder.path("accesses");
    {
        ServedProcess served(
            {pins, "--listen", "127.0.0.1:0", "--speed", "0.01", "--record-accesses", recording},
            folder.path("log"));
        REQUIRE_FALSE(served.device.empty());
        shell("for n in 1 2 3; do " + tool + served.device + " -t 0.05 & done; wait");
        CHECK(served.stop(SIGTERM) == 0);
    }
    const Result played = shell(program + " run " + pins + " --play-accesses " + recording);
    CHECK(played.code == 0);
    CHECK_THAT(played.out, Contains(" accesses, 0 with another answer\n"));
    {
        const test::LoadedLibrary library;
        const test::OpenDevice device(library, pins + ",speed=0.01,record-accesses=" + recording);
        LibraryBus bus(device);
        driver::HostClock clock;
        driver::Telemetry telemetry(bus, clock);
        telemetry.record(0.05);
    }
    const Result again = shell(program + " run " + pins + " --play-accesses " + recording);
    CHECK(again.code == 0);
    CHECK_THAT(again.out, Contains(" accesses, 0 with another answer\n"));
}

TEST_CASE("the other answers to a recording are told one by one") {
    const test::TemporaryFolder folder;
    const auto play = [&](int wrong) {
        std::string text = "tlmetry.accesses/1\n";
        for (int i = 0; i < wrong; ++i)
            text += std::to_string(i + 1) + "000000000000 r 0x0 4 = 0000000" + std::to_string(i % 10) + "\n";
        return shell(program + " run " + idle + " --play-accesses " + folder.write("accesses", text));
    };
    const Result three = play(3);
    CHECK(three.code == 1);
    CHECK(three.out == "played 3 accesses, 3 with another answer\n");
    CHECK(std::count(three.err.begin(), three.err.end(), '\n') == 3);
    CHECK_THAT(three.err, Contains("expected 00000002, found 4d4c5450\n"));
    const Result twelve = play(12);
    CHECK(std::count(twelve.err.begin(), twelve.err.end(), '\n') == 11);
    CHECK_THAT(twelve.err, EndsWith("play-accesses: and 2 more\n"));
}
