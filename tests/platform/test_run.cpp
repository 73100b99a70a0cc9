// SPDX-License-Identifier: BSD-3-Clause
// The commands run and help as a user starts them.
#include "../support/shell.hpp"
#include "../support/terminal.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <map>

using namespace tlmetry;
using Catch::Contains;
using Catch::StartsWith;
using test::Result;
using test::shell;

namespace {

Result tlmetry_with(const std::string& arguments) {
    return shell(TLMETRY_PROGRAM " " + arguments);
}

std::string config(const std::string& name) {
    return TLMETRY_CONFIGS "/" + name;
}

/// Some traffic, and done soon.
std::string short_run() {
    return "run " + config("default.ini") + " --run.duration=300us ";
}

std::string output(const std::string& arguments) {
    CAPTURE(arguments);
    const Result result = tlmetry_with(arguments);
    CHECK(result.code == 0);
    CHECK(result.err == "");
    return result.out;
}

/// Exit code 2, nothing on stdout and one sentence on stderr.
void check_refused(const std::string& arguments, const std::string& sentence) {
    CAPTURE(arguments);
    const Result result = tlmetry_with(arguments);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK(result.err == "tlmetry: " + sentence + "\n");
}

}  // namespace

TEST_CASE("every configuration that comes along runs") {
    int files = 0;
    for (const auto& file : std::filesystem::directory_iterator(TLMETRY_CONFIGS)) {
        if (file.is_directory()) continue;  // studies, which tlmetry explore runs
        const std::string report = output("run " + file.path().string() + " --duration=2ms");
        CAPTURE(file.path());
        CHECK_THAT(report, StartsWith("PCIe telemetry - "));
        CHECK(Contains("LOST DELTAS").match(report) == (file.path().filename() == "sixteen_endpoints.ini"));
        ++files;
    }
    CHECK(files >= 4);
}

TEST_CASE("the default configuration shows traffic and the right clocks") {
    const auto report =
        nlohmann::json::parse(output("run " + config("default.ini") + " --json --duration=2ms"));
    const double seconds = report["seconds"];
    const auto& endpoint = report["data"]["endpoints"][0];
    CHECK(seconds == Approx(2e-3).epsilon(0.01));
    CHECK(endpoint["pcie_cycles"].get<double>() / seconds == Approx(400e6).epsilon(0.01));
    CHECK(endpoint["dma_cycles"].get<double>() / seconds == Approx(200e6).epsilon(0.02));
    for (const auto& bus : endpoint["buses"])
        CHECK(bus["items"].get<std::uint64_t>() > 1000);
}

TEST_CASE("a seed decides the report, and nothing else does") {
    const std::string report = output(short_run());
    for (const char* option : {"--seed=1", "--mi.quantum=0ns", "--mi.quantum=10ns", "--mi.quantum=1ms",
                               "--quiet", "--run.seed=0x1"}) {
        CAPTURE(option);
        CHECK(output(short_run() + option) == report);
    }
    CHECK(output(short_run() + "--seed=2") != report);
    const std::string json = output(short_run() + "--json");
    CHECK(output(short_run() + "-j --mi.quantum=0ns") == json);
    test::TemporaryFolder folder;
    CHECK(output(short_run() + "--stats " + folder.path("stats") + " --dump-registers " +
                 folder.path("registers")) == report);
}

TEST_CASE("a saved register file gives the report of the run") {
    test::TemporaryFolder folder;
    const std::string file = folder.path("registers.json");
    for (const char* json : {"", " --json"}) {
        const std::string report = output(short_run() + "--dump-registers=" + file + json);
        const Result rendered = shell(TLMETRY_TOOL " -d " + file + json);
        CHECK(rendered.code == 0);
        CHECK(rendered.out == report);
    }
    const std::string totals =
        output("run " + config("default.ini") + " --duration=0s --dump-registers=" + file);
    CHECK(shell(TLMETRY_TOOL " -d " + file).out == totals);
}

