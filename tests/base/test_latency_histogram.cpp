// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/latency_histogram.hpp>
#include <tlmetry/base/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tlmetry;

TEST_CASE("percentiles of a latency histogram are those of the sorted values") {
    Random random(1, "latencies");
    for (const unsigned bits : {8u, 20u, 31u, 45u, 62u}) {
        LatencyHistogram histogram;
        std::vector<time_fs> values;
        for (int i = 0; i < 30'000; ++i) {
            // Of all magnitudes.
            const auto value = static_cast<time_fs>((random.next() >> (64 - bits)) >> (random.next() % bits));
            values.push_back(value);
            histogram.add(value);
        }
        std::sort(values.begin(), values.end());
        CHECK(histogram.count() == values.size());
        CHECK(histogram.least_fs() == values.front());
        CHECK(histogram.most_fs() == values.back());
        for (const double percent : {0.0, 0.1, 5.0, 50.0, 75.0, 99.0, 99.99, 100.0}) {
            const auto rank =
                static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(values.size())));
            const auto exact = static_cast<double>(values[std::max<std::size_t>(1, rank) - 1]);
            CAPTURE(bits, percent, exact);
            CHECK(std::abs(static_cast<double>(histogram.percentile_fs(percent)) - exact) <=
                  0.004 * exact + 1024);
        }
    }
}

TEST_CASE("buckets of a latency histogram follow each other and hold what they say") {
    for (std::size_t bucket = 0; bucket + 1 < LatencyHistogram::buckets; ++bucket) {
        const time_fs begin = LatencyHistogram::begin_of(bucket);
        const time_fs end = LatencyHistogram::begin_of(bucket + 1);
        REQUIRE(begin < end);
        LatencyHistogram histogram;
        histogram.add(begin);
        histogram.add(end - 1);
        REQUIRE(histogram.in_bucket(bucket) == 2);
    }
}

TEST_CASE("latency histograms add up, and an empty one says nothing") {
    LatencyHistogram a, b, both;
    for (time_fs t = 1; t < 1000 * fs_per_ns; t += 777'777) {
        (t % 2 == 0 ? a : b).add(t);
        both.add(t);
    }
    a.add(b);
    CHECK(a.count() == both.count());
    CHECK(a.mean_fs() == both.mean_fs());
    CHECK(a.percentile_fs(90) == both.percentile_fs(90));
    a.clear();
    CHECK(a.count() == 0);
    CHECK(a.mean_fs() == 0);
    CHECK(a.least_fs() == 0);
    CHECK(a.most_fs() == 0);
    CHECK(a.percentile_fs(50) == 0);
    a.add(LatencyHistogram());
    CHECK(a.least_fs() == 0);
}
