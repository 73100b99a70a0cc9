// SPDX-License-Identifier: BSD-3-Clause
// Mistakes: exit code 2, nothing on stdout, one sentence on stderr.
#include "program.hpp"
#include "recorded.hpp"

#include <algorithm>

using namespace tlmetry::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

const std::string name = "prof_stall";

void check_refused(const Result& result, const std::string& sentence) {
    CAPTURE(sentence);
    CHECK(result.code == 2);
    CHECK(result.out == "");
    CHECK_THAT(result.err, StartsWith("tlmetry: ") && Contains(sentence));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("the program explains itself and refuses unknown commands") {
    const Result help = run_program(TLMETRY, "--help");
    CHECK(help.code == 0);
    CHECK(help.err == "");
    CHECK_THAT(help.out, StartsWith("Usage: tlmetry COMMAND") && Contains("\n  replay "));
    const Result version = run_program(TLMETRY, "--version");
    CHECK(version.code == 0);
    CHECK_THAT(version.out, StartsWith("tlmetry "));
    const Result command = replay("--help");
    CHECK(command.code == 0);
    for (const char* option : {"--params FILE.json", "--map FILE", "--scope PATH", "--sample pre|post",
                               "--json", "--dump-registers FILE.json", "--quiet", "telemetry.drain_period"}) {
        CHECK_THAT(command.out, Contains(option));
    }
    check_width(command.out);
    CHECK_THAT(command.out, Contains("3 internal error"));
    check_refused(run_program(TLMETRY, ""), "expected a command, found none");
    check_refused(run_program(TLMETRY, "rpelay x"), "no command has the name 'rpelay', did you mean replay?");
}

TEST_CASE("wrong options") {
    check_refused(replay(""), "expected one recording, found none");
    check_refused(replay("a b"), "expected one recording, found 2");
    check_refused(replay(wave(name) + " --scop x"),
                  "option --scop: no option has this name, did you mean --scope?");
    check_refused(replay(wave(name) + " --sample mid"), "option --sample: expected pre or post, found 'mid'");
    check_refused(replay(wave(name) + " --telemetry.drain_period=100"),
                  "option --telemetry.drain_period: expected");
    check_refused(replay(wave(name) + " --telemetry.mfb_item_bytes=12"), "telemetry.");
    check_refused(replay(wave(name) + " --dump-registers /nowhere/x.json -q"),
                  "option --dump-registers: /nowhere/x.json cannot be written");
}

TEST_CASE("a full disk") {
    const int status =
        std::system((std::string(TLMETRY) + " replay -q " + wave(name) + " >/dev/full 2>/dev/null").c_str());
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
    const Result registers = replay(wave(name) + " -q --dump-registers /dev/full");
    CHECK(registers.code == 2);
    CHECK(registers.out == replay(wave(name) + " -q").out);
    CHECK_THAT(registers.err, Contains("option --dump-registers: /dev/full cannot be written"));
    check_refused(replay(wave(name) + " --dump-registers /no/such/file"),
                  "option --dump-registers: /no/such/file cannot be written: No such file or directory");
}

TEST_CASE("wrong files of generics") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& text, const std::string& sentence) {
        check_refused(replay(wave(name) + " --params " + folder.write("p.json", text)),
                      "p.json: " + sentence);
    };
    check_refused(replay(wave(name) + " --params /nowhere"), "generics file /nowhere cannot be opened");
    check_refused(replay(wave(name) + " --params /tmp"), "generics file /tmp cannot be read");
    check_refused(replay(wave(name) + " --params " + folder.write("p.json", "{")),
                  "p.json:1: expected JSON, found an error at byte 2 of the line");
    refused("[]", "expected a JSON object, found array");
    refused(R"({"generics": 1})", "key 'generics': expected an object, found number");
    refused(R"({"DRAIN_PERIODS": 1})",
            "key 'DRAIN_PERIODS': no generic has this name, did you mean DRAIN_PERIOD?");
    refused(R"({"DRAIN_PERIOD": 1.5})", "key 'DRAIN_PERIOD': expected an integer or a text, found number");
    refused(R"({"DRAIN_PERIOD": -1})", "key 'DRAIN_PERIOD': expected a power of two");
    refused(R"({"DRAIN_PERIOD": 64, "DRAIN_PERIOD": 64})",
            "key 'DRAIN_PERIOD': expected once, found a second time");
    refused(R"({"generics": {"DRAIN_PERIOD": 64, "drain_period": 64}})",
            "key 'drain_period': expected each generic once, found 'DRAIN_PERIOD' too");
    refused(R"({"mem_init_ones": 1})", "key 'mem_init_ones': expected true or false, found number");
}