TEST_CASE("a dumped configuration is complete and reads back as it was") {
    test::TemporaryFolder folder;
    const std::string changes = " --telemetry.pcie_clock=333.333MHz --pins.stall=12.5% --seed=99";
    const std::string dump = output("run --dump-config " + config("two_endpoints.ini") + changes);
    const std::string file = folder.write("dumped.ini", dump);
    CHECK(output("run --dump-config " + file) == dump);
    CHECK(output("run " + file + " --duration=200us") ==
          output("run " + config("two_endpoints.ini") + changes + " --duration=200us"));
    const auto json = nlohmann::json::parse(output("run --dump-config --json " + file));
    CHECK(json["schema"] == "tlmetry.config/1");
    CHECK(json["parameters"]["run"]["seed"] == 99);
    CHECK(json["parameters"]["pins"]["stall"] == "12.5%");
}

TEST_CASE("later files and options win") {
    test::TemporaryFolder folder;
    const std::string first =
        folder.write("first.ini", "[run]\nseed = 1\nwarmup = 5us\n[mi]\nquantum = 1ns\n");
    const std::string second = folder.write("second.ini", "[run]\nseed = 2\nwarmup = 6us\n");
    const auto json = nlohmann::json::parse(
        output("run --dump-config --json " + first + " " + second + " --run.seed=3"))["parameters"];
    CHECK(json["run"]["seed"] == 3);
    CHECK(json["run"]["warmup"] == "6us");
    CHECK(json["mi"]["quantum"] == "1ns");
}

