// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <tlmetry/config/ini.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace tlmetry;
using namespace tlmetry::config;

namespace {

std::string set(Registry& registry, const std::string& name, const std::string& text) {
    return error_of([&] { registry.set({name, text, "here"}); });
}

}  // namespace

TEST_CASE("values reach the bound variables") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    registry.set({{"demo.count", "0x10", ""},
                  {"demo.period", "1024", ""},
                  {"demo.bytes", "0x8000", ""},
                  {"demo.latency", "1us", ""},
                  {"demo.clock", "333.333MHz", ""},
                  {"demo.share", "25.86%", ""},
                  {"demo.enabled", "yes", ""},
                  {"demo.label", "a b", ""},
                  {"demo.mode", "fast", ""},
                  {"demo.lists.clocks", "250MHz,400MHz , 2ns", ""},
                  {"demo.lists.lanes", "4", "a.ini:7: demo.lists.lanes"}});
    CHECK(sample.count == 16);
    CHECK(sample.period == 1024);
    CHECK(sample.bytes == 32768);
    CHECK(sample.latency == fs_per_us);
    CHECK(sample.clock == 3'000'003);
    CHECK(sample.share.parts == 258'600'000'000'000);
    CHECK(sample.enabled);
    CHECK(sample.label == "a b");
    CHECK(sample.mode == Sample::Mode::fast);
    CHECK(sample.clocks == std::vector<time_fs>{4'000'000, 2'500'000, 2'000'000});
    CHECK(sample.lanes == std::vector<std::uint32_t>{4});
    CHECK(registry.find("demo.lists.lanes")->place == "a.ini:7: demo.lists.lanes");
}

TEST_CASE("illegal values are refused with the place, what was expected and what was found") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    // The range of the 16-bit variable cuts the stated one.
    CHECK(set(registry, "demo.count", "-1") == "here: expected an integer from 1 to 65535 lanes, found '-1'");
    CHECK(set(registry, "demo.count", "65536") ==
          "here: expected an integer from 1 to 65535 lanes, found '65536'");
    CHECK(set(registry, "demo.count", "0") != "");
    CHECK(set(registry, "demo.count", "") ==
          "here: expected an integer from 1 to 65535 lanes, found nothing");
    CHECK(set(registry, "demo.period", "1000") ==
          "here: expected a power of two from 32 to 65536 cycles, found '1000'");
    CHECK(set(registry, "demo.period", "16") != "");
    CHECK(set(registry, "demo.period", "131072") != "");
    CHECK(set(registry, "demo.bytes", "0") ==
          "here: expected a number of bytes such as 4096, 0x1000 or 4KiB, from 1B to 1TiB, found '0'");
    CHECK(set(registry, "demo.latency", "100") ==
          "here: expected a time with its unit such as 2.5ns or 1us, found '100'");
    CHECK(set(registry, "demo.clock", "fast") ==
          "here: expected a frequency such as 250MHz, from 1Hz to 100GHz, or the period, such as 4ns, "
          "found 'fast'");
    CHECK(set(registry, "demo.share", "101%") != "");
    CHECK(set(registry, "demo.enabled", "TRUE") == "here: expected true or false, found 'TRUE'");
    CHECK(set(registry, "demo.mode", "medium") == "here: expected one of slow, fast, found 'medium'");
    CHECK(
        set(registry, "demo.lists.lanes", "1,,2") ==
        "here: expected one or more values separated by commas, each an integer from 1 to 32, found '1,,2'");
    CHECK(set(registry, "demo.lists.lanes", "") != "");
    CHECK(set(registry, "demo.count", std::string("1\n2")) ==
          "here: expected an integer from 1 to 65535 lanes, found '1?2'");
    // Nothing changed on the way.
    CHECK(sample.count == 3);
    CHECK(sample.lanes == std::vector<std::uint32_t>{1, 16});
    CHECK(registry.find("demo.count")->place.empty());
}

