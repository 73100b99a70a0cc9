// SPDX-License-Identifier: BSD-3-Clause
// Names and numbers of filters, and the configuration word.
#include <tlmetry/base/error.hpp>
#include <tlmetry/ptt/trace_config.hpp>
#include <tlmetry/ptt_driver/trace_targets.hpp>

#include <catch2/catch.hpp>

#include <functional>

using namespace tlmetry;
using Catch::Contains;
using ptt::TraceConfig;
using ptt::TraceTargets;

namespace {

constexpr std::uint16_t port0 = 0x0080;  // 00:10.0
constexpr std::uint16_t port1 = 0x0088;  // 00:11.0
constexpr std::uint16_t endpoint0 = 0x0100;

TraceTargets some_targets() {
    TraceTargets targets;
    targets.plug_requester(endpoint0);
    targets.plug_root_port(port1);
    targets.plug_root_port(port0);
    return targets;
}

void refused(const std::function<void()>& act, const std::string& sentence) {
    CHECK_THROWS_WITH(act(), Contains(sentence));
    CHECK_THROWS_AS(act(), UserError);
}

}  // namespace

TEST_CASE("filters have the names and numbers of sysfs") {
    const TraceTargets targets = some_targets();
    REQUIRE(targets.all().size() == 3);
    CHECK(targets.all()[0].name() == "0000:00:10.0");
    CHECK(targets.all()[0].filter() == 0x80001);
    CHECK(targets.all()[1].filter() == 0x80004);
    CHECK(targets.all()[2].name() == "0000:01:00.0");
    CHECK(targets.all()[2].filter() == 0x00100);

    // The root port 0000:00:10.1 and the endpoint 0000:01:00.1 of the documentation.
    TraceTargets others;
    others.plug_root_port(0x0081);
    others.plug_requester(0x0101);
    CHECK(others.all()[0].filter() == 0x80001);
    CHECK(others.all()[1].filter() == 0x00101);
}

TEST_CASE("filters by name and by number") {
    const TraceTargets targets = some_targets();
    CHECK(targets.parse("0000:00:10.0", "x") == 0x80001);
    CHECK(targets.parse("00:11.0", "x") == 0x80004);
    CHECK(targets.parse("00:10.0,0000:00:11.0", "x") == 0x80005);
    CHECK(targets.parse("01:00.0", "x") == 0x00100);
    CHECK(targets.parse("0x80001", "x") == 0x80001);
    CHECK(targets.parse("256", "x") == 0x100);
    refused([&] { targets.parse("00:12.0", "option --filter"); },
            "option --filter: expected a number, or names out of 0000:00:10.0 (0x80001), ");
    refused([&] { targets.parse("01:00.0,00:10.0", "x"); }, "expected one requester, or root ports only");
    refused([&] { targets.parse("", "x"); }, "x: expected");
    refused([&] { targets.parse("0x100000", "x"); }, "expected a number of 20 bits");
}

TEST_CASE("filters that are not there are refused") {
    const TraceTargets targets = some_targets();
    for (const std::uint32_t good : {0x80001u, 0x80004u, 0x80005u, 0x80000u, 0x00100u}) {
        CAPTURE(good);
        CHECK_NOTHROW(targets.validate(good, "x"));
    }
    refused([&] { targets.validate(0x80002, "x"); },
            "bits of the root ports that are there, 0x80005, found 0x80002");
    refused([&] { targets.validate(0x80011, "x"); }, "bits of the root ports");
    refused([&] { targets.validate(0x00101, "x"); }, "expected one of 0000:00:10.0 (0x80001), ");
    refused([&] { targets.validate(0, "x"); }, "expected one of");
    refused([&] { targets.validate(0x90001, "x"); }, "20 bits without 0x70000");
    refused([&] { targets.validate(0x10100, "x"); }, "20 bits without 0x70000");
    refused([&] { targets.validate(0x100000, "x"); }, "20 bits");
}

TEST_CASE("filters come and go with the functions") {
    TraceTargets targets = some_targets();
    targets.unplug(endpoint0);
    targets.unplug(port1);
    targets.unplug(0x7777);
    REQUIRE(targets.all().size() == 1);
    refused([&] { targets.validate(0x00100, "x"); }, "expected one of 0000:00:10.0");
    refused([&] { targets.validate(0x80005, "x"); }, "0x80001");
    targets.plug_requester(endpoint0);
    targets.plug_requester(endpoint0);
    CHECK(targets.all().size() == 2);
    CHECK_NOTHROW(targets.validate(0x00100, "x"));
    CHECK_NOTHROW(TraceTargets().validate(0x80000, "x"));
    refused([&] { TraceTargets().validate(0x80001, "x"); }, "found 0x80001");
}

TEST_CASE("the configuration word has its fields where perf puts them") {
    TraceConfig config;
    config.filter = 0x80001;
    config.types = 1;
    config.direction = 1;
    config.format = ptt::Format::eight_dwords;
    CHECK(config.word() == 0x1'0118'0001);
    for (const std::uint64_t word : {0x1'0118'0001ull, 0x0728'0005ull, 0x0400'0100ull, 0x1'0738'0004ull})
        CHECK(ptt::read_trace_config(word, "x").word() == word);
    refused([] { ptt::read_trace_config(0x2'0118'0001, "x"); }, "x: expected format 0 (4DW) or 1 (8DW)");
    refused([] { ptt::read_trace_config(~0ull, "x"); }, "format");
}

TEST_CASE("types and directions that mean nothing are refused") {
    for (std::uint32_t types = 0; types < 32; ++types) {
        TraceConfig config;
        config.types = types;
        CAPTURE(types);
        if (types >= 1 && types <= 7)
            CHECK_NOTHROW(config.validate(""));
        else
            refused([&] { config.validate("option --"); }, "option --type: expected 1 (posted)");
    }
    for (const ptt::Format format : {ptt::Format::four_dwords, ptt::Format::eight_dwords}) {
        for (std::uint32_t direction = 0; direction < 16; ++direction) {
            TraceConfig config;
            config.format = format;
            config.direction = direction;
            CAPTURE(direction, static_cast<int>(format));
            const std::uint32_t least = format == ptt::Format::eight_dwords ? 1 : 0;
            if (direction >= least && direction <= 3)
                CHECK_NOTHROW(config.validate(""));
            else
                refused([&] { config.validate(""); }, "direction: expected " + std::to_string(least));
        }
    }
}