TEST_CASE("statistics are saved as JSON") {
    test::TemporaryFolder folder;
    const std::string file = folder.path("stats.json");
    output(short_run() + "--stats=" + file);
    const auto statistics = nlohmann::json::parse(test::read_file(file));
    CHECK(statistics["schema"] == "tlmetry.statistics/1");
    CHECK(statistics["seed"] == 1);
    CHECK(statistics["simulated_fs"].get<std::int64_t>() >= 400'000'000'000);
    std::map<std::string, double> values;
    for (const auto& entry : statistics["statistics"]) {
        values[entry["name"].get<std::string>()] = entry["value"].get<double>();
        CHECK(entry["unit"] != "");
        CHECK(entry["description"] != "");
    }
    CHECK(values.at("mi.accesses") > 256);
    CHECK(values.at("mi.late_accesses") == 0);
    CHECK(values.at("telemetry.dropped_deltas") == 0);
    // 400 us of a DMA port whose UP bus of 12.8 GB/s is full: half of the requests are writes of 256 bytes.
    CHECK(values.at("endpoint0.write_bytes") == Approx(400e-6 * 12.8e9).epsilon(0.05));
    CHECK(values.at("endpoint0.reads") == Approx(values.at("endpoint0.writes")).epsilon(0.05));
    CHECK(values.at("host.endpoint0.writes") == Approx(values.at("endpoint0.writes")).epsilon(0.01));
    CHECK(values.at("endpoint0.dma0.requests") >=
          values.at("endpoint0.reads") + values.at("endpoint0.writes"));
    CHECK_THAT(output(short_run() + "--stats=-"),
               Contains("\nendpoint0.dma0.requests  ") && Contains(" requests     handed to the DMA port\n"));
}

TEST_CASE("the register map is listed as text and as JSON") {
    const std::string text = output("run --list-registers");
    CHECK_THAT(text, StartsWith("0x0000         RO  MAGIC "));
    CHECK_THAT(text, Contains("0x0040-0x007c  RO  PCIE_STATUS"));
    CHECK_THAT(text, Contains("  [15:8]       RC             regions of the RC bus\n"));
    const auto json = nlohmann::json::parse(output("run --list-registers --json"));
    CHECK(json["schema"] == "tlmetry.register_map/1");
    const auto& command = json["registers"][8];
    CHECK(command["name"] == "COMMAND");
    CHECK(command["offset"] == "0x0020");
    CHECK(command["access"] == "WO");
    CHECK(command["fields"][2]["name"] == "CLEAR_FLAGS");
    CHECK(command["fields"][2]["lsb"] == 2);
}

TEST_CASE("help explains commands, sections and parameters") {
    const std::string all = output("help");
    for (const char* word : {"  run ", "  replay ", "  help ", "  traffic: ", "  telemetry: "})
        CHECK_THAT(all, Contains(word));
    CHECK_THAT(output("help pins"), Contains("\npins.stall = "));
    CHECK_THAT(output("help telemetry.drain_period"), StartsWith("telemetry.drain_period\n  Time between"));
    CHECK_THAT(output("run --help"),
               StartsWith("Usage: tlmetry run CONFIG.ini") && Contains("internal error"));
    for (const char* words : {"--help", "help", "run --help", "help telemetry", "help run.",
                              "run --list-registers", "run --dump-config"})
        test::check_width(output(words));
    CHECK_THAT(output("help run"),
               StartsWith(output("run --help") + "\nParameters of the section run:\n\nrun.seed = 1\n"));
    for (const std::string command : {"replay", "serve", "status"})
        CHECK(output("help " + command) == output(command + " --help"));
    check_refused("help pins.stal_length",
                  "help pins.stal_length: no parameter has this name, did you mean pins.stall_length?");
}

TEST_CASE("mistakes are refused in one sentence") {
    test::TemporaryFolder folder;
    const std::string base = "run " + config("idle.ini") + " ";
    check_refused("run", "run: expected a configuration file, found none; see tlmetry run --help");
    // The option has taken the file for its value.
    check_refused("run --seed " + config("idle.ini"),
                  "option --seed: expected an integer from 0 to 18446744073709551615, found '" TLMETRY_CONFIGS
                  "/idle.ini'");
    check_refused(
        short_run() + "--stats --json",
        "option --stats: expected a value, found the option '--json' (a value that begins with - goes "
        "behind =, as --stats=--json)");
    check_refused(base + "--ptc.tags=",
                  "option --ptc.tags: expected an integer from 1 to 1024 tags, found nothing");
    check_refused("run /no/such.ini",
                  "configuration file /no/such.ini cannot be opened: No such file or directory");
    check_refused(base + "--pin.stall=1%",
                  "option --pin.stall: no option has this name, did you mean --pins.stall?");
    check_refused(
        base + "--pins.stall=100%",
        "option --pins.stall: expected a fraction from 0 to 99% in steps of 1ppm (as 25%, 0.25, 10ppm), "
        "found '100%'");
    check_refused(base + "--duration=4",
                  "option --duration: expected a time with its unit such as 2.5ns or 1us, at "
                  "most 3600s, found '4'");
    check_refused(base + "--run.warmup=601s",
                  "option --run.warmup: expected a time with its unit such as 2.5ns or 1us, at "
                  "most 600s, found '601s'");
    check_refused(base + "--seed=-1",
                  "option --seed: expected an integer from 0 to 18446744073709551615, found '-1'");
    check_refused(base + "--telemetry.pcie_clock=1MHz,2MHz",
                  "telemetry.pcie_clock: expected one value, found 2 values");
    const std::string unknown = folder.write("unknown.ini", "[run]\nseed = 1\nsede = 2\n");
    check_refused("run " + unknown,
                  unknown + ":3: run.sede: no parameter has this name, did you mean run.seed?");
    check_refused(base + "--telemetry.drain_period=32",
                  "telemetry.drain_period: expected more than the 40 cycles in which the PCIe probe reads "
                  "out its 31 channels, found 32");
    for (const std::string option : {"--dump-registers", "--stats"}) {
        const Result result = tlmetry_with(short_run() + option + "=/no/such/file");
        CHECK(result.code == 2);
        CHECK(result.out == "");
        CHECK_THAT(result.err, StartsWith("tlmetry: option " + option + ": /no/such/file cannot be written"));
        check_refused(short_run() + option + " ''", "option " + option + ": expected a value, found nothing");
        check_refused(short_run() + option + " /tmp",
                      "option " + option + ": /tmp cannot be written: is a directory");
    }
    check_refused("run /dev/zero", "configuration file /dev/zero: expected at most 16 MiB, found more");
    check_refused(short_run() + "--json --stats -",
                  "option --stats: expected a file with --json, of which standard output has the report, "
                  "found -");
    check_refused(short_run() + "--wave=" + folder.path("w.vcd") + " --wave-to=0s",
                  "option --wave-to: expected a time above 0, found '0s'");
}

TEST_CASE("no result replaces another one or what it comes from") {
    test::TemporaryFolder folder;
    const std::string ini = folder.write("own.ini", "[run]\nduration = 10us\n");
    const std::string trace = folder.write("trace.csv", "0,R,0,64\n");
    const std::string file = folder.path("file");
    const std::string wave = folder.path("w.vcd");
    const std::string generics = folder.path("w.generics.json");
    const std::string base = "run " + ini + " ";
    const auto refused = [&](const std::string& options, const std::string& name, const std::string& found,
                             const std::string& other) {
        check_refused(base + options,
                      name + ": expected a file of its own, found " + found + ", that of " + other);
    };
    refused("--stats=" + file + " --dump-registers=" + file, "option --dump-registers", file,
            "option --stats");
    refused("--stats=" + wave + " --wave=" + wave, "option --wave", wave, "option --stats");
    refused("--stats=not-there --dump-registers=./not-there", "option --dump-registers", "./not-there",
            "option --stats");
    refused("--wave=" + wave + " --dump-registers=" + generics, "option --wave", generics,
            "option --dump-registers");
    for (const std::string option : {"--stats", "--dump-registers", "--wave"}) {
        refused(option + "=" + ini, "option " + option, ini, "a configuration");
        refused(option + "=" + trace + " --traffic.trace=" + trace, "option " + option, trace,
                "traffic.trace");
        refused(option + "=" + trace + " --host.latency_kind=histogram --host.latency_file=" + trace,
                "option " + option, trace, "host.latency_file");
    }
    CHECK(test::read_file(ini) == "[run]\nduration = 10us\n");
    CHECK(tlmetry_with(base + "--stats=/dev/null --dump-registers=/dev/null").code == 0);
}

TEST_CASE("values that no card can have are refused") {
    check_refused(short_run() + "--link.up_errors=100%",
                  "option --link.up_errors: expected a fraction from 0 to 90% in steps of 1e-9 (as 1%, "
                  "1e-6), found '100%'");
    check_refused(short_run() + "--card.mvb_up_items=4",
                  "card.mvb_up_items: expected at most 2, the items of an MVB that the telemetry sees (most "
                  "regions of a DMA bus), found 4");
    check_refused(short_run() + "--host.latency=1fs --timeline '1us link down for 1us'",
                  "host.latency: expected at least 1ns together with link.propagation, and likewise "
                  "link.credit_update_latency, where credits are finite or a link goes down, found 1fs");
    check_refused(
        short_run() + "--ptc.storage_words=1",
        "ptc.storage_words: expected 131 to 1048576 with card.mvb_up_items = 2 and ptc.word_bytes = 64, "
        "found 1");
    check_refused(short_run() + "--ptc.tags=1",
                  "ptc.tags: expected 2 to 1024 with card.mvb_up_items = 2, found 1");
    check_refused(short_run() + "--ptc.down_almost_full=600",
                  "ptc.down_almost_full: expected 0 to 511 with ptc.down_fifo_words = 512, found 600");
    check_refused(
        short_run() + "--telemetry.pcie_rc_mfb_regions=3",
        "telemetry.pcie_rc_mfb_regions: expected not more than telemetry.dma_down_mfb_regions, or a "
        "multiple of it, found 3");
    check_refused(
        "run " + config("sixteen_endpoints.ini") + " --mi.request_latency=1s --mi.completion_latency=1s",
        "the run: expected at most 4600s of simulated time, found about 8192s: 10.1ms of run.warmup and "
        "run.duration, 8192s of some 4096 accesses of the software (mi.request_latency, "
        "mi.completion_latency, telemetry.mi_clock)");
    CHECK(tlmetry_with(short_run() + "--link.rcb=64").code == 0);
    CHECK(tlmetry_with(short_run() + "--link.rcb=128B").code == 0);
}

TEST_CASE("a parameter is given by one of its names") {
    for (const char* seed : {"1", "2"}) {
        check_refused(short_run() + "--run.seed 1 --seed " + seed,
                      "options --seed and --run.seed set the same parameter, expected one of them");
    }
    check_refused(short_run() + "--duration 1us",
                  "options --duration and --run.duration set the same parameter, expected one of them");
    check_refused(short_run() + "--run.seed=1 --run.seed=1", "option --run.seed is given more than once");
    check_refused(short_run() + "--seed=1 --seed=1", "option --seed is given more than once");
}

TEST_CASE("an output that is full costs none of the others") {
    test::TemporaryFolder folder;
    const std::string file = folder.path("registers.json");
    const Result no_report =
        shell(TLMETRY_PROGRAM " " + short_run() + "--dump-registers=" + file + " >/dev/full");
    CHECK(no_report.code == 2);
    CHECK(no_report.err == "tlmetry: the output cannot be written\n");
    const std::string report = output(short_run());
    CHECK(shell(TLMETRY_TOOL " -d " + file).out == report);

    const Result no_file = tlmetry_with(short_run() + "--stats=/dev/full");
    CHECK(no_file.code == 2);
    CHECK(no_file.out == report);
    CHECK_THAT(no_file.err, StartsWith("tlmetry: option --stats: /dev/full cannot be written: "));

    const Result with_registers = tlmetry_with(short_run() + "--stats=/dev/full --dump-registers=" + file);
    CHECK(with_registers.code == 2);
    CHECK(with_registers.err == no_file.err);
    CHECK(shell(TLMETRY_TOOL " -d " + file).out == report);

    const std::string statistics = folder.path("statistics.json");
    const Result no_registers =
        tlmetry_with(short_run() + "--dump-registers=/dev/full --stats=" + statistics);
    CHECK(no_registers.code == 2);
    CHECK(no_registers.out == report);
    CHECK_THAT(no_registers.err,
               StartsWith("tlmetry: option --dump-registers: /dev/full cannot be written: "));
    CHECK(nlohmann::json::parse(test::read_file(statistics))["schema"] == "tlmetry.statistics/1");

    std::filesystem::remove(statistics);
    const Result only_statistics = shell(TLMETRY_PROGRAM " " + short_run() +
                                         "--dump-registers=/dev/full --stats=" + statistics + " >/dev/full");
    CHECK(only_statistics.code == 2);
    CHECK(only_statistics.err == no_report.err + no_registers.err);
    CHECK(nlohmann::json::parse(test::read_file(statistics))["schema"] == "tlmetry.statistics/1");

    const Result both = tlmetry_with(short_run() + "--stats=/dev/stdout");
    CHECK(both.code == 0);
    CHECK_THAT(both.out, StartsWith(report + "{\n"));
}

TEST_CASE("a run that ends early leaves the files of others as they were") {
    test::TemporaryFolder folder;
    const std::string file = folder.write("registers.json", "old");
    const Result result = shell(test::in_background(TLMETRY_PROGRAM " run " + config("default.ini") +
                                                        " --run.warmup=600s --dump-registers=" + file,
                                                    test::catches_interrupt) +
                                "kill -KILL $pid; wait $pid");
    CHECK(result.code == 137);
    CHECK(test::read_file(file) == "old");
}

TEST_CASE("Ctrl-C ends a run with the report so far") {
    const Result result = test::interrupted(TLMETRY_PROGRAM " run " + config("default.ini") +
                                            " --duration=3600s --run.warmup=0s");
    CHECK(result.code == 130);
    CHECK_THAT(result.out, StartsWith("PCIe telemetry - 1 endpoint(s)") && Contains("Time spent low"));
    CHECK_THAT(result.err,
               StartsWith("warning: the run takes about 3600s of simulated time: 3600s of run.warmup and "
                          "run.duration, ") &&
                   Contains("\ninterrupted after "));
}

TEST_CASE("progress on a terminal leaves nothing behind") {
    test::Terminal terminal("exec " TLMETRY_PROGRAM " run " + config("default.ini") + " --duration=3600s");
    terminal.wait_for(" x real time");
    terminal.press_ctrl_c();
    CHECK_THAT(terminal.screen(), StartsWith("warning: the run takes about 3600s of simulated time") &&
                                      Contains("\nPCIe telemetry - ") && Contains("\ninterrupted after ") &&
                                      !Contains(" simulated, "));
    CHECK(terminal.code() == 130);
}

TEST_CASE("what is printed instead of simulating excludes the rest") {
    check_refused("run --dump-config --list-registers",
                  "options --dump-config and --list-registers: expected one of them");
    check_refused("run --dump-config --stats=x", "option --stats: nothing is simulated with --dump-config");
    check_refused("run --list-registers --dump-registers=x",
                  "option --dump-registers: nothing is simulated with --list-registers");
}

TEST_CASE("an interval that is short for the counters is warned of") {
    const Result result = tlmetry_with("run " + config("idle.ini") + " --duration=1us");
    CHECK(result.code == 0);
    CHECK_THAT(result.err,
               StartsWith("warning: run.duration = 1us is shorter than 4 read-outs of the counters"));
    CHECK_THAT(result.out, Contains("\nMeasured over 0.0000045 s\n"));
}

TEST_CASE("help shows the largest value that is accepted") {
    CHECK_THAT(output("help telemetry.drain_period"),
               Contains("a power of two from 32 to 1073741824 cycles"));
    CHECK(output("run --dump-config --telemetry.drain_period=1073741824") != "");
    check_refused("run --dump-config --telemetry.drain_period=2147483648",
                  "option --telemetry.drain_period: expected a power of two from 32 to 1073741824 cycles, "
                  "found '2147483648'");
}

TEST_CASE("messages stay on one line and short, whatever was typed") {
    const std::string typed = "\"$(printf 'a\\033[31m\\nb')" + std::string(100, 'x') + "\"";
    check_refused(typed,
                  "no command has the name 'a?[31m?b" + std::string(52, 'x') + "...', see tlmetry --help");
    check_refused(short_run() + "--seed=" + typed,
                  "option --seed: expected an integer from 0 to 18446744073709551615, found 'a?[31m?b" +
                      std::string(52, 'x') + "...'");
    check_refused("run \"$(printf 'a\\nb')\"",
                  "configuration file a?b cannot be opened: No such file or directory");
}

TEST_CASE("a timeline is refused where it says nothing that can happen") {
    test::TemporaryFolder folder;
    const auto refused = [&](const std::string& line, const std::string& sentence) {
        const std::string file = folder.write("t.ini", "[timeline]\n" + line + "\n");
        check_refused("run " + file, file + ":2: timeline.at " + sentence);
    };
    refused("at 3 = reset for 1us",
            "3: expected a time with its unit such as 2.5us, from 1fs to 4000s, found '3'");
    refused("at 3ms = halt",
            "3ms: expected set PARAMETER VALUE, link down for TIME, reset for TIME, reset pcie for TIME or "
            "reset dma for TIME, found 'halt'");
    refused("at 3ms = reset mi for 1us",
            "3ms: expected set PARAMETER VALUE, link down for TIME, reset for TIME, reset pcie for TIME or "
            "reset dma for TIME, found 'reset mi for 1us'");
    refused("at 3ms = reset for 1us,",
            "3ms: expected set PARAMETER VALUE, link down for TIME, reset for TIME, reset pcie for TIME or "
            "reset dma for TIME, found nothing");
    refused(
        "at 3ms = link down for ever",
        "3ms: expected a time for the links to be down with its unit such as 2.5us, from 1fs to 4000s, found "
        "'ever'");
    refused("at 3ms = set ptc.tags 4",
            "3ms: expected link.generation, link.lanes, a level of tune or a parameter of host other than "
            "host.lost_reads to change during a run, found 'ptc.tags'");
    refused("at 3ms = set tune.timeout 2us",
            "3ms: expected link.generation, link.lanes, a level of tune or a parameter of host other than "
            "host.lost_reads to change during a run, found 'tune.timeout'");
    refused("at 3ms = set tune.qos_tx_p 3", "3ms: tune.qos_tx_p: expected an integer from 0 to 2, found '3'");
    refused("at 3ms = set host.latencyy 4us",
            "3ms: host.latencyy: no parameter has this name, did you mean host.latency?");
    refused("at 3ms = set link.lanes 3",
            "3ms: link.lanes: expected one of 1, 2, 4, 8, 12, 16, 32, found '3'");
    refused("at 3ms = link down for 1ms, reset for 1ms",
            "3ms: expected links that are up and no reset, which is from 4ms on, found 3ms");
    check_refused(short_run() + "--timeline='1us reset'",
                  "option --timeline: 1us: expected set PARAMETER VALUE, link down for TIME, reset for TIME, "
                  "reset pcie for TIME or "
                  "reset dma for TIME, found 'reset'");
    check_refused("run " + config("idle.ini") + " --timeline='1us reset for 1us'",
                  "option --timeline: 1us: expected traffic.kind = requests, the traffic of a card, found "
                  "another kind");
}

TEST_CASE("levels of the root ports change in any quantum, and statistics show what waits there") {
    const std::string run = short_run() +
                            "--cpu.write_rate=20M/s --cpu.read_rate=5M/s --tune.rx_alloc_buf_level=1 "
                            "--stats - ";
    const std::string tuned = run + "--timeline='20us set tune.tx_alloc_buf_level 2' ";
    const std::string report = output(tuned);
    CHECK(output(tuned + "--mi.quantum=0ns") == report);
    CHECK(output(run) != report);
    for (const char* name : {"endpoint0.tx_cpl.batches", "endpoint0.tx_np.tlps", "endpoint0.tx_p.mean_wait",
                             "endpoint0.cpu.reads_done", "endpoint0.rx.mean_wait"})
        CHECK_THAT(report, Contains(name));
    CHECK_THAT(output(short_run() + "--stats -"), !Contains("endpoint0.tx_"));
}

TEST_CASE("a timeline changes the same in any quantum, and is part of the configuration") {
    const std::string run = "run " + config("timeline.ini") + " --json --run.warmup=4500us --duration=5ms ";
    const std::string report = output(run);
    CHECK(output(run + "--mi.quantum=0ns") == report);
    CHECK(output(run + "--mi.quantum=100us") == report);
    CHECK(output(run + "--timeline=none") != report);
    test::TemporaryFolder folder;
    const std::string dumped =
        folder.write("dumped.ini", output(run.substr(0, run.find(" --json")) + " --dump-config"));
    CHECK(output("run " + dumped + " --json --run.warmup=4500us --duration=5ms") == report);
    CHECK_THAT(output("run " + config("timeline.ini") + " --dump-config"),
               Contains("\nat = 3ms set host.latency 2us, 5ms link down for 1ms, 7ms reset for 2us, "));
}
