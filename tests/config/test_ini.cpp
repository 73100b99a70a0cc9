// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <tlmetry/config/ini.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <random>

using namespace tlmetry;
using namespace tlmetry::config;

namespace {

std::string refusal(const std::string& text) {
    return error_of([&] { parse_ini(text, "a.ini"); });
}

/// A random text of the characters that files treat in a special way.
std::string awkward_text(std::mt19937_64& random) {
    static const std::string characters = "ab #;=[]\"\\\n\r\t,.'\x01\xC3\xA9";
    std::string text(random() % 8, ' ');
    for (char& c : text) {
        c = characters[random() % characters.size()];
    }
    return text;
}

}  // namespace

TEST_CASE("files give sections, keys, comments and quoted texts") {
    const auto all = parse_ini(
        "\xEF\xBB\xBF# head\n"
        "top.level = 1\n"
        "\r\n"
        "[demo]   ; comment\r\n"
        "  count=7 # seven\r\n"
        "label = a#b;c\n"
        "empty =\n"
        "commented = # nothing\n"
        "quoted = \" # \\\"x\\\" \\\\ \\n\"  # tail\n"
        "equation = a = b\n"
        "[ demo.lists ]\n"
        "lanes = 1, 2",
        "a.ini");
    REQUIRE(all.size() == 8);
    const auto is = [&](std::size_t i, const char* name, const char* text, const char* place) {
        CHECK(all[i].name == name);
        CHECK(all[i].text == text);
        CHECK(all[i].place == place);
    };
    is(0, "top.level", "1", "a.ini:2: top.level");
    is(1, "demo.count", "7", "a.ini:5: demo.count");
    is(2, "demo.label", "a#b;c", "a.ini:6: demo.label");
    is(3, "demo.empty", "", "a.ini:7: demo.empty");
    is(4, "demo.commented", "", "a.ini:8: demo.commented");
    is(5, "demo.quoted", " # \"x\" \\ \n", "a.ini:9: demo.quoted");
    is(6, "demo.equation", "a = b", "a.ini:10: demo.equation");
    is(7, "demo.lists.lanes", "1, 2", "a.ini:12: demo.lists.lanes");
}

TEST_CASE("lines of another form are refused with file and line") {
    CHECK(refusal("\n[demo\n") == "a.ini:2: expected a section such as [telemetry], found '[demo'");
    CHECK(refusal("[]") == "a.ini:1: expected a section such as [telemetry], found '[]'");
    CHECK(refusal("[") == "a.ini:1: expected a section such as [telemetry], found '['");
    CHECK(refusal("[demo]\ncount 7") == "a.ini:2: expected [section] or key = value, found 'count 7'");
    CHECK(refusal("count # = 7") == "a.ini:1: expected [section] or key = value, found 'count'");
    const std::string letters(100'000, 'k');
    CHECK(refusal(letters + " = \"") ==
          "a.ini:1: " + letters.substr(0, 60) + "...: expected a text in double quotes, found '\"'");
    CHECK(refusal("= 7") == "a.ini:1: expected [section] or key = value, found '= 7'");
    CHECK(refusal("label = \"open") == "a.ini:1: label: expected a text in double quotes, found '\"open'");
    CHECK(refusal("label = \"a\" b") == "a.ini:1: label: expected a text in double quotes, found '\"a\" b'");
    CHECK(refusal("label = \"a\\") != "");
    CHECK(refusal("label = \"a\\x\"") != "");
    CHECK(refusal("[a]\nk = 1\n[b]\nk = 1\n[a]\nk = 2\n") ==
          "a.ini:6: a.k is set a second time, first in line 2");
    CHECK(refusal(std::string("\0\1", 2)) ==
          "a.ini:1: expected [section] or key = value, found '?"
          "?'");
}

TEST_CASE("unknown keys and illegal values in files name file and line") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    CHECK(error_of([&] { registry.set(parse_ini("[demo]\ncuont = 1", "a.ini")); }) ==
          "a.ini:2: demo.cuont: no parameter has this name, did you mean demo.count?");
    CHECK(error_of([&] { registry.set(parse_ini("[demo]\ncount = many # 3", "a.ini")); }) ==
          "a.ini:2: demo.count: expected an integer from 1 to 65535 lanes, found 'many'");
}

