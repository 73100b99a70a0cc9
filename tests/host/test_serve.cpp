// SPDX-License-Identifier: BSD-3-Clause
// Many requests at once get what they get one by one.
#include "requests.hpp"

#include <tlmetry/base/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::host;
using endpoint::Answer;
using endpoint::Arrival;

namespace {

constexpr std::uint32_t endpoints = 2;

std::vector<Arrival> random_arrivals(Random& random, std::size_t count) {
    std::vector<Arrival> arrivals(count);
    time_fs at = 0;
    for (Arrival& arrival : arrivals) {
        at += random.below(3) * random.below(20) * ns;
        arrival.at = at;
        arrival.address = random.below(1u << 20);
        arrival.length = random.between(1, 512);
        arrival.tag = static_cast<std::uint16_t>(random.below(256));
        arrival.read = random.chance(1, 3);
        arrival.malformed = random.chance(1, 20);
        arrival.flags = static_cast<std::uint8_t>(random.below(4));
    }
    return arrivals;
}

/// Serves runs of one endpoint each, at once and one by one.
void check_equal(const Config& first, const Config& then) {
    Random random(5, "serve");
    RootComplex at_once(first, endpoints, 7);
    RootComplex one_by_one(first, endpoints, 7);
    const std::vector<Arrival> arrivals = random_arrivals(random, 3000);
    for (RootComplex* host : {&at_once, &one_by_one})
        host->change_at(arrivals[1500].at, then);
    std::size_t reads = 0;
    for (std::size_t begin = 0; begin < arrivals.size();) {
        const std::size_t end = std::min(arrivals.size(), begin + random.between(1, 60));
        const std::uint32_t endpoint = random.below(endpoints);
        std::vector<Answer> answers(end - begin);
        answers.resize(at_once.serve(endpoint, &arrivals[begin], arrivals.data() + end, answers.data()));
        std::size_t answered = 0;
        for (; begin < end; ++begin) {
            const Arrival& arrival = arrivals[begin];
            if (arrival.malformed) one_by_one.dropped(endpoint, arrival);
            if (arrival.read) {
                REQUIRE(answered < answers.size());
                CHECK(answers[answered].tag == arrival.tag);
                const time_fs ready = arrival.malformed ? never : one_by_one.read(endpoint, arrival);
                CHECK(answers[answered++].ready == ready);
            } else if (!arrival.malformed) {
                one_by_one.write(endpoint, arrival);
            }
        }
        CHECK(answered == answers.size());
        reads += answered;
        CHECK(at_once.last_commit(endpoint) == one_by_one.last_commit(endpoint));
    }
    CHECK(reads > 500);
    for (std::uint32_t e = 0; e < endpoints; ++e) {
        for (const StatisticField& field : statistic_fields) {
            CAPTURE(field.name);
            CHECK(at_once.statistics(e).*field.value == one_by_one.statistics(e).*field.value);
        }
    }
}

}  // namespace

TEST_CASE("Requests served at once are served as one by one") {
    Config plain_host = plain(500 * ns);
    plain_host.latency = Latency::normal;
    Config quick = plain_host;
    quick.commit_latency_fs = 1 * ns;  // commits before writes that have arrived before
    Config costly = plain_host;
    costly.write_cost_fs = 3 * ns;
    Config limited = plain_host;
    limited.memory_bytes_per_s = 9'000'000'000;
    limited.cache_ppm = 200'000;
    limited.lost_ppb = 10'000'000;
    SECTION("nothing but latency") {
        check_equal(plain_host, plain_host);
    }
    SECTION("a shorter commit") {
        check_equal(plain_host, quick);
    }
    SECTION("writes in order") {
        check_equal(plain_host, costly);
    }
    SECTION("writes in order at first") {
        check_equal(costly, plain_host);
    }
    SECTION("memory and caches") {
        check_equal(limited, plain_host);
    }
}
