// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/edges.hpp>

#include <catch2/catch.hpp>

#include <cstdint>

using namespace tlmetry;
using endpoint::Crossing;
using endpoint::Divisor;
using endpoint::Edges;

TEST_CASE("quotients without a division are those of a division") {
    Random random(1, "divisor");
    const auto check = [](std::uint64_t divisor, std::uint64_t dividend) {
        INFO(dividend << " / " << divisor);
        REQUIRE(Divisor(divisor)(dividend) == dividend / divisor);
    };
    constexpr std::uint64_t end = std::uint64_t{1} << 63;
    for (unsigned bits = 1; bits <= 62; ++bits) {
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t power = std::uint64_t{1} << bits;
            const std::uint64_t divisor = i % 4 == 0   ? power
                                          : i % 4 == 1 ? power - (bits > 1)
                                                       : 2 + random.next() % power;
            const std::uint64_t largest = (end - 1) / divisor;
            check(divisor, random.next() % end);
            check(divisor, end - 1);
            const std::uint64_t quotient = random.next() % largest + 1;
            check(divisor, quotient * divisor);
            check(divisor, quotient * divisor - 1);
        }
    }
}

TEST_CASE("edges without a division are those of the clock domain") {
    Random random(2, "edges");
    for (const time_fs period : {time_fs{2}, time_fs{1} << 21, time_fs{2'500'000}, time_fs{3'333'333}}) {
        const ClockDomain clock(period, 1234);
        const Edges edges(clock);
        for (int i = 0; i < 2000; ++i) {
            const time_fs t = i < 20 ? 1225 + i : static_cast<time_fs>(random.next() >> 8);
            REQUIRE(edges.first_after(t) == clock.first_after(t));
            REQUIRE(edges.first_at_or_after(t) == clock.first_at_or_after(t));
        }
    }
}

TEST_CASE("a crossing is seen some edges behind the first that is strictly later") {
    Random random(3, "crossing");
    constexpr time_fs periods[] = {2, 3, 2'000'000, 2'500'000, 3'333'333, 4'000'000, 5'000'000, 10'000'000};
    for (const time_fs from_period : periods) {
        for (const time_fs to_period : periods) {
            for (int i = 0; i < 40; ++i) {
                const ClockDomain from(from_period,
                                       random.below(static_cast<std::uint32_t>(4 * from_period)));
                const ClockDomain to(to_period, random.below(static_cast<std::uint32_t>(4 * to_period)));
                const Edges from_edges(from);
                const Edges to_edges(to);
                const cycle_t sync = 1 + random.below(4);
                const Crossing crossing(from_edges, to_edges, sync);
                for (int j = 0; j < 20; ++j) {
                    const cycle_t cycle = j < 10 ? j : static_cast<cycle_t>(random.next() >> 30);
                    INFO(from_period << " to " << to_period << " fs, cycle " << cycle);
                    REQUIRE(crossing(cycle) == to.first_after(from.time_of(cycle)) + sync - 1);
                }
            }
        }
    }
}
