// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>
#include <tlmetry/base/sliding_queue.hpp>

#include <catch2/catch.hpp>

#include <deque>

using namespace tlmetry;

TEST_CASE("a sliding queue does what a deque does") {
    Random random(11, "queue");
    SlidingQueue<std::uint64_t> queue;
    std::deque<std::uint64_t> expected;
    for (int i = 0; i < 20'000; ++i) {
        // Phases in which it grows and phases in which it runs empty.
        if (random.chance(1, 50)) {
            // Many at once, of which some are taken back, and many out.
            const std::uint32_t count = random.below(200);
            const std::uint32_t back = random.below(count + 1);
            std::uint64_t* const items = queue.extend(count);
            for (std::size_t k = 0; k < count; ++k)
                items[k] = random.next();
            expected.insert(expected.end(), items, items + count - back);
            queue.take_back(back);
            const std::uint32_t out = random.below(static_cast<std::uint32_t>(expected.size()) + 1);
            queue.pop(out);
            expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(out));
        } else if (random.chance(i / 1000 % 2 == 0 ? 3 : 1, 4)) {
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

TEST_CASE("the items of a ring queue lie side by side, however many come and go at once") {
    Random random(12, "runs");
    SlidingQueue<std::uint64_t> queue;
    std::uint64_t pushed = 0;
    std::uint64_t taken = 0;
    while (taken < 10'000) {
        const std::uint32_t most = random.below(40);
        const std::uint32_t more = random.below(most + 1);
        std::uint64_t* const added = queue.extend(most);
        for (std::uint32_t i = 0; i < more; ++i)
            added[i] = pushed++;
        queue.take_back(most - more);
        REQUIRE(queue.size() == pushed - taken);
        std::uint64_t expected = taken;
        for (const std::uint64_t item : queue)
            REQUIRE(item == expected++);
        REQUIRE(expected == pushed);
        const std::size_t count = random.below(static_cast<std::uint32_t>(queue.size()) + 1);
        queue.pop(count);
        taken += count;
    }
}
