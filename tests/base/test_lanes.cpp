// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/lanes.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace tlmetry;

TEST_CASE("rows of lanes become columns") {
    Lanes rows[lane_count];
    for (std::size_t i = 0; i < lane_count; ++i) {
        for (std::size_t j = 0; j < lane_count; ++j)
            rows[i][j] = static_cast<std::int64_t>(i * 100 + j);
    }
    transpose(rows);
    for (std::size_t i = 0; i < lane_count; ++i) {
        for (std::size_t j = 0; j < lane_count; ++j) {
            CAPTURE(i, j);
            CHECK(rows[i][j] == static_cast<std::int64_t>(j * 100 + i));
        }
    }
}

TEST_CASE("the larger and the smaller of lanes") {
    const Lanes a{1, 2, 3, 4, -5, -6, 7, 8};
    const Lanes b{8, 7, 3, 5, -4, -7, 6, 9};
    const Lanes larger = max_of(a, b);
    const Lanes smaller = min_of(a, b);
    for (std::size_t i = 0; i < lane_count; ++i) {
        CHECK(larger[i] == std::max(a[i], b[i]));
        CHECK(smaller[i] == std::min(a[i], b[i]));
    }
}

TEST_CASE("quotients of lanes are exact") {
    std::mt19937_64 random(1);
    for (const std::int64_t divisor : {std::int64_t{1}, std::int64_t{3}, std::int64_t{2'500'000},
                                       std::int64_t{4'999'999}, std::int64_t{1} << 40}) {
        for (int round = 0; round < 3000; ++round) {
            const auto any = static_cast<std::int64_t>(random() >> 14 >> random() % 50);
            for (const std::int64_t dividend :
                 {any, any / divisor * divisor, any / divisor * divisor + divisor - 1}) {
                if (dividend > std::int64_t{1} << 50) continue;
                const Lanes quotient =
                    quotient_of(lanes_of(dividend), divisor, 1.0 / static_cast<double>(divisor));
                if (quotient[round % 8] == dividend / divisor) continue;
                CAPTURE(dividend, divisor);
                CHECK(quotient[round % 8] == dividend / divisor);
            }
        }
    }
}

TEST_CASE("sums and maxima up to each lane") {
    const Lanes lanes{3, -5, 7, 7, -20, 1, 9, -2};
    const Lanes sums = sums_of(lanes);
    const Lanes maxima = maxima_of(lanes);
    std::int64_t sum = 0;
    std::int64_t largest = lanes[0];
    for (std::size_t i = 0; i < lane_count; ++i) {
        sum += lanes[i];
        largest = std::max<std::int64_t>(largest, lanes[i]);
        CAPTURE(i);
        CHECK(sums[i] == sum);
        CHECK(maxima[i] == largest);
    }
}
