// SPDX-License-Identifier: BSD-3-Clause
// Recordings of the hardware: every answer, in value and cycle.
#include "program.hpp"

using namespace tlmetry::test;
using Catch::Contains;

namespace {

struct Case {
    const char* name;
    int answers;
    bool reads_configuration;
};

constexpr Case cases[] = {
    {"extra13_wrap33", 1095, false},     {"prof_stall", 1130, true},
    {"prof_saturated", 1127, true},      {"case07b_width64", 2350, true},
    {"case08b_reset_storm", 5832, true}, {"case10_coincident", 2548, true},
    {"case11_marks", 2504, true},        {"case12_flags", 4425, false},
    {"case04_two_ep_start", 487, false}, {"case06_sixteen_ep_start", 16, false},
};

void check_equal(const Result& result, int answers) {
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains(": " + std::to_string(answers) + " answers compared, all equal, "));
    CHECK_THAT(result.out, Contains("PCIe telemetry - "));
}

}  // namespace

TEST_CASE("golden waveforms with their generics") {
    for (const Case& c : cases) {
        CAPTURE(c.name);
        check_equal(replay(wave(c.name) + " --params " + params(c.name)), c.answers);
    }
}

TEST_CASE("golden waveforms that read their configuration registers need no generics") {
    int telling = 0;
    for (const Case& c : cases) {
        if (!c.reads_configuration) continue;
        ++telling;
        CAPTURE(c.name);
        const Result result = replay(wave(c.name));
        check_equal(result, c.answers);
        CHECK_THAT(result.err, Contains("generics from the recording:\n  pcie_endpoints = ") &&
                                   Contains(", dma_ports = 1, ") && !Contains("defaults"));
    }
    CHECK(telling == 6);
    // The others get defaults, which the program says, and which are not theirs.
    const Result result = replay(wave("case12_flags"));
    CHECK(result.code == 1);
    CHECK_THAT(result.err, Contains("so defaults:\n  dma_ports = 1, ") && Contains("drain_period = 4096"));
}

TEST_CASE("the same waveform as other tools write it") {
    for (const char* dialect : {"bitblast", "icarus"}) {
        const std::string file = std::string(TLMETRY_TEST_DATA) + "/dialects/" + dialect + ".vcd.gz";
        CAPTURE(file);
        check_equal(replay(file + " --params " + params("prof_stall")), 1130);
    }
}

TEST_CASE("generics by options, by a configuration file and from a plain object") {
    const TemporaryFolder folder;
    const std::string ini = folder.write("a.ini", "[telemetry]\ndrain_period = 1024\n");
    const std::string json = folder.write("a.json", R"({"PCIE_ENDPOINTS": 1, "DRAIN_PERIOD": 1024})");
    check_equal(replay(wave("prof_stall") + " --telemetry.drain_period=1024"), 1130);
    check_equal(replay(wave("prof_stall") + " -c " + ini), 1130);
    check_equal(replay(wave("prof_stall") + " --params " + json), 1130);
    // An option goes before a file, a file before what the recording tells.
    const std::string wrong = folder.write("wrong.json", R"({"DRAIN_PERIOD": 2048})");
    CHECK(replay(wave("prof_stall") + " --params " + wrong).code == 1);
    check_equal(replay(wave("prof_stall") + " --telemetry.drain_period=1024 --params " + wrong), 1130);
}

TEST_CASE("a recording from the standard input") {
    check_equal(replay("- --params " + params("prof_stall") + " <" + wave("prof_stall")), 1130);
    const Result result = replay("- <" + wave("prof_stall"));
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains("a stream cannot be read twice"));
}
