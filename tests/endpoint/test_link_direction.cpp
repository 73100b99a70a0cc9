// SPDX-License-Identifier: BSD-3-Clause
// What a direction of a link sends in vain, by hand.
#include <tlmetry/endpoint/link_direction.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using endpoint::LinkDirection;

namespace {

constexpr time_fs ns = fs_per_ns;
constexpr std::uint64_t byte_time = std::uint64_t{fs_per_ns} << 16;  // a byte in a nanosecond

LinkDirection link(std::vector<std::uint64_t> damaged, time_fs nak_latency) {
    return {byte_time, 0, std::move(damaged), nak_latency, 1, "test"};
}

}  // namespace

TEST_CASE("what is sent behind a damaged TLP until its NAK is sent again") {
    LinkDirection direction = link({0}, 100 * ns);
    // Damaged from 0 to 50, known at 150.
    CHECK(direction.send(0, 50) == 200 * ns);
    // In vain from 50 to 80, from 80 to 140 and from 140 until it is cut short.
    CHECK(direction.send(0, 30) == 230 * ns);
    CHECK(direction.send(0, 60) == 290 * ns);
    CHECK(direction.send(0, 40) == 330 * ns);
    CHECK(direction.send(149 * ns, 8) == 338 * ns);
    const LinkDirection::Statistics& s = direction.statistics();
    CHECK(s.sent_bytes == 188);
    CHECK(s.repeated_bytes == 50 + 30 + 60 + 10);
    CHECK(s.naks == 1);
    CHECK(s.busy_fs == (188 + 150) * ns);
}

TEST_CASE("nothing else is sent again when nothing was there to be sent") {
    LinkDirection direction = link({0}, 100 * ns);
    CHECK(direction.send(0, 50) == 200 * ns);
    // It begins at 120 in vain.
    CHECK(direction.send(120 * ns, 20) == 220 * ns);
    CHECK(direction.send(150 * ns, 20) == 240 * ns);
    CHECK(direction.statistics().repeated_bytes == 50 + 20);
}

TEST_CASE("a repetition may arrive damaged as well") {
    LinkDirection direction = link({0, 1, 3}, 100 * ns);
    CHECK(direction.send(0, 50) == 350 * ns);
    CHECK(direction.statistics().repeated_bytes == 2 * 50);
    // Twice in vain behind the one before it, and once more on its own.
    CHECK(direction.send(0, 30) == 350 * ns + 30 * ns + 100 * ns + 30 * ns);
    CHECK(direction.statistics().repeated_bytes == 2 * 50 + 2 * 30 + 30);
    CHECK(direction.statistics().naks == 3);
}

TEST_CASE("a NAK that takes no time leaves nothing to be sent again but the damaged TLP") {
    LinkDirection direction = link({0}, 0);
    CHECK(direction.send(0, 50) == 100 * ns);
    CHECK(direction.send(0, 30) == 130 * ns);
    CHECK(direction.statistics().repeated_bytes == 50);
}

TEST_CASE("damage comes at random with the share that is asked for") {
    LinkDirection direction(byte_time, 1u << 28, {}, 0, 1, "test");
    for (int i = 0; i < 100'000; ++i)
        direction.send(0, 1);
    // A sixteenth of all transmissions: one in fifteen of those that come through.
    CHECK(static_cast<double>(direction.statistics().naks) == Approx(100'000 / 15.0).epsilon(0.05));
}
