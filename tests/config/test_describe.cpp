// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/text.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tlmetry;
using namespace tlmetry::config;

TEST_CASE("help tells all about one parameter") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    registry.set({"demo.count", "9", "here"});
    CHECK(help_text(registry, "demo.count") ==
          "demo.count\n"
          "  A small integer.\n"
          "  Value:   an integer from 1 to 65535 lanes\n"
          "  Default: 3\n"
          "\n"
          "  Told at more length.\n");
}

TEST_CASE("help lists sections, beginnings of names and everything") {
    Sample sample;
    Registry registry;
    sample.bind(registry);
    CHECK(help_text(registry, "demo.lists") ==
          "demo.lists.clocks = 400MHz\n    A list of clocks.\n"
          "demo.lists.lanes = 1, 16\n    A list of integers.\n");
    const std::string all = help_text(registry, "");
    CHECK(std::count(all.begin(), all.end(), '\n') == 22);
    CHECK(error_of([&] { help_text(registry, "demo.cout"); }) ==
          "help demo.cout: no parameter has this name, did you mean demo.count?");
}

TEST_CASE("the JSON form names its schema and keeps types") {
    Sample sample;
    sample.label = "bad \xFF byte";
    Registry registry;
    sample.bind(registry);
    const auto document = nlohmann::json::parse(dump_json(registry));
    CHECK(document["schema"] == "tlmetry.config/1");
    const auto& demo = document["parameters"]["demo"];
    CHECK(demo["count"] == 3);
    CHECK(demo["bytes"] == "64KiB");
    CHECK(demo["latency"] == "2.5ns");
    CHECK(demo["clock"] == "250MHz");
    CHECK(demo["share"] == "25%");
    CHECK(demo["enabled"] == false);
    CHECK(demo["mode"] == "slow");
    CHECK(demo["label"] == "bad \xEF\xBF\xBD byte");
    const auto& lists = document["parameters"]["demo.lists"];
    CHECK(lists["clocks"] == nlohmann::json{"400MHz"});
    CHECK(lists["lanes"] == nlohmann::json{1, 16});
}

TEST_CASE("long texts are wrapped at blanks") {
    const std::string text(60, 'a');
    CHECK(wrapped("one two", "# ") == "# one two\n");
    CHECK(wrapped(text + " " + text, "  ") == "  " + text + "\n  " + text + "\n");
    CHECK(wrapped("", "# ") == "# \n");
    const std::string line(79, 'b');
    CHECK(wrapped("b" + line + " b", "") == "b" + line + "\nb\n");
    CHECK(wrapped(line + " b", "") == line + "\nb\n");
}
