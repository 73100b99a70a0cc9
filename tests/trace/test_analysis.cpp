// SPDX-License-Identifier: BSD-3-Clause
// What a trace tells: latencies of reads that came whole, in pieces, wrongly or not at all; rules of a TLP
// alone; rates and sizes.
#include "trace_builder.hpp"

#include <tlmetry/trace/analysis.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <sstream>

using namespace tlmetry;
using nlohmann::json;
using tlp::Header;
using tlp::Kind;
using trace::Analysis;
using trace::Violation;

namespace {

class Trace {
public:
    explicit Trace(const trace::DeviceLimits& limits = {}, time_fs tick_fs = fs_per_ns)
        : analysis(tick_fs, limits) {}

    void add(std::uint64_t time, const Header& header) {
        ptt::TracedTlp tlp;
        tlp.time = time;
        tlp.header = header;
        analysis.add(tlp);
    }
    std::uint64_t count(Violation violation) const { return analysis.violations().of(violation).count; }
    std::uint64_t all() const { return analysis.violations().total(); }

    Analysis analysis;
};

Header read(std::uint64_t address, std::uint16_t dwords, std::uint16_t tag) {
    Header h;
    h.kind = Kind::memory_read;
    h.four_dwords = address >> 32 != 0;
    h.address = address;
    h.length_dwords = dwords;
    h.requester = 0x0100;
    h.tag = tag;
    h.first_be = 0xf;
    h.last_be = dwords == 1 ? 0 : 0xf;
    return h;
}

Header write(std::uint64_t address, std::uint16_t dwords) {
    Header h = read(address, dwords, 0);
    h.kind = Kind::memory_write;
    return h;
}

Header data(std::uint16_t dwords, std::uint16_t byte_count, std::uint8_t lower_address, std::uint16_t tag) {
    Header h;
    h.kind = Kind::completion_data;
    h.length_dwords = dwords;
    h.byte_count = byte_count;
    h.lower_address = lower_address;
    h.requester = 0x0100;
    h.tag = tag;
    return h;
}

/// Violations that a TLP alone shows.
std::uint64_t alone(const Header& header, Violation violation, const trace::DeviceLimits& limits = {}) {
    Trace trace(limits);
    trace.add(0, header);
    CHECK(trace.all() == trace.count(violation));
    return trace.count(violation);
}

}  // namespace

TEST_CASE("a read in one piece, and one in four") {
    Trace trace;
    trace.add(100, read(0x1000, 16, 1));
    trace.add(200, read(0x1'0000'1030, 60, 0x3ff));
    CHECK(trace.analysis.matcher().outstanding() == 2);
    trace.add(700, data(16, 64, 0, 1));
    trace.add(900, data(4, 240, 0x30, 0x3ff));
    trace.add(910, data(16, 224, 0x40, 0x3ff));
    trace.add(920, data(32, 160, 0x00, 0x3ff));
    CHECK(trace.analysis.matcher().outstanding() == 1);
    trace.add(930, data(8, 32, 0x00, 0x3ff));
    const trace::RequestMatcher& matcher = trace.analysis.matcher();
    CHECK(trace.all() == 0);
    CHECK(matcher.outstanding() == 0);
    CHECK(matcher.most_outstanding() == 2);
    CHECK(matcher.latency().count() == 2);
    CHECK(matcher.latency().least_fs() == 600 * fs_per_ns);
    CHECK(matcher.latency().most_fs() == 730 * fs_per_ns);
    CHECK(matcher.first_latency().most_fs() == 700 * fs_per_ns);
    const auto requesters = matcher.requesters();
    REQUIRE(requesters.size() == 1);
    CHECK(requesters[0].id == 0x0100);
    CHECK(requesters[0].reads == 2);
    CHECK(requesters[0].reads_done == 2);
    CHECK(requesters[0].read_bytes == 4 * 76);
    CHECK(requesters[0].completed_bytes == 4 * 76);
    CHECK(requesters[0].latency_sum_fs == 1330 * fs_per_ns);
}

