// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>

#include <catch2/catch.hpp>

#include <array>

using namespace tlmetry;

TEST_CASE("a seed and a name fix the sequence for ever") {
    // A change of these values would change every seeded run.
    const std::array<std::uint64_t, 3> first = {0x182DC47EDB2C1504, 0x5493767FEAE986ED, 0xA8AC3A71FE66EDCA};
    Random random(1, "traffic");
    for (const std::uint64_t value : first)
        CHECK(random.next() == value);
    CHECK(Random(2, "traffic").next() != first[0]);
    CHECK(Random(1, "traffic2").next() != first[0]);
}

TEST_CASE("bounded numbers stay in their range and reach its ends") {
    Random random(3, "bounds");
    std::array<int, 7> seen{};
    for (int i = 0; i < 10'000; ++i) {
        const std::uint32_t value = random.between(4, 10);
        REQUIRE(value >= 4);
        REQUIRE(value <= 10);
        ++seen[value - 4];
    }
    // 10000 / 7 = 1429 of each on average, standard deviation 35.
    for (const int count : seen)
        CHECK(std::abs(count - 1429) < 200);
}

TEST_CASE("a chance comes true as often as it says") {
    Random random(5, "chance");
    int hits = 0;
    for (int i = 0; i < 100'000; ++i)
        hits += random.chance(1, 4) ? 1 : 0;
    CHECK(std::abs(hits - 25'000) < 700);  // five standard deviations
    CHECK_FALSE(random.chance(0, 4));
    CHECK(random.chance(4, 4));
}
