// SPDX-License-Identifier: BSD-3-Clause
// What replay shows on a terminal: progress, and nothing of it in what stays.
#include "program.hpp"
#include "recorded.hpp"

#include <support/terminal.hpp>

using namespace tlmetry::test;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

namespace {

const std::string name = "prof_stall";

/// Plays a recording that pauses for longer than it takes until progress is shown.
std::string paused_replay(const TemporaryFolder& folder, const std::string& options) {
    const std::string file = folder.write("wave.vcd", Recorded::read(wave(name)).vcd());
    return "(head -c 700000 " + file + "; sleep 0.5; tail -c +700001 " + file +
           ") | " TLMETRY " replay - --params " + params(name) + " " + options;
}

}  // namespace

TEST_CASE("progress on a terminal leaves nothing behind") {
    const TemporaryFolder folder;
    Terminal terminal(paused_replay(folder, ""));
    CHECK_THAT(terminal.shown(), StartsWith("\r") && Contains(" us"));
    CHECK_THAT(terminal.screen(), StartsWith("PCIe telemetry - 1 endpoint(s)") && EndsWith(" played\n"));
    CHECK(terminal.code() == 0);
}

TEST_CASE("option --quiet shows no progress") {
    const TemporaryFolder folder;
    Terminal terminal(paused_replay(folder, "--quiet"));
    CHECK_THAT(terminal.shown(), StartsWith("PCIe telemetry - 1 endpoint(s)") && !Contains("\r"));
    CHECK(terminal.code() == 0);
}
