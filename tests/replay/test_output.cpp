// SPDX-License-Identifier: BSD-3-Clause
// What replay prints: the report of the whole recording.
#include "program.hpp"
#include "recorded.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

using namespace tlmetry::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

const std::string name = "prof_stall";

/// What the pins of an endpoint count, edge by edge, from the first edge that does not see its reset on.
struct Ticked {
    std::uint64_t cycles = 0, words[2] = {}, stalled[2] = {}, transactions[2] = {};
};

Ticked tick(const Recorded& recorded, const std::string& side, const std::string& clock,
            const std::string& reset, std::size_t regions) {
    std::map<std::size_t, std::string> now;
    const auto bit = [&](const std::string& pin, std::size_t index) {
        const std::string& digits = now[recorded.index(side + pin + "_0")];
        return digits[digits.size() - 1 - index] == '1';
    };
    Ticked ticked;
    std::string clock_before = "x";
    for (const auto& [time, changed] : recorded.changes) {
        const auto edge = changed.find(recorded.index(clock));
        if (edge != changed.end() && clock_before == "0" && edge->second == "1" &&
            now[recorded.index(reset)] == "0") {
            ++ticked.cycles;
            for (std::size_t bus = 0; bus < 2; ++bus) {
                if (!bit("src_rdy", bus)) continue;
                if (!bit("dst_rdy", bus)) {
                    ++ticked.stalled[bus];
                    continue;
                }
                ++ticked.words[bus];
                for (std::size_t r = 0; r < regions; ++r)
                    ticked.transactions[bus] += bit("sof", bus * regions + r);
            }
        }
        for (const auto& [variable, digits] : changed)
            now[variable] = digits;
        clock_before = now[recorded.index(clock)];
    }
    return ticked;
}

}  // namespace

TEST_CASE("a recording of the buses alone") {
    Recorded recorded = Recorded::read(wave(name));
    recorded.drop([](const std::string& pin) { return pin.compare(0, 3, "mi_") == 0; });
    const TemporaryFolder folder;
    const std::string file = folder.write("buses.vcd", recorded.vcd());
    const Result result = replay(file + " --json --params " + params(name));
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains(file + ": no MI bus recorded, "));
    CHECK_THAT(result.err, !Contains("not recorded, so zero"));
    const Json report = Json::parse(result.out);
    const Json& endpoint = report.at("data").at("endpoints").at(0);
    CHECK(report.at("seconds").get<double>() > 37e-6);

    const Ticked pcie = tick(recorded, "pcie_mfb_", "pcie_clk_0", "pcie_reset_0", 2);
    const Ticked dma = tick(recorded, "dma_mfb_", "dma_clk", "dma_reset", 2);
    // The counter of cycles has no input register in front of it, so it is one cycle ahead of the pins.
    CHECK(endpoint.at("pcie_cycles") == pcie.cycles + 1);
    CHECK(endpoint.at("dma_cycles") == dma.cycles + 1);
    for (std::size_t bus = 0; bus < 2; ++bus) {
        const auto check = [&](const std::string& bus_name, const Ticked& ticked) {
            CAPTURE(bus_name);
            const Json& counts = endpoint.at("buses").at(bus_name);
            CHECK(counts.at("words") == ticked.words[bus]);
            CHECK(counts.at("backpressure") == ticked.stalled[bus]);
            CHECK(counts.at("transactions") == ticked.transactions[bus]);
        };
        check(bus == 0 ? "PTC -> PCIe (RQ)" : "PCIe -> PTC (RC)", pcie);
        check(bus == 0 ? "DMA0 -> PTC (UP)" : "PTC -> DMA0 (DOWN)", dma);
    }
    // Without the clock of the accumulator the number of endpoints comes from the pins.
    const Result without = replay(file + " --telemetry.drain_period=1024");
    CHECK_THAT(without.err, Contains("generics from the recording:\n  pcie_endpoints = 1\n"));
    CHECK_THAT(without.err, Contains("so defaults:\n  dma_ports = 1, "));
}