TEST_CASE("bytes that are not enabled do not count") {
    struct Case {
        std::uint16_t dwords;
        std::uint8_t first, last;
        std::uint16_t byte_count;
        std::uint8_t lower_address;
    };
    // Table 2-37 of the specification, and longer ones.
    const Case cases[] = {{1, 0x9, 0, 4, 0},   {1, 0xd, 0, 4, 0},    {1, 0x5, 0, 3, 0},
                          {1, 0x7, 0, 3, 0},   {1, 0xa, 0, 3, 1},    {1, 0xe, 0, 3, 1},
                          {1, 0x3, 0, 2, 0},   {1, 0x6, 0, 2, 1},    {1, 0xc, 0, 2, 2},
                          {1, 0x1, 0, 1, 0},   {1, 0x2, 0, 1, 1},    {1, 0x4, 0, 1, 2},
                          {1, 0x8, 0, 1, 3},   {1, 0x0, 0, 1, 0},    {2, 0xf, 0x1, 5, 0},
                          {2, 0x8, 0x1, 2, 3}, {3, 0xe, 0x7, 10, 1}, {16, 0xc, 0x3, 60, 2}};
    for (const Case& c : cases) {
        CAPTURE(c.dwords, +c.first, +c.last);
        Trace trace;
        Header h = read(0x2000, c.dwords, 7);
        h.first_be = c.first;
        h.last_be = c.last;
        trace.add(0, h);
        trace.add(1, data(c.dwords, c.byte_count, c.lower_address, 7));
        CHECK(trace.all() == 0);
        CHECK(trace.analysis.matcher().latency().count() == 1);

        Trace wrong;
        wrong.add(0, h);
        wrong.add(1, data(c.dwords, static_cast<std::uint16_t>(c.byte_count + 1), c.lower_address, 7));
        CHECK(wrong.count(Violation::byte_count) == 1);
    }
}

TEST_CASE("completions that are wrong") {
    SECTION("without a request") {
        Trace trace;
        trace.add(0, data(16, 64, 0, 1));
        CHECK(trace.analysis.matcher().unrequested() == 1);
        trace.add(1, read(0x1000, 16, 1));
        trace.add(2, data(16, 64, 0, 1));
        CHECK(trace.count(Violation::completion_without_request) == 0);
        trace.add(3, data(16, 64, 0, 1));
        CHECK(trace.count(Violation::completion_without_request) == 1);
        CHECK(trace.analysis.violations().of(Violation::completion_without_request).time == 3);
        // Who knows whether there was a request of another one before the trace.
        Header other = data(16, 64, 0, 1);
        other.requester = 0x0101;
        trace.add(4, other);
        trace.add(5, data(16, 64, 0, 2));
        CHECK(trace.count(Violation::completion_without_request) == 1);
        CHECK(trace.analysis.matcher().unrequested() == 3);
    }
    SECTION("in the wrong order") {
        Trace trace;
        trace.add(1, read(0x1000, 32, 1));
        trace.add(2, data(16, 64, 0x40, 1));
        CHECK(trace.count(Violation::byte_count) == 1);
        CHECK(trace.analysis.matcher().outstanding() == 0);
        trace.add(3, data(16, 128, 0, 1));
        CHECK(trace.count(Violation::completion_without_request) == 1);
    }
    SECTION("a lost one") {
        Trace trace;
        trace.add(1, read(0x1000, 48, 1));
        trace.add(2, data(16, 192, 0, 1));
        trace.add(3, data(16, 64, 0, 1));
        CHECK(trace.count(Violation::byte_count) == 1);
        CHECK(trace.all() == 1);
        CHECK(trace.analysis.matcher().outstanding() == 0);
    }
    SECTION("at another address") {
        Trace trace;
        trace.add(1, read(0x1040, 16, 1));
        trace.add(2, data(16, 64, 0x00, 1));
        CHECK(trace.count(Violation::lower_address) == 1);
        CHECK(trace.all() == 1);
    }
    SECTION("that end anywhere") {
        Trace trace;
        trace.add(1, read(0x1000, 32, 1));
        trace.add(2, data(8, 128, 0, 1));
        trace.add(3, data(24, 96, 0x20, 1));
        CHECK(trace.count(Violation::completion_boundary) == 1);
        CHECK(trace.all() == 1);
    }
    SECTION("with more than was asked for") {
        Trace trace;
        trace.add(1, read(0x1000, 16, 1));
        trace.add(2, data(17, 64, 0, 1));
        CHECK(trace.count(Violation::completion_length) == 1);
        CHECK(trace.all() == 1);
    }
    SECTION("without its data") {
        Trace trace;
        trace.add(1, read(0x1000, 16, 1));
        Header h = data(0, 64, 0, 1);
        h.kind = Kind::completion;
        trace.add(2, h);
        CHECK(trace.count(Violation::completion_length) == 1);
        CHECK(trace.analysis.matcher().outstanding() == 0);
    }
    SECTION("with a byte count that somebody modified") {
        Trace trace;
        trace.add(1, read(0x1000, 16, 1));
        Header h = data(16, 32, 0, 1);
        h.byte_count_modified = true;
        trace.add(2, h);
        CHECK(trace.all() == 0);
    }
}

