// SPDX-License-Identifier: BSD-3-Clause
#include "moments.hpp"

#include <tlmetry/generator/pace.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::generator;

TEST_CASE("A sum of quotients is exact at any time") {
    WordStream random(1, "sum");
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t denominator = 1 + (random.next() >> (20 + random.next() % 44));
        const std::uint64_t numerator = random.next() % 8'000'000'000'000'000;
        ExactSum sum(numerator, denominator);
        std::uint64_t total = 0;
        std::uint64_t count = 0;
        for (int i = 0; i < 100; ++i) {
            const bool one = random.next() % 2 == 0;
            const auto more = static_cast<std::uint32_t>(one ? 1 : random.next() % 65'536);
            total += one ? sum.add_one() : sum.add(more);
            count += more;
            const Wide exact = Wide{count} * numerator / denominator;
            if (exact >> 63 != 0) break;
            REQUIRE(total == static_cast<std::uint64_t>(exact));
        }
    }
}

namespace {

/// Arrival times of operations of one request of `bytes` bytes each.
std::vector<time_fs> arrivals(const Config& config, int count, std::uint32_t bytes = 100) {
    static const ExponentialTable exponential;
    Pace pace(config);
    WordStream random(1, "pace");
    std::vector<time_fs> times;
    for (int i = 0; i < count; ++i) {
        times.push_back(pace.now());
        pace.request(bytes, random, exponential);
        pace.end_operation();
    }
    return times;
}

}  // namespace

TEST_CASE("As fast as possible everything arrives at the start") {
    Config config;
    config.start_fs = 5;
    CHECK(arrivals(config, 3) == std::vector<time_fs>{5, 5, 5});
}

TEST_CASE("A rate of requests leaves no drift") {
    Config config;
    config.rate = Rate::requests;
    config.requests_per_s = 58'000'003;
    const std::vector<time_fs> times = arrivals(config, 1'000'001);
    CHECK(times[1] == fs_per_s / 58'000'003);
    CHECK(times[1'000'000] == static_cast<time_fs>(Wide{1'000'000} * fs_per_s / 58'000'003));
}

TEST_CASE("A rate of payload counts bytes") {
    Config config;
    config.rate = Rate::payload;
    config.payload_bits_per_s = 300'000'007;
    const std::vector<time_fs> times = arrivals(config, 10'001, 1500);
    CHECK(times[10'000] == static_cast<time_fs>(Wide{8 * 1500 * 10'000} * fs_per_s / 300'000'007));
}

TEST_CASE("Exponential distances have the mean of the rate and its square as variance") {
    Config config;
    config.rate = Rate::requests;
    config.requests_per_s = 58'000'000;
    config.spacing = Spacing::exponential;
    const std::vector<time_fs> times = arrivals(config, 2'000'001);
    Moments distances;
    double longer = 0;  // than three times the mean
    const double mean = 1e15 / 58e6;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const auto distance = static_cast<double>(times[i] - times[i - 1]);
        distances.add(distance);
        longer += distance > 3 * mean ? 1 : 0;
    }
    // Five standard deviations of the sample.
    CHECK(distances.mean() == Approx(mean).epsilon(5 / std::sqrt(2e6)));
    CHECK(distances.variance() == Approx(mean * mean).epsilon(5 * std::sqrt(8 / 2e6)));
    CHECK(longer / 2e6 == Approx(std::exp(-3.0)).epsilon(0.02));
}

TEST_CASE("The exponential table is exact where it is not random") {
    // Means of the strata and of what lies beyond the last one must be those of the curve.
    const ExponentialTable table;
    WordStream random(3, "table");
    Moments numbers;
    double largest = 0;
    for (int i = 0; i < 4'000'000; ++i) {
        const double x = static_cast<double>(table.draw(random)) / 4294967296.0;
        numbers.add(x);
        largest = std::max(largest, x);
    }
    CHECK(numbers.mean() == Approx(1).epsilon(5 / std::sqrt(4e6)));
    CHECK(numbers.variance() == Approx(1).epsilon(5 * std::sqrt(8 / 4e6)));
    CHECK(largest > 11);  // the tail is not cut at the last stratum, ln 256
    CHECK(largest < 24);
}

TEST_CASE("Bursts pause after their requests") {
    Config config;
    config.burst_requests = 3;
    config.burst_gap_fs = 1000;
    CHECK(arrivals(config, 7) == std::vector<time_fs>{0, 0, 0, 1000, 1000, 1000, 2000});
    config.rate = Rate::requests;
    config.requests_per_s = fs_per_s / 10;
    CHECK(arrivals(config, 7) == std::vector<time_fs>{0, 10, 20, 1030, 1040, 1050, 2060});
}

TEST_CASE("Pauses wait for the end of an operation, and its surplus counts for the next burst") {
    const ExponentialTable exponential;
    Config config;
    config.burst_requests = 2;
    config.burst_gap_fs = 1000;
    Pace pace(config);
    WordStream random(1, "pace");
    const auto operation = [&](int requests) {
        const time_fs now = pace.now();
        for (int i = 0; i < requests; ++i)
            pace.request(64, random, exponential);
        pace.end_operation();
        return now;
    };
    CHECK(operation(3) == 0);
    CHECK(operation(1) == 1000);
    CHECK(operation(5) == 2000);
    CHECK(operation(1) == 4000);  // 3 + 1 + 5 requests are four bursts and one request
    CHECK(pace.now() == 5000);
}

TEST_CASE("Times stop at the end of time") {
    Config config;
    config.start_fs = never - 10;
    config.rate = Rate::requests;
    config.requests_per_s = 1;
    config.spacing = Spacing::exponential;
    CHECK(arrivals(config, 4).back() == never);
    config = {};
    config.burst_requests = 1;
    config.burst_gap_fs = never;
    CHECK(arrivals(config, 4).back() == never);
}
