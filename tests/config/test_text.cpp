// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/config/text.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry::config;

TEST_CASE("what a user wrote is shown on one line and shortened") {
    CHECK(shortened("plain") == "plain");
    CHECK(shortened("a\tb\nc\x1b[31m\x7f") == "a?b?c?[31m?");
    CHECK(shortened(std::string(60, 'x')) == std::string(60, 'x'));
    CHECK(shortened(std::string(61, 'x')) == std::string(60, 'x') + "...");
    CHECK(shortened(std::string(59, 'x') + "\n" + "y") == std::string(59, 'x') + "?...");
    CHECK(found("") == "nothing");
    CHECK(found("a'b") == "'a'b'");
}

TEST_CASE("a list is broken between its items") {
    CHECK(wrapped_list({"a = 1"}) == "\n  a = 1");
    CHECK(wrapped_list({"a = 1", "b = 2"}) == "\n  a = 1, b = 2");
    // 2 + 38 + 1 + 1 + 38 columns
    const std::string item(38, 'x');
    CHECK(wrapped_list({item, item, "y"}) == "\n  " + item + ",\n  " + item + ", y");
    CHECK(wrapped_list({item, item}) == "\n  " + item + ", " + item);
    CHECK(wrapped_list({item, item + "x"}) == "\n  " + item + ",\n  " + item + "x");
}

TEST_CASE("no character of several bytes is cut in two") {
    const std::string euro = "\xE2\x82\xAC";
    CHECK(shortened(std::string(57, 'x') + euro + "y") == std::string(57, 'x') + euro + "...");
    CHECK(shortened(std::string(58, 'x') + euro + "y") == std::string(58, 'x') + "...");
    CHECK(shortened(std::string(59, 'x') + euro + "y") == std::string(59, 'x') + "...");
}