TEST_CASE("refused requests end, and have no latency") {
    Trace trace;
    trace.add(1, read(0x1000, 16, 1));
    Header h = data(0, 64, 0, 1);
    h.kind = Kind::completion;
    h.status = tlp::unsupported_request;
    trace.add(2, h);
    CHECK(trace.all() == 0);
    CHECK(trace.analysis.matcher().refused() == 1);
    CHECK(trace.analysis.matcher().outstanding() == 0);
    CHECK(trace.analysis.matcher().latency().count() == 0);
}

TEST_CASE("a tag that is outstanding") {
    Trace trace;
    trace.add(1, read(0x1000, 16, 1));
    trace.add(2, read(0x2000, 16, 1));
    CHECK(trace.count(Violation::tag_reused) == 1);
    CHECK(trace.analysis.matcher().outstanding() == 1);
    trace.add(12, data(16, 64, 0, 1));
    CHECK(trace.analysis.matcher().latency().least_fs() == 10 * fs_per_ns);
    trace.add(13, read(0x2000, 16, 1));
    trace.add(14, read(0x2000, 16, 0x101));
    trace.add(15, write(0x2000, 16));
    CHECK(trace.all() == 1);
}

TEST_CASE("other non-posted requests are matched without a latency") {
    Trace trace;
    Header h;
    h.kind = Kind::config_write_0;
    h.length_dwords = 1;
    h.first_be = 0xf;
    h.tag = 3;
    trace.add(1, h);
    CHECK(trace.analysis.matcher().outstanding() == 1);
    Header answer;
    answer.kind = Kind::completion;
    answer.tag = 3;
    answer.byte_count = 4;
    trace.add(2, answer);
    CHECK(trace.all() == 0);
    CHECK(trace.analysis.matcher().outstanding() == 0);
    CHECK(trace.analysis.matcher().latency().count() == 0);
    CHECK(trace.analysis.matcher().requesters()[0].others == 1);
}

TEST_CASE("4 KiB, sizes and addresses") {
    CHECK(alone(read(0x1fc0, 16, 0), Violation::crosses_4k) == 0);
    CHECK(alone(read(0x1fc4, 16, 0), Violation::crosses_4k) == 1);
    CHECK(alone(write(0x1'0000'0ffc, 1), Violation::crosses_4k) == 0);
    CHECK(alone(write(0x1'0000'0ffc, 2), Violation::crosses_4k) == 1);
    CHECK(alone(read(0x1000, 1024, 0), Violation::crosses_4k) == 0);

    const trace::DeviceLimits limits = {256, 512};
    CHECK(alone(write(0x1000, 64), Violation::payload_over_mps, limits) == 0);
    CHECK(alone(write(0x1000, 65), Violation::payload_over_mps, limits) == 1);
    CHECK(alone(read(0x1000, 128, 0), Violation::read_over_mrrs, limits) == 0);
    CHECK(alone(read(0x1000, 129, 0), Violation::read_over_mrrs, limits) == 1);
    Trace completion(limits);
    completion.add(0, read(0x1000, 128, 1));
    completion.add(1, data(128, 512, 0, 1));
    CHECK(completion.count(Violation::payload_over_mps) == 1);

    Header low = write(0x1000, 1);
    low.four_dwords = true;
    CHECK(alone(low, Violation::long_address_header) == 1);
    CHECK(alone(write(0x1'0000'0000, 1), Violation::long_address_header) == 0);

    Header config;
    config.kind = Kind::config_read_0;
    config.length_dwords = 2;
    CHECK(alone(config, Violation::length) == 1);
    Header atomic = read(0x1000, 3, 0);
    atomic.kind = Kind::fetch_add;
    CHECK(alone(atomic, Violation::length) == 1);
    atomic.length_dwords = 2;
    CHECK(alone(atomic, Violation::length) == 0);
    atomic.kind = Kind::compare_and_swap;
    atomic.length_dwords = 8;
    CHECK(alone(atomic, Violation::length) == 0);
    atomic.length_dwords = 1;
    CHECK(alone(atomic, Violation::length) == 1);
}

