// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <tlmetry/config/command_line.hpp>
#include <tlmetry/config/ini.hpp>
#include <tlmetry/config/text.hpp>

#include <boost/program_options.hpp>
#include <catch2/catch.hpp>

#include <sstream>

using namespace tlmetry;
using namespace tlmetry::config;
namespace po = boost::program_options;

namespace {

struct Fixture {
    Fixture() {
        sample.bind(registry);
        own.add_options()("json,j", po::bool_switch())("seed", po::value<std::string>());
    }
    CommandLine parse(const std::vector<std::string>& words) {
        return parse_command_line(words, own, registry);
    }
    std::string refusal(const std::vector<std::string>& words) {
        return error_of([&] { parse(words); });
    }

    Sample sample;
    Registry registry;
    po::options_description own;
};

}  // namespace

TEST_CASE("options are shown in lines that fit, without blanks at their ends") {
    po::options_description own = own_options();
    own.add_options()("json,j", po::bool_switch(), "JSON")(
        "long", po::value<std::string>()->value_name("PATH"),
        "a text that is much too long for one line of eighty columns, so that it takes several of them");
    std::istringstream text(options_text(own));
    int lines = 0;
    for (std::string line; std::getline(text, line); ++lines) {
        CAPTURE(line);
        CHECK(line.size() <= text_width);
        CHECK((line.empty() || line.back() != ' '));
    }
    CHECK(lines == 4);
    CHECK(options_text(own).find("--long PATH") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a command line holds arguments, own options and parameters") {
    const auto line =
        parse({"a.ini", "--demo.count=7", "-j", "--demo.lists.lanes", "1,2", "b.ini", "--seed=3"});
    CHECK(line.arguments == std::vector<std::string>{"a.ini", "b.ini"});
    CHECK(line.options["json"].as<bool>());
    CHECK(line.options["seed"].as<std::string>() == "3");
    REQUIRE(line.parameters.size() == 2);
    registry.set(line.parameters);
    CHECK(sample.count == 7);
    CHECK(sample.lanes == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE_METHOD(Fixture, "own options keep their defaults and what follows -- is an argument") {
    const auto line = parse({"--", "--demo.count=7"});
    CHECK_FALSE(line.options["json"].as<bool>());
    CHECK(line.options.count("seed") == 0);
    CHECK(line.arguments == std::vector<std::string>{"--demo.count=7"});
    CHECK(line.parameters.empty());
}

TEST_CASE_METHOD(Fixture, "the command line beats files, and files beat defaults") {
    const auto line = parse({"--demo.count=7"});
    registry.set(parse_ini("[demo]\ncount = 5\nmode = fast\n", "a.ini"));
    registry.set(line.parameters);
    CHECK(sample.count == 7);
    CHECK(sample.mode == Sample::Mode::fast);
    CHECK(sample.period == 4096);
}

TEST_CASE_METHOD(Fixture, "wrong command lines are refused in one sentence") {
    CHECK(refusal({"--demo.cuont=1"}) ==
          "option --demo.cuont: no option has this name, did you mean --demo.count?");
    CHECK(refusal({"--sed", "1"}) == "option --sed: no option has this name, did you mean --seed?");
    CHECK(refusal({"--count=1"}) == "option --count: no option has this name");
    CHECK(refusal({"-x"}) == "option -x: no option has this name");
    CHECK(refusal({"--a\nb"}) == "option --a?b: no option has this name");
    CHECK(refusal({"--" + std::string(100'000, 'x')}) ==
          "option --" + std::string(58, 'x') + "...: no option has this name");
    CHECK(refusal({"--seed", ""}) == "option --seed: expected a value, found nothing");
    CHECK(refusal({"--seed="}) == "option --seed: expected a value, found nothing");
    CHECK(refusal({"--demo.count=", "--demo.count=1"}) == "option --demo.count is given more than once");
    CHECK(refusal({"--seed", "--json"}) ==
          "option --seed: expected a value, found the option '--json' (a value that begins with - goes "
          "behind =, "
          "as --seed=--json)");
    CHECK(
        refusal({"--demo.count", "--seed=1"}) ==
        "option --demo.count: expected a value, found the option '--seed=1' (a value that begins with - goes "
        "behind =, as --demo.count=--seed=1)");
    // No guessing of a name by its beginning.
    CHECK(refusal({"--demo.coun=1"}) ==
          "option --demo.coun: no option has this name, did you mean --demo.count?");
    CHECK(refusal({"--js"}) == "option --js: no option has this name, did you mean --json?");
    CHECK(refusal({"--demo.count=1", "--demo.count=2"}) == "option --demo.count is given more than once");
    CHECK(refusal({"--demo.count"}) ==
          "command line: the required argument for option '--demo.count' is missing");
    CHECK(refusal({"--json=1"}) == "command line: option '--json' does not take any arguments");
    CHECK(refusal({"--seed=1", "--seed=2"}) == "option --seed is given more than once");
    CHECK(refusal({"--json", "-j"}) == "option --json is given more than once");

    const auto line = parse({"--demo.count=-1"});
    CHECK(error_of([&] { registry.set(line.parameters); }) ==
          "option --demo.count: expected an integer from 1 to 65535 lanes, found '-1'");
    const auto separate = parse({"--demo.count", "-1"});
    CHECK(error_of([&] { registry.set(separate.parameters); }) ==
          "option --demo.count: expected an integer from 1 to 65535 lanes, found '-1'");
    const auto empty = parse({"--demo.count="});
    CHECK(error_of([&] { registry.set(empty.parameters); }) ==
          "option --demo.count: expected an integer from 1 to 65535 lanes, found nothing");
    CHECK(parse({"--", "--seed="}).arguments == std::vector<std::string>{"--seed="});
}

TEST_CASE_METHOD(Fixture, "a short name sets its parameter, but not beside the full name") {
    auto line = parse({"--seed=7"});
    line.add_short("seed", "demo.count");
    registry.set(line.parameters);
    CHECK(sample.count == 7);

    auto neither = parse({});
    neither.add_short("seed", "demo.count");
    CHECK(neither.parameters.empty());

    for (const char* value : {"7", "8"}) {
        auto both = parse({"--demo.count=7", "--seed", value});
        CHECK(error_of([&] { both.add_short("seed", "demo.count"); }) ==
              "options --seed and --demo.count set the same parameter, expected one of them");
    }
}