TEST_CASE("times and sizes keep to their ranges at both ends") {
    time_fs latency = fs_per_ns;
    std::uint8_t bytes = 8;
    Registry registry;
    auto section = registry.section("edge", "Edges.");
    section.add("latency", latency, config::time(fs_per_ns, fs_per_us), "A time.");
    section.add("bytes", bytes, size(8, 4096), "A size that its variable limits to 255.");
    CHECK(set(registry, "edge.latency", "1us") == "");
    CHECK(set(registry, "edge.latency", "1ns") == "");
    CHECK(set(registry, "edge.latency", "999.999ps") != "");
    CHECK(set(registry, "edge.latency", "1.000000001us") ==
          "here: expected a time with its unit such as 2.5ns or 1us, at least 1ns, at most 1us, found "
          "'1.000000001us'");
    time_fs clock = fs_per_ns;
    section.add("clock", clock, config::clock(), "A clock.");
    CHECK(set(registry, "edge.clock", "100GHz") == "");
    CHECK(set(registry, "edge.clock", "101GHz") != "");
    CHECK(set(registry, "edge.clock", "1Hz") == "");
    CHECK(set(registry, "edge.clock", "1.1s") != "");
    std::uint32_t power = 256;
    section.add("power", power, power_of_two_size(128, 4096), "A size that is a power of two.");
    CHECK(set(registry, "edge.power", "512") == "");
    CHECK(power == 512);
    CHECK(registry.find("edge.power")->text() == "512B");
    CHECK(set(registry, "edge.power", "1KiB") == "");
    CHECK(set(registry, "edge.power", "384") ==
          "here: expected a number of bytes that is a power of two such as 4096, 0x1000 or 4KiB, from 128B "
          "to 4KiB, found "
          "'384'");
    CHECK(set(registry, "edge.power", "64B") != "");
    CHECK(set(registry, "edge.power", "8KiB") != "");
    CHECK(set(registry, "edge.bytes", "255") == "");
    CHECK(set(registry, "edge.bytes", "256") != "");
    CHECK(set(registry, "edge.bytes", "7") != "");
}

TEST_CASE("unknown names come with a suggestion where one is near") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    CHECK(set(registry, "demo.cuont", "1") == "here: no parameter has this name, did you mean demo.count?");
    CHECK(set(registry, "latency", "1ns") == "here: no parameter has this name, did you mean demo.latency?");
    CHECK(set(registry, "nothing.like.it", "1") == "here: no parameter has this name");
}

TEST_CASE("mistakes of the program in binding are reported as such") {
    std::uint32_t value = 7;
    std::string name = "a, b";
    Registry registry;
    auto section = registry.section("demo", "Doc.");
    section.add("value", value, integer(0, 10), "Fine.");
    CHECK_THROWS_AS(section.add("value", value, integer(0, 10), "Taken."), std::logic_error);
    CHECK_THROWS_AS(section.add("Other Name", value, integer(0, 10), "Badly formed."), std::logic_error);
    CHECK_THROWS_AS(section.add("other", value, integer(0, 5), "Default out of range."), std::logic_error);
    CHECK(registry.parameters().size() == 1);
}

TEST_CASE("one value of a list stands for all") {
    CHECK(expand<int>({7}, 3, "demo.lists.lanes", "endpoints") == std::vector<int>{7, 7, 7});
    CHECK(expand<int>({7, 8}, 2, "demo.lists.lanes", "endpoints") == std::vector<int>{7, 8});
    CHECK(error_of([] {
              expand<int>({7, 8}, 3, "demo.lists.lanes", "endpoints");
          }) == "demo.lists.lanes: expected one value, or one for each of the 3 endpoints, found 2 values");
}

TEST_CASE("the range of a power of two ends with one") {
    const Kind<std::uint32_t> natural = power_of_two(32, 0x7FFFFFFF, "cycles");
    CHECK(natural.expected == "a power of two from 32 to 1073741824 cycles");
    CHECK(natural.parse("1073741824") == 1u << 30);
    CHECK_FALSE(natural.parse("2147483648"));
    const Kind<std::uint16_t> of_its_type = power_of_two(1, 1'000'000);
    CHECK(of_its_type.expected == "a power of two from 1 to 32768");
    const Kind<std::uint64_t> widest = power_of_two(1, std::numeric_limits<std::uint64_t>::max());
    CHECK(widest.expected == "a power of two from 1 to 9223372036854775808");
}

TEST_CASE("a parameter with arguments collects texts, or takes them all at once") {
    std::vector<Entry> entries;
    Registry registry;
    registry.section("demo", "A demonstration.").add_entries("at", entries, "a list", "Some.", "");
    CHECK(registry.find("demo.at")->text() == "none");
    registry.set(parse_ini("[demo]\nat 3 = go left, go on\nat\t4=stop # now\n", "a.ini"));
    REQUIRE(entries.size() == 3);
    CHECK(entries[1].argument == "3");
    CHECK(entries[1].text == "go on");
    CHECK(entries[1].place == "a.ini:2: demo.at 3");
    CHECK(registry.find("demo.at")->text() == "3 go left, 3 go on, 4 stop");
    CHECK(set(registry, "demo.at", "7") == "here: expected a list, found '7'");
    CHECK(set(registry, "demo.at", "7 up,8  down") == "");
    CHECK(registry.find("demo.at")->text() == "7 up, 8 down");
    CHECK(entries[1].place == "here: 8");
    CHECK(set(registry, "demo.at", "none") == "");
    CHECK(entries.empty());
    CHECK(set(registry, "demo.on 3", "x").find("here: no parameter has this name") == 0);
}