TEST_CASE("byte enables") {
    const auto wrong = [](std::uint64_t address, std::uint16_t dwords, unsigned first, unsigned last) {
        Header h = write(address, dwords);
        h.first_be = static_cast<std::uint8_t>(first);
        h.last_be = static_cast<std::uint8_t>(last);
        return alone(h, Violation::byte_enables);
    };
    for (unsigned first = 0; first < 16; ++first) {
        for (unsigned last = 0; last < 16; ++last) {
            CAPTURE(first, last);
            CHECK(wrong(0x1000, 1, first, last) == (last == 0 ? 0 : 1));
            const bool none = first == 0 || last == 0;
            const bool contiguous = (first == 0xf || first == 0xe || first == 0xc || first == 0x8) &&
                                    (last == 0xf || last == 0x7 || last == 0x3 || last == 0x1);
            CHECK(wrong(0x1000, 2, first, last) == (none ? 1 : 0));  // a quad word
            CHECK(wrong(0x1004, 2, first, last) == (contiguous ? 0 : 1));
            CHECK(wrong(0x1000, 3, first, last) == (contiguous ? 0 : 1));
        }
    }
    // A steering tag in their place.
    Header h = read(0x1000, 4, 0);
    h.first_be = 0x5;
    h.last_be = 0;
    CHECK(alone(h, Violation::byte_enables) == 1);
    h.hints = true;
    CHECK(alone(h, Violation::byte_enables) == 0);
    Header config;
    config.kind = Kind::config_read_0;
    config.length_dwords = 1;
    config.last_be = 1;
    CHECK(alone(config, Violation::byte_enables) == 1);
}

TEST_CASE("a time that goes back") {
    Trace trace;
    trace.add(100, write(0x1000, 1));
    trace.add(99, write(0x1000, 1));
    trace.add(99, write(0x1000, 1));
    CHECK(trace.count(Violation::time_went_back) == 1);
    CHECK(trace.analysis.ticks() == 0);
}

TEST_CASE("rates over any time, sizes and kinds add up") {
    for (const std::uint64_t step :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{700}, std::uint64_t{1} << 50}) {
        Trace trace;
        std::uint64_t bytes = 0;
        for (std::uint16_t i = 0; i < 1000; ++i) {
            const auto dwords = static_cast<std::uint16_t>(1 + i);
            trace.add(5 + i * step, write(0x1000, dwords));
            bytes += 4U * dwords;
        }
        const trace::RateTimeline& timeline = trace.analysis.timeline();
        std::uint64_t sum = 0, tlps = 0;
        std::size_t used = 0;
        for (std::size_t i = 0; i < trace::RateTimeline::intervals; ++i) {
            sum += timeline[i].payload_bytes[0];
            tlps += timeline[i].tlps;
            if (timeline[i].tlps != 0) used = i + 1;
        }
        CHECK(sum == bytes);
        CHECK(tlps == 1000);
        if (step != 0) CHECK(used > trace::RateTimeline::intervals / 2);
        CHECK(trace.analysis.of(Kind::memory_write).tlps == 1000);
        CHECK(trace.analysis.of(Kind::memory_write).payload_bytes == bytes);
        const auto& sizes = trace.analysis.write_sizes();
        CHECK(sizes[0] == 1);
        CHECK(sizes[1] == 1);
        CHECK(sizes[2] == 2);
        CHECK(sizes[9] == 256);
        CHECK(sizes[10] == 1000 - 512);
        CHECK(trace.analysis.begin() == 5);
        CHECK(trace.analysis.ticks() == 999 * step);
    }
}

