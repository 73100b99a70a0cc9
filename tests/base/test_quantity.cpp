// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/quantity.hpp>

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace tlmetry;

TEST_CASE("times are exact and need a unit") {
    CHECK(parse_quantity("1us", time_units) == fs_per_us);
    CHECK(parse_quantity("2.5ns", time_units) == 2'500'000);
    CHECK(parse_quantity("100 ps", time_units) == 100'000);
    CHECK(parse_quantity("0.000001ns", time_units) == 1);
    CHECK(parse_quantity("1e3ns", time_units) == fs_per_us);
    CHECK(parse_quantity("25e-1ns", time_units) == 2'500'000);
    CHECK(parse_quantity("0fs", time_units) == 0);
    CHECK(parse_quantity("9223.372036854775807s", time_units) == std::numeric_limits<std::int64_t>::max());

    for (const char* refused : {"",      "1",           "0",
                                "ns",    "-1ns",        "+1ns",
                                "1.ns",  "1..2ns",      "1,5ns",
                                "1 n s", "1NS",         "1ns ",
                                "0.5fs", "0.0000001ns", "9223.372036854775808s",
                                "1e30s", "1e-30s",      "1e99999999999s",
                                "1ens",  "0x10ns",      "99999999999999999999fs",
                                "nan",   "inf"}) {
        CAPTURE(refused);
        CHECK_FALSE(parse_quantity(refused, time_units));
    }
}

TEST_CASE("sizes count bytes") {
    CHECK(parse_quantity("64KiB", size_units) == 65536);
    CHECK(parse_quantity("4096", size_units) == 4096);
    CHECK(parse_quantity("4096 B", size_units) == 4096);
    CHECK(parse_quantity("1.5KiB", size_units) == 1536);
    CHECK_FALSE(parse_quantity("0.3KiB", size_units));
    CHECK_FALSE(parse_quantity("64kB", size_units));
    CHECK_FALSE(parse_quantity("8388608TiB", size_units));
    CHECK(format_size(0) == "0B");
    CHECK(format_size(1000) == "1000B");
    CHECK(format_size(1536) == "1536B");
    CHECK(format_size(65536) == "64KiB");
    CHECK(format_size(std::uint64_t{1} << 40) == "1TiB");
}

TEST_CASE("quantities print in the unit that reads best") {
    CHECK(format_quantity(0, time_units) == "0s");
    CHECK(format_quantity(1, time_units) == "1fs");
    CHECK(format_quantity(2'500'000, time_units) == "2.5ns");
    CHECK(format_quantity(500 * fs_per_us, time_units) == "500us");
    CHECK(format_quantity(fs_per_s, time_units) == "1s");
}

TEST_CASE("every quantity reads back as it was") {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const auto value = static_cast<std::int64_t>(random() >> (1 + random() % 63));
        CAPTURE(value);
        REQUIRE(parse_quantity(format_quantity(value, time_units), time_units) == value);
        REQUIRE(parse_quantity(format_size(static_cast<std::uint64_t>(value)), size_units) == value);
        const Fraction fraction{value % (Fraction::one + 1)};
        REQUIRE(parse_fraction(format_fraction(fraction)) == fraction);
        if (value > 0 && value <= never) REQUIRE(parse_clock(format_clock(value)) == value);
    }
}

TEST_CASE("clocks are whole femtoseconds, rounded to the nearest") {
    CHECK(parse_clock("250MHz") == 4'000'000);
    CHECK(parse_clock("4611s"));
    CHECK_FALSE(parse_clock("4612s"));  // later than never
    CHECK(parse_clock("0.25 GHz") == 4'000'000);
    CHECK(parse_clock("333.333MHz") == 3'000'003);
    CHECK(parse_clock("300MHz") == 3'333'333);
    CHECK(parse_clock("150MHz") == 6'666'667);
    CHECK(parse_clock("2.5ns") == 2'500'000);
    CHECK(parse_clock("1Hz") == fs_per_s);
    CHECK(format_clock(4'000'000) == "250MHz");
    CHECK(format_clock(3'000'003) == "333.333MHz");
    CHECK(format_clock(3'333'333) == "300MHz");
    CHECK(format_clock(2'857'143) == "350MHz");
    CHECK(format_clock(fs_per_us) == "1MHz");
    CHECK(format_clock(123'456'789'123) == "123.456789123us");

    for (const char* refused :
         {"0MHz", "0ns", "250", "-250MHz", "250mhz", "1/3GHz", "3000000GHz", "0.0000001Hz"}) {
        CAPTURE(refused);
        CHECK_FALSE(parse_clock(refused));
    }
}

TEST_CASE("fractions may be percentages or plain numbers up to 1") {
    CHECK(parse_fraction("25.86%")->parts == 258'600'000'000'000);
    CHECK(parse_fraction("0.2586") == parse_fraction("25.86%"));
    CHECK(parse_fraction("3ppm")->parts == 3'000'000'000);
    CHECK(parse_fraction("1e-12")->parts == 1'000);
    CHECK(parse_fraction("1") == parse_fraction("100 %"));
    CHECK(format_fraction({258'600'000'000'000}) == "25.86%");
    CHECK(format_fraction({Fraction::one}) == "100%");
    CHECK(format_fraction({0}) == "0%");
    for (const char* refused : {"", "%", "1.1", "100.1%", "-0.1", "1e-16", "half"}) {
        CAPTURE(refused);
        CHECK_FALSE(parse_fraction(refused));
    }
}

TEST_CASE("unsigned integers never wrap") {
    CHECK(parse_unsigned("0") == 0u);
    CHECK(parse_unsigned("0x8000") == 0x8000u);
    CHECK(parse_unsigned("0Xff_FF") == 0xffffu);
    CHECK(parse_unsigned("1_000_000") == 1'000'000u);
    CHECK(parse_unsigned("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
    CHECK(parse_unsigned("0xffffffffffffffff") == std::numeric_limits<std::uint64_t>::max());
    for (const char* refused : {"", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x", "0x_1", "_1", "1_", "1__0",
                                "0xg", "1f", "18446744073709551616", "0x10000000000000000"}) {
        CAPTURE(refused);
        CHECK_FALSE(parse_unsigned(refused));
    }
}