TEST_CASE("wrong map files") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& text, const std::string& sentence) {
        check_refused(replay(wave(name) + " --map " + folder.write("m.txt", text)), "m.txt:" + sentence);
    };
    check_refused(replay(wave(name) + " --map /nowhere"), "map file /nowhere cannot be opened");
    check_refused(replay(wave(name) + " --map /tmp"), "map file /tmp cannot be read");
    check_refused(replay(wave(name) + " --map /dev/zero"),
                  "map file /dev/zero: expected at most 16 MiB, found more");
    refused("mi_clk", "1: expected 'pin = name in the recording', found 'mi_clk'");
    refused("# x\nmi_clk = \n", "2: expected 'pin = name in the recording', found 'mi_clk ='");
    refused("mi_clk = a\nMI_CLK = b\n", "2: expected each pin once, found 'mi_clk' again");
    refused("mi_clock = tb.mi_clk",
            "1: expected a pin of the component such as pcie_mfb_sof_0, found 'mi_clock'");
    refused("mi_clk = tb.nothing", "1: ");
}

TEST_CASE("recordings that cannot be read") {
    check_refused(replay("/nowhere.vcd"),
                  "/nowhere.vcd: cannot open the recording: No such file or directory");
    check_refused(replay("/tmp"), "/tmp: expected a recording, found a directory");
    const TemporaryFolder folder;
    check_refused(replay(folder.write("a.vcd", "")), "a.vcd");
    check_refused(replay(folder.write("a.vcd", "hello\n")), "a.vcd:1: expected a VCD declaration");
    const std::string packed = read_file(wave(name));
    std::string text = Recorded::read(wave(name)).vcd();
    for (const std::string& options : {std::string(), " --params " + params(name)}) {
        const auto refused = [&](const std::string& bytes, const std::string& sentence) {
            check_refused(replay(folder.write("a.vcd", bytes) + options), sentence);
        };
        refused(packed.substr(0, packed.size() / 2),
                "found the end of the file in the middle of its gzip data");
        std::string corrupt = packed;
        corrupt[corrupt.size() / 2] = static_cast<char>(corrupt[corrupt.size() / 2] ^ 0x55);
        refused(corrupt, "a.vcd");
        refused(text.substr(0, text.find(" !", text.size() / 2) + 1), "a.vcd:");
        std::string garbled = text;
        garbled.replace(garbled.find("\nb", text.size() / 2) + 2, 1, "?");
        refused(garbled, "a.vcd:");
    }
}

TEST_CASE("recordings with the wrong signals") {
    const Recorded recorded = Recorded::read(wave(name));
    const TemporaryFolder folder;
    const auto refused = [&](Recorded changed, const std::string& sentence) {
        check_refused(replay(folder.write("a.vcd", changed.vcd()) + " --params " + params(name)), sentence);
    };
    const auto without = [&](const std::string& pin) {
        Recorded changed = recorded;
        changed.drop([&](const std::string& variable) { return variable == pin; });
        return changed;
    };
    refused(without("pcie_clk_0"),
            "expected the clock pcie_clk_0 beside the PCIe pins of endpoint 0, found no such");
    refused(without("dma_clk"),
            "expected the clock dma_clk beside the DMA pins of endpoint 0, found no such");
    refused(without("mi_clk"), "expected the pin mi_clk beside mi_rd, found no such signal");
    refused(without("mi_addr"), "expected the pin mi_addr beside mi_rd, found no such signal");
    refused(without("mi_dwr"), "expected the pin mi_dwr beside mi_wr, found no such signal");
    refused(without("mi_rd"), "expected the pin mi_rd beside mi_drd and mi_drdy, found no such signal");
    Recorded none = recorded;
    none.drop([](const std::string& pin) { return pin.find("_0") != std::string::npos; });
    refused(none, "expected pins of PCIE_TELEMETRY_MI such as pcie_mfb_src_rdy_0, found none");
    check_refused(replay(wave(name) + " --scope tb.dut --params " + params(name)),
                  "expected pins of PCIE_TELEMETRY_MI such as tb.dut.pcie_mfb_src_rdy_0, found none");
    check_refused(replay(wave(name) + " --telemetry.dma_ports=2"),
                  "signal 'dma_mfb_sof_0': expected 8 bits, found 4");
    check_refused(replay(wave(name) + " --telemetry.pcie_rc_mfb_regions=4"),
                  "signal 'pcie_mfb_sof_0': expected 8 bits, found 4 (tb.pcie_mfb_sof_0)");
}