TEST_CASE("more requesters than are followed") {
    Trace trace;
    for (unsigned id = 0; id < trace::RequestMatcher::max_requesters + 10; ++id) {
        Header h = read(0x1000, 16, 1);
        h.requester = static_cast<std::uint16_t>(id);
        trace.add(id, h);
    }
    CHECK(trace.analysis.matcher().not_followed() == 10);
    CHECK(trace.analysis.matcher().requesters().size() == trace::RequestMatcher::max_requesters);
    CHECK(trace.analysis.matcher().outstanding() == trace::RequestMatcher::max_requesters);
    CHECK_THAT(format_analysis(trace.analysis),
               Catch::Contains("10 TLPs of further requesters are not followed"));
}

TEST_CASE("latencies of any tick and any time stay in their range") {
    Trace trace({}, fs_per_ms);
    trace.add(0, read(0x1000, 16, 1));
    trace.add(~std::uint64_t{0}, data(16, 64, 0, 1));
    CHECK(trace.analysis.matcher().latency().most_fs() <= never);
    CHECK(trace.analysis.matcher().latency().most_fs() > 4'000 * fs_per_s);
    trace.add(5, read(0x1000, 16, 1));
    trace.add(3, data(16, 64, 0, 1));
    CHECK(trace.analysis.matcher().latency().least_fs() == 0);
}

TEST_CASE("text and JSON say the same") {
    Trace trace({256, 512}, 4 * fs_per_ns);
    for (std::uint16_t i = 0; i < 100; ++i) {
        trace.add(10U * i, read(0x1000, 32, i));
        trace.add(10U * i + 5, write(0x1'0000'0000, 128));
        trace.add(10U * i + 300, data(32, 128, 0, i));
        Header poisoned = write(0x2000, 1);
        poisoned.poisoned = true;
        trace.add(10U * i + 300, poisoned);
    }
    const std::string text = format_analysis(trace.analysis);
    const json document = json::parse(analysis_json(trace.analysis));
    CHECK(document["schema"] == "tlmetry.trace_analysis/1");
    CHECK(document["tick_fs"] == 4 * fs_per_ns);
    CHECK(document["tlps"] == 400);
    CHECK(document["kinds"]["MRd"]["tlps"] == 100);
    CHECK(document["kinds"]["MWr"]["payload_bytes"] == 100 * 516);
    CHECK(document["kinds"]["MWr"]["poisoned"] == 100);
    CHECK(document["latency"]["count"] == 100);
    CHECK(document["latency"]["most_fs"] == 1200 * fs_per_ns);
    CHECK(document["first_latency"]["least_fs"] == 1200 * fs_per_ns);
    CHECK(document["requesters"][0]["mean_latency_fs"] == 1200.0 * fs_per_ns);
    CHECK(document["violations"]["payload_over_mps"]["count"] == 100);
    CHECK(document["violations"]["payload_over_mps"]["first"]["time"] == 5);
    CHECK(document["violations"]["tag_reused"]["first"] == nullptr);
    CHECK(document["sizes"][5]["reads"] == 100);
    CHECK(document["sizes"][5]["up_to_bytes"] == 128);
    std::uint64_t bytes = 0;
    for (const json& interval : document["timeline"]["intervals"])
        bytes += interval["posted_bytes"].get<std::uint64_t>();
    CHECK(bytes == 100 * 516);
    CHECK_THAT(text, Catch::StartsWith("400 TLPs in 5160.0 ns, a tick being 4ns\n==========") &&
                         Catch::Contains("\n  Poisoned TLPs: 100\n") &&
                         Catch::Contains("payload larger than the MPS") &&
                         Catch::Contains("first: MWr of 01:00.0, tag 0, at tick 5"));
}

TEST_CASE("a trace of nothing") {
    const Trace trace;
    CHECK(format_analysis(trace.analysis) ==
          "0 TLPs in 0.0 ns, a tick being 1ns\n==================================\n");
    CHECK(json::parse(analysis_json(trace.analysis))["timeline"]["intervals"].empty());
}
