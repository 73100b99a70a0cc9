// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/table.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;

TEST_CASE("percent rounds part and whole before it divides") {
    CHECK_FALSE(report::percent(1, 0));
    CHECK(report::percent(1, 3) == 100.0 * 1.0 / 3.0);
    CHECK(report::percent(-1, 4) == -25.0);
    const report::Wide all = report::Wide{~std::uint64_t{0}} * 255;  // beyond 64 bits
    CHECK(report::percent(all, all) == 100.0);
}

TEST_CASE("the quotient of two integers is rounded once") {
    CHECK_FALSE(report::ratio(1, 0));
    CHECK(report::ratio(0, 7) == 0.0);
    CHECK(report::ratio(10, 4) == 2.5);
    CHECK(report::ratio(1, 3) == 1.0 / 3.0);
    // Nearest doubles of exact quotients; dividing the rounded operands gives the neighbour.
    const std::uint64_t a = 9007199254740993, b = 3002399751580331;  // 3 * b == a
    CHECK(report::ratio(a, b) == 3.0);
    CHECK(static_cast<double>(a) / static_cast<double>(b) != 3.0);
    // Halfway between two doubles goes to the even one, a trace more goes up.
    const report::Wide half = (report::Wide{1} << 54) + 2;
    CHECK(report::ratio(half, 2) == 9007199254740992.0);
    CHECK(report::ratio(half * 1000 + 1, 2000) == 9007199254740994.0);
    CHECK(report::ratio(report::Wide{~std::uint64_t{0}} * 255, ~std::uint64_t{0}) == 255.0);
}

TEST_CASE("fixed decimals") {
    CHECK(report::fixed(0.125, 2) == "0.12");  // exactly halfway: even
    CHECK(report::fixed(0.375, 2) == "0.38");
    CHECK(report::fixed(100.0, 2) == "100.00");
    CHECK(report::fixed(2.5, 0) == "2");
    CHECK(report::fixed(1e308, 0).size() == 309);
}

TEST_CASE("shortest numbers") {
    CHECK(report::shortest(1.0) == "1.0");
    CHECK(report::shortest(0.1) == "0.1");
    CHECK(report::shortest(1.0000123) == "1.0000123");
    CHECK(report::shortest(0.30000000000000004) == "0.30000000000000004");
    CHECK(report::shortest(1e-4) == "0.0001");
    CHECK(report::shortest(1e-5) == "1e-05");
    CHECK(report::shortest(1.5e-7) == "1.5e-07");
    CHECK(report::shortest(1e15) == "1000000000000000.0");
    CHECK(report::shortest(1e16) == "1e+16");
    CHECK(report::shortest(5e-324) == "5e-324");
    CHECK(report::shortest(9007199254740993.0) == "9007199254740992.0");
}

TEST_CASE("a table is as wide as its cells and its headers ask, without trailing blanks") {
    CHECK(report::format_table({"a", "b"}, {{"1", "22222"}, {"4444", ""}}) ==
          "a     b\n"
          "----  -----\n"
          "1     22222\n"
          "4444\n");
    CHECK(report::format_table({"head"}, {}) == "head\n------\n");
}
