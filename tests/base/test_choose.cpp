// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/choose.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>

using namespace tlmetry;

TEST_CASE("choose and only_if say what a conditional expression says") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t a : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{7}, most, least}) {
        CHECK(only_if(true, a) == a);
        CHECK(only_if(false, a) == 0);
        for (const std::int64_t b : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-7}, most, least}) {
            CHECK(choose(true, a, b) == a);
            CHECK(choose(false, a, b) == b);
        }
    }
    CHECK(choose(true, 3u, ~0u) == 3u);
    CHECK(choose(false, 3u, ~0u) == ~0u);
    CHECK(only_if(true, ~std::uint64_t{0}) == ~std::uint64_t{0});
}
