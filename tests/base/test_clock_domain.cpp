// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace tlmetry;

TEST_CASE("an endless clock knows every edge by arithmetic") {
    const ClockDomain clock(2'500'000, 1'000'000);
    CHECK(clock.time_of(0) == 1'000'000);
    CHECK(clock.time_of(400'000'000) == 1'000'000 + 400'000'000 * std::int64_t{2'500'000});
    CHECK(clock.known_edges() == never);
    CHECK(clock.period_fs() == 2'500'000);
}

TEST_CASE("the first edge after a time is strictly after it") {
    const ClockDomain clock(10, 5);
    CHECK(clock.first_after(4) == 0);
    CHECK(clock.first_after(5) == 1);
    CHECK(clock.first_after(14) == 1);
    CHECK(clock.first_after(15) == 2);
    CHECK(clock.first_at_or_after(5) == 0);
    CHECK(clock.first_at_or_after(6) == 1);
}

TEST_CASE("a clock without a positive period or with a negative first edge is refused") {
    CHECK_THROWS_AS(ClockDomain(0, 0), UserError);
    CHECK_THROWS_AS(ClockDomain(-1, 0), UserError);
    CHECK_THROWS_AS(ClockDomain(1, -1), UserError);
}

TEST_CASE("a recorded clock answers as the list of its edges does whatever it does") {
    Random random(7, "edges");
    ClockDomain clock;
    std::vector<time_fs> edges;
    time_fs t = 0;
    time_fs period = 10;
    CHECK(clock.time_of(0) == never);
    CHECK(clock.first_after(0) == 0);
    for (int i = 0; i < 2000; ++i) {
        if (random.chance(1, 10)) period = random.between(1, 30);  // jitter, other frequencies
        t += random.chance(1, 50) ? 5000 : period;                 // and pauses
        clock.append(t);
        edges.push_back(t);
        REQUIRE(clock.known_edges() == static_cast<cycle_t>(edges.size()));
    }
    for (std::size_t i = 0; i < edges.size(); ++i)
        REQUIRE(clock.time_of(static_cast<cycle_t>(i)) == edges[i]);
    CHECK(clock.time_of(static_cast<cycle_t>(edges.size())) == never);
    for (int i = 0; i < 5000; ++i) {
        const auto when = static_cast<time_fs>(random.below(static_cast<std::uint32_t>(t + 100)));
        const auto after = std::upper_bound(edges.begin(), edges.end(), when) - edges.begin();
        REQUIRE(clock.first_after(when) == after);
    }
}

TEST_CASE("edges that were forgotten come before those that are kept") {
    ClockDomain clock;
    Random random(9, "edges");
    time_fs t = 0;
    for (int i = 0; i < 1000; ++i)
        clock.append(t += random.between(1, 9));
    const time_fs kept = clock.time_of(900);
    clock.forget_before(900);
    CHECK(clock.time_of(900) == kept);
    CHECK(clock.time_of(10) < kept);
    CHECK(clock.time_of(10) < clock.time_of(11));
    CHECK(clock.known_edges() == 1000);
}
