// SPDX-License-Identifier: BSD-3-Clause
#include "fake_component.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/tool/run.hpp>
#include <tlmetry/tool/screen.hpp>

#include <catch2/catch.hpp>

#include <sstream>

using namespace tlmetry;
using Catch::Contains;
using tool::ToolOptions;

namespace {

ToolOptions parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "nfb-pcie-telemetry");
    return tool::parse_options(static_cast<int>(arguments.size()), arguments.data());
}

/// A run of the tool on a component of the tests.
struct Run {
    explicit Run(const ToolOptions& options) {
        code = tool::run_tool("program", options, bus, clock, out, err);
    }
    Run(const ToolOptions& options, std::function<void(Run&)> prepare) {
        prepare(*this);
        code = tool::run_tool("program", options, bus, clock, out, err);
    }
    test::FakeComponent bus;
    test::FakeClock clock;
    std::ostringstream out, err;
    int code = -1;
};

}  // namespace

TEST_CASE("defaults of the options") {
    const ToolOptions options = parse({});
    CHECK(options.device.empty());
    CHECK(options.index == 0);
    CHECK(options.interval == 1.0);
    CHECK_FALSE(options.watch);
    CHECK_FALSE(options.clear);
    CHECK_FALSE(options.json);
    CHECK_FALSE(options.help);
}

TEST_CASE("short and long options") {
    const ToolOptions brief = parse({"-d", "card", "-i", "3", "-t", "0.5", "-wcj", "-h"});
    const ToolOptions full = parse(
        {"--device", "card", "--index=3", "--interval", "5e-1", "--watch", "--clear", "--json", "--help"});
    for (const ToolOptions& options : {brief, full}) {
        CHECK(options.device == "card");
        CHECK(options.index == 3);
        CHECK(options.interval == 0.5);
        CHECK(options.watch);
        CHECK(options.clear);
        CHECK(options.json);
        CHECK(options.help);
    }
}

TEST_CASE("wrong options are named") {
    CHECK_THROWS_WITH(parse({"--interva", "2"}),
                      "option --interva: no option has this name, did you mean --interval?");
    CHECK_THROWS_WITH(parse({"-x"}), "option -x: no option has this name");
    CHECK_THROWS_WITH(parse({"card"}), "expected options only, found 'card'");
    CHECK_THROWS_WITH(parse({"-t"}),
                      "command line: the required argument for option '--interval' is missing");
    for (const char* value : {"1", "2"})
        CHECK_THROWS_WITH(parse({"-t", "1", "--interval", value}),
                          "option --interval is given more than once");
    CHECK_THROWS_WITH(parse({"-j", "--json"}), "option --json is given more than once");
    CHECK_THROWS_WITH(parse({"--json=1"}), "command line: option '--json' does not take any arguments");
    CHECK_THROWS_WITH(parse({"-t", ""}), "option --interval: expected a value, found nothing");
    for (const char* value : {"-1", "abc", "1s", "nan", "inf", "1e10", "1e999", " 1", "9e-19", "5e-324"})
        CHECK_THROWS_WITH(
            parse({"--interval", value}),
            "option --interval: expected 0 or seconds from 1e-18 to 1e9, found '" + std::string(value) + "'");
    for (const char* value : {"-1", "x", "1.5", "4294967296"})
        CHECK_THROWS_WITH(
            parse({"--index", value}),
            "option --index: expected an integer from 0 to 4294967295, found '" + std::string(value) + "'");
}

TEST_CASE("messages stay on one line and short, whatever was typed") {
    const std::string typed = std::string(100, 'x') + "\n\x1b[31m";
    const std::string shown = std::string(60, 'x') + "...";
    CHECK_THROWS_WITH(parse({"-t", typed.c_str()}),
                      "option --interval: expected 0 or seconds from 1e-18 to 1e9, found '" + shown + "'");
    CHECK_THROWS_WITH(parse({typed.c_str()}), "expected options only, found '" + shown + "'");
    CHECK_THROWS_WITH(parse({"-i", "\x1b[31m"}),
                      "option --index: expected an integer from 0 to 4294967295, found '?[31m'");
    CHECK_THROWS_WITH(parse({("--" + typed).c_str()}),
                      "option --" + std::string(58, 'x') + "...: no option has this name");
}

TEST_CASE("the tool prints one report") {
    Run run(ToolOptions{});
    CHECK(run.code == 0);
    CHECK(run.err.str() == "");
    CHECK_THAT(run.out.str(), Contains("PCIe telemetry - 1 endpoint(s)") && Contains("Measured over 1.00 s"));
}

TEST_CASE("an interval of zero prints totals") {
    ToolOptions options;
    options.interval = 0;
    options.json = true;
    Run run(options);
    CHECK(run.code == 0);
    CHECK_THAT(run.out.str(), Contains("\"seconds\": null"));
}