TEST_CASE("later files win") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    registry.set(parse_ini("[demo]\ncount = 5\nmode = fast\n", "a.ini"));
    registry.set(parse_ini("[demo]\ncount = 6\n", "b.ini"));
    CHECK(sample.count == 6);
    CHECK(sample.mode == Sample::Mode::fast);
}

TEST_CASE("files that cannot be read are errors of the user") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    CHECK(error_of([&] { load_ini(registry, "does/not/exist.ini"); }) ==
          "configuration file does/not/exist.ini cannot be opened: No such file or directory");
    CHECK(error_of([&] { load_ini(registry, "."); }) == "configuration file . cannot be read");
    CHECK(error_of([&] { load_ini(registry, "/dev/zero"); }) ==
          "configuration file /dev/zero: expected at most 16 MiB, found more");

    const auto path = std::filesystem::temp_directory_path() / "tlmetry_test_config.ini";
    std::ofstream(path) << "[demo]\ncount = 9\n";
    load_ini(registry, path.string());
    std::filesystem::remove(path);
    CHECK(sample.count == 9);
}

TEST_CASE("a dumped file is documented and complete") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    const std::string text = dump_ini(registry);
    CHECK(text.find("# Parameters of the tests.\n"
                    "[demo]\n"
                    "\n"
                    "# A small integer.\n"
                    "# Value: an integer from 1 to 65535 lanes.\n"
                    "count = 3\n") == 0);
    CHECK(parse_ini(text, "dump").size() == registry.parameters().size());
}

TEST_CASE("a dumped file reads back identically, whatever the values") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 2'000; ++i) {
        Sample written;
        Registry writer;
        written.bind(writer);
        written.count = static_cast<std::uint16_t>(1 + random() % 65535);
        written.period = 32u << (random() % 12);
        written.bytes = 1 + (random() >> (24 + random() % 40));
        written.latency = static_cast<time_fs>(random() >> (3 + random() % 60));
        written.clock = 10 * fs_per_ps + static_cast<time_fs>(random() >> (15 + random() % 49));
        written.share = Fraction{static_cast<std::int64_t>(random() % (Fraction::one + 1))};
        written.enabled = random() % 2 == 0;
        written.label = awkward_text(random);
        written.mode = random() % 2 == 0 ? Sample::Mode::slow : Sample::Mode::fast;
        written.clocks.assign(1 + random() % 4, written.clock);
        written.lanes = {static_cast<std::uint32_t>(1 + random() % 32)};

        Sample read;
        Registry reader;
        read.bind(reader);
        const std::string text = dump_ini(writer);
        CAPTURE(text);
        reader.set(parse_ini(text, "dump"));
        REQUIRE(read.count == written.count);
        REQUIRE(read.period == written.period);
        REQUIRE(read.bytes == written.bytes);
        REQUIRE(read.latency == written.latency);
        REQUIRE(read.clock == written.clock);
        REQUIRE(read.share == written.share);
        REQUIRE(read.enabled == written.enabled);
        REQUIRE(read.label == written.label);
        REQUIRE(read.mode == written.mode);
        REQUIRE(read.clocks == written.clocks);
        REQUIRE(read.lanes == written.lanes);
        REQUIRE(dump_ini(reader) == text);
    }
}

TEST_CASE("no text makes the parser misbehave") {
    std::mt19937_64 random(11);
    Sample sample;
    Registry registry;
    sample.bind(registry);
    const std::string dump = dump_ini(registry);
    for (int i = 0; i < 5'000; ++i) {
        std::string text = dump;
        for (int change = 0; change < 3; ++change) {
            text[random() % text.size()] = static_cast<char>(random());
        }
        text.resize(random() % (text.size() + 1));
        const std::string message = error_of([&] { registry.set(parse_ini(text, "a.ini")); });
        REQUIRE((message.empty() || message.find("a.ini:") == 0));
        REQUIRE(message.find('\n') == message.npos);
    }
}
