// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/generator/address_walk.hpp>
#include <tlmetry/generator/word_stream.hpp>

#include <catch2/catch.hpp>

#include <map>

using namespace tlmetry::generator;

namespace {

Config config(Pattern pattern) {
    Config config;
    config.pattern = pattern;
    config.base_address = 0x10000;
    config.region_bytes = 1000;
    config.alignment_bytes = 64;
    config.offset_bytes = 5;
    return config;
}

}  // namespace

TEST_CASE("Random addresses are aligned, equally frequent and reach the last place that fits") {
    AddressWalk walk(config(Pattern::random));
    WordStream random(1, "addresses");
    std::map<std::uint64_t, int> found;
    for (int i = 0; i < 110'000; ++i)
        ++found[walk.next(300, random.next()) - 0x10000];
    REQUIRE(found.size() == 11);  // 5 + 10 * 64 + 300 <= 1000
    for (const auto& [place, times] : found) {
        CHECK(place % 64 == 5);
        CHECK(times == Approx(10'000).epsilon(0.05));
    }
    CHECK(found.rbegin()->first == 645);
}

TEST_CASE("Sequential operations follow each other and start again where the next does not fit") {
    AddressWalk walk(config(Pattern::sequential));
    CHECK(walk.next(64, 0) == 0x10000 + 5);
    CHECK(walk.next(65, 0) == 0x10000 + 69);
    CHECK(walk.next(1, 0) == 0x10000 + 197);
    CHECK(walk.next(739, 0) == 0x10000 + 261);  // ends with the region
    CHECK(walk.next(64, 0) == 0x10000 + 5);
    CHECK(walk.next(64, 0) == 0x10000 + 69);
    CHECK(walk.next(868, 0) == 0x10000 + 5);  // one byte too many at 133
}

TEST_CASE("A stride leads from start to start") {
    Config c = config(Pattern::stride);
    c.stride_bytes = 320;
    AddressWalk walk(c);
    CHECK(walk.next(64, 0) == 0x10000 + 5);
    CHECK(walk.next(200, 0) == 0x10000 + 325);
    CHECK(walk.next(64, 0) == 0x10000 + 645);
    CHECK(walk.next(64, 0) == 0x10000 + 5);
}

TEST_CASE("Addresses reach the end of 64 bits") {
    Config c = config(Pattern::random);
    c.region_bytes = 128;
    c.offset_bytes = 0;
    c.base_address = ~std::uint64_t{0} - 127;
    AddressWalk walk(c);
    CHECK(walk.next(64, ~std::uint64_t{0}) == ~std::uint64_t{0} - 63);
}