TEST_CASE("clear zeroes everything and prints nothing") {
    ToolOptions options;
    options.clear = true;
    Run run(options);
    CHECK(run.code == 0);
    CHECK(run.out.str() == "");
    REQUIRE(run.bus.accesses.size() == 15);
    CHECK(run.bus.accesses[13] == "W 20 0e");
}

TEST_CASE("watch measures again and again until the bus ends it") {
    ToolOptions options;
    options.watch = true;
    Run run(options, [](Run& r) {
        r.clock.on_sleep = [&r] {
            if (r.clock.sleeps.size() == 3) throw UserError("fake: gone");
        };
    });
    CHECK(run.code == 2);
    CHECK(run.err.str() == "program: fake: gone\n");
    const std::string text = run.out.str();
    const std::size_t second = text.find("\n\nPCIe telemetry - ");
    REQUIRE(second != std::string::npos);
    CHECK(text.substr(0, second + 1) == text.substr(second + 2));
}

TEST_CASE("a text in place fills the window at most") {
    const std::string text = "one\nlonger\n\n4\n";
    CHECK(tool::in_place(text, {}) == "\x1b[Hone\x1b[K\nlonger\x1b[K\n\x1b[K\n4\x1b[K\n\x1b[J");
    CHECK(tool::in_place(text, {5, 6}) == "\x1b[Hone\x1b[K\nlonger\n\x1b[K\n4\x1b[K\n\x1b[J");
    // Where all rows are taken, a line break behind the last one would scroll.
    CHECK(tool::in_place(text, {4, 7}) == "\x1b[Hone\x1b[K\nlonger\x1b[K\n\x1b[K\n4\x1b[K");
    CHECK(tool::in_place(text, {3, 7}) == "\x1b[Hone\x1b[K\nlonger\x1b[K\n[2 of 4");
    CHECK(tool::in_place(text, {3, 60}) ==
          "\x1b[Hone\x1b[K\nlonger\x1b[K\n"
          "[2 of 4 lines, 6 of 6 columns: the window is small]\x1b[K");
    CHECK(tool::in_place(text, {10, 5}) == "\x1b[Hone\x1b[K\nlonge\n\x1b[K\n4\x1b[K\n[4 of\n\x1b[J");
    CHECK(tool::in_place(text, {1, 1}) == "\x1b[H[");
}

TEST_CASE("a warning about the pace says how rates come out") {
    const auto warning = [](double simulated_s, double host_s) {
        return tool::pace_warning({"real time", 7, 5}, {"real time", 7 + simulated_s, 5 + host_s});
    };
    CHECK(warning(1, 1).empty());
    CHECK(warning(0.99, 1).empty());
    CHECK(warning(0.010, 0.012).empty());
    CHECK(warning(0.98, 1) ==
          "warning: simulated time passed 0.98 times as fast as host time (pace: real "
          "time): rates are shown by host time, and are 0.98 times those by simulated "
          "time");
    CHECK_THAT(warning(2000, 1), Contains("passed 2000 times"));
    CHECK_THAT(warning(0, 1), Contains("passed 0 times"));
}

TEST_CASE("a short interval is shown with digits that say something") {
    ToolOptions options;
    options.interval = 0.0003;
    CHECK_THAT(Run(options).out.str(), Contains("\nMeasured over 0.00030 s\n"));
    options.interval = 0.006;
    CHECK_THAT(Run(options).out.str(), Contains("\nMeasured over 0.01 s\n"));
}

TEST_CASE("watching totals is refused") {
    ToolOptions options;
    options.watch = true;
    options.interval = 0;
    Run run(options);
    CHECK(run.code == 2);
    CHECK(run.err.str() == "program: option --watch: needs an --interval above 0\n");
    CHECK(run.bus.accesses.empty());
}

TEST_CASE("a component of another kind is one sentence and exit code 2") {
    Run run(ToolOptions{}, [](Run& r) { r.bus.registers[0] = 0; });
    CHECK(run.code == 2);
    CHECK(run.out.str() == "");
    CHECK(run.err.str() ==
          "program: fake: MAGIC is 0x00000000, expected 0x50544c4d: this is not the telemetry "
          "component\n");
}

TEST_CASE("an error of the program itself is exit code 3") {
    Run run(ToolOptions{}, [](Run& r) { r.clock.on_sleep = [] { throw std::logic_error("broken"); }; });
    CHECK(run.code == 3);
    CHECK(run.err.str() == "program: internal error: broken\n");
}

TEST_CASE("output that cannot be written is noticed") {
    Run run(ToolOptions{}, [](Run& r) { r.out.setstate(std::ios::badbit); });
    CHECK(run.code == 2);
    CHECK(run.err.str() == "program: the output cannot be written\n");
}
