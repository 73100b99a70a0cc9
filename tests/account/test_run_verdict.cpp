// SPDX-License-Identifier: BSD-3-Clause
// tlmetry run --verdict: the cause of each real case, its remedy, and a change that is none.
#include "../support/shell.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace tlmetry;
using Catch::Contains;
using test::Result;
using test::shell;

namespace {

Result run(const std::string& words) {
    return shell(std::string("cd " TLMETRY_CONFIGS " && ") + TLMETRY_PROGRAM + " run " + words);
}

/// The first line with all of these.
std::string line(const std::string& text, const std::vector<std::string>& parts) {
    std::istringstream lines(text);
    for (std::string candidate; std::getline(lines, candidate);) {
        if (std::all_of(parts.begin(), parts.end(),
                        [&](const std::string& part) { return candidate.find(part) != candidate.npos; }))
            return candidate;
    }
    return "";
}

/// Per cent by which a change raises the useful rate.
double gain(const Result& result, const std::string& change) {
    std::string row = line(result.out, {change + " ", "."});
    REQUIRE_FALSE(row.empty());
    std::istringstream cells(row.substr(row.find(change) + change.size()));
    double up = 0, down = 0, percent = 0;
    REQUIRE(cells >> up >> down >> percent);
    return percent;
}

struct Case {
    const char* config;
    const char* cause;
    const char* owner;
    const char* remedy;  // as the verdict names it
    double least;        // per cent that it gives
    const char* wrong;   // a change that gives nothing
};

}  // namespace

TEST_CASE("the verdict of each real case names its cause, whose remedy helps while another change does not") {
    constexpr Case cases[] = {
        {"case_01_32_tags.ini", "Too few PCIe tags", "device design", "ptc.tags=64&link.extended_tag=true",
         95, "link.generation=6"},
        {"case_02_completion_headers.ini", "Too few completion header entries", "buffer sizing",
         "link.rcb=128B", 90, "ptc.tags=512&link.tag_10bit=true"},
        {"case_03_gen2x1.ini", "The link towards the host is full", "host or link", "link.lanes=2", 90,
         "ptc.storage_words=8192"},
        {"case_04_65_byte_frames.ini", "The bus UP (DMA to PTC) is full", "device design",
         "telemetry.dma_clock=400MHz", 95, "link.generation=5"},
        {"case_05_one_small_read.ini", "The source had nothing to send", "software or source",
         "traffic.outstanding=2", 95, "link.generation=5"},
        {"case_06_slow_driver.ini --duration=10ms", "The source had nothing to send", "software or source",
         "traffic.gap=0s&traffic.gap_per_byte=0s", 1000, "link.generation=5"},
        {"case_07_favoured_writes.ini", "The host answers reads very late", "host latency",
         "host.memory_rate=60000MB/s", 30, "ptc.storage_words=8192"},
        {"case_08_slow_sink.ini", "The DMA module takes completions slowly", "device design",
         "card.down_mfb_ready=1/1&card.down_mvb_ready=1/1", 290, "ptc.storage_words=2048"},
        {"case_09_lost_completion.ini", "Reads are never answered", "host or link", "host.lost_reads=none", 8,
         "ptc.storage_words=2048"},
        {"case_10_half_width.ini", "The link has trained below its capability", "signal integrity",
         "link.lanes=16", 95, "ptc.tags=512&link.tag_10bit=true"},
        {"card_gen5x16_rtile.ini --telemetry.dma_ports=3 --ptc.completion_headers=1444 --link.mps=512B "
         "--link.mrrs=1KiB --traffic.read_share=100% --traffic.read_size.bytes=1KiB --duration=1ms",
         "The way out of the storage FIFO is full", "device design", "telemetry.dma_down_mfb_regions=4", 80,
         "ptc.storage_words=8192"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.config);
        const Result result = run(std::string(c.config) + " --verdict --what-if '" + c.wrong + "'");
        CHECK(result.code == 0);
        CHECK_THAT(line(result.out, {"  1  "}), Contains(c.cause) && Contains(c.owner));
        CHECK(gain(result, c.remedy) >= c.least);
        CHECK(gain(result, c.wrong) < 1);
    }
}

TEST_CASE("a verdict knows of damaged TLPs and malformed requests") {
    const Result retries = run("card_open.ini --duration 1ms --link.down_errors=12% --verdict");
    CHECK_THAT(line(retries.out, {"sent again"}), Contains("signal integrity"));
    CHECK(gain(retries, "link.up_errors=0%&link.down_errors=0%") > 2);
    const Result malformed =
        run("default.ini --duration 1ms --traffic.split=false --traffic.write_size.bytes=512B --verdict");
    CHECK_THAT(line(malformed.out, {"  1  "}), Contains("Requests are malformed"));
    CHECK(gain(malformed, "traffic.split=true") > 10);
}

TEST_CASE("a verdict knows of times in which the link was down") {
    const Result result = run("timeline.ini --timeline '5ms link down for 6ms' --verdict");
    CHECK_THAT(line(result.out, {"  1  "}), Contains("The link is down") && Contains("49.9"));
}

TEST_CASE("a run that nothing holds says so") {
    const Result result = run("reference_load.ini --duration 1ms --verdict");
    CHECK(result.code == 0);
    CHECK_THAT(line(result.out, {"  1  "}), Contains("The source had nothing to send"));
    CHECK(gain(result, "traffic.rate=saturate") > 10);
}