TEST_CASE("the saved registers give the same report") {
    for (const std::string recording : {"prof_saturated", "case12_flags", "extra13_wrap33"}) {
        CAPTURE(recording);
        const TemporaryFolder folder;
        const std::string saved = folder.path("saved.json");
        const std::string arguments = wave(recording) + " --params " + params(recording);
        const Result text = replay(arguments + " --dump-registers " + saved);
        const Result json = replay(arguments + " --json --quiet");
        CHECK(text.code == 0);
        CHECK(json.code == 0);
        CHECK(json.err == "");
        if (text.out.find("COUNTERS CLEARED") != std::string::npos) continue;
        CHECK(run_program(TLMETRY_TOOL, "-d " + saved).out == text.out);
        CHECK(run_program(TLMETRY_TOOL, "--json -d " + saved).out == json.out);
    }
}

TEST_CASE("a clock that runs by itself takes no memory while nothing is recorded") {
    const TemporaryFolder folder;
    const std::string recording =
        folder.write("gap.vcd",
                     "$timescale 1 ms $end\n"
                     "$var wire 1 ! pcie_clk_0 $end $var wire 2 $ pcie_mfb_src_rdy_0 $end\n"
                     "$enddefinitions $end\n"
                     "#100000 0! b0 $ #100001 1! #200000 0! b11 $ #300000\n");
    const Result result = replay(recording);
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains("200s of 1 endpoint(s) played"));
    rusage used{};
    REQUIRE(getrusage(RUSAGE_CHILDREN, &used) == 0);
    CHECK(used.ru_maxrss < 1'000'000);  // KiB
}

TEST_CASE("a configuration of a run gives the generics, and its other sections only have to be right") {
    const TemporaryFolder folder;
    const auto with = [&](const std::string& text) {
        return replay(wave(name) + " --quiet --config " + folder.write("run.ini", text));
    };
    CHECK(with("[run]\nduration = 1ms\n[telemetry]\ndrain_period = 1024\n").code == 0);
    const Result differs = with("[run]\nseed = 7\n[telemetry]\ndrain_period = 2048\n");
    CHECK(differs.code == 1);
    CHECK(differs.out == "");
    CHECK_THAT(differs.err, Contains("(CFG_DRAIN)"));
    const Result unknown = with("[run]\nseeed = 7\n");
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err,
               Contains("run.ini:2: run.seeed: no parameter has this name, did you mean run.seed?"));
}

TEST_CASE("the report tells that the recording cleared the counters") {
    const Result cleared = replay(wave("case11_marks") + " --params " + params("case11_marks"));
    CHECK_THAT(cleared.out, Contains("COUNTERS CLEARED during the interval"));
    const Result not_cleared = replay(wave("prof_saturated") + " --params " + params("prof_saturated"));
    CHECK_THAT(not_cleared.out, !Contains("COUNTERS CLEARED"));
}

TEST_CASE("Ctrl-C ends with the report so far") {
    std::signal(SIGPIPE, SIG_IGN);
    const TemporaryFolder folder;
    const std::string text = Recorded::read(wave(name)).vcd();
    const std::string generics = params(name), out = folder.path("out"), err = folder.path("err");
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[0], 0);
        dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
        dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
        close(ends[0]);
        close(ends[1]);
        execl(TLMETRY, TLMETRY, "replay", "-", "--params", generics.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[0]);
    const auto write_all = [&](std::size_t from, std::size_t to) {
        while (from < to) {
            const ssize_t written = write(ends[1], text.data() + from, to - from);
            if (written <= 0) return;
            from += static_cast<std::size_t>(written);
        }
    };
    // The reader takes 256 KiB at a time and the pipe holds 64 KiB: it is past the header when all this is
    // written.
    constexpr std::size_t first_part = 640 * 1024;
    REQUIRE(text.size() > first_part + 256 * 1024);
    write_all(0, first_part);
    kill(child, SIGINT);
    write_all(first_part, text.size());
    close(ends[1]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    CHECK_THAT(read_file(out), Contains("PCIe telemetry - "));
    CHECK_THAT(read_file(err), Contains(" played until interrupted"));
}
