// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>
#include <tlmetry/base/ring_queue.hpp>

#include <catch2/catch.hpp>

#include <deque>

using namespace tlmetry;

TEST_CASE("a ring queue does what a deque does") {
    Random random(11, "queue");
    RingQueue<std::uint64_t> queue;
    std::deque<std::uint64_t> expected;
    for (int i = 0; i < 20'000; ++i) {
        // Phases in which it grows and phases in which it runs empty.
        if (random.chance(i / 1000 % 2 == 0 ? 3 : 1, 4)) {
            queue.push(random.next());
            expected.push_back(queue.back());
        } else if (!expected.empty()) {
            REQUIRE(queue.front() == expected.front());
            queue.pop();
            expected.pop_front();
        }
        REQUIRE(queue.size() == expected.size());
        REQUIRE(queue.empty() == expected.empty());
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(queue[i] == expected[i]);
    queue.clear();
    CHECK(queue.empty());
}
