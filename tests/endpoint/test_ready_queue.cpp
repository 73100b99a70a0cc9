// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/ready_queue.hpp>

#include <catch2/catch.hpp>

#include <set>
#include <tuple>
#include <vector>

using namespace tlmetry;
using endpoint::ReadyQueue;

TEST_CASE("reads come out in the order of their times and grants") {
    constexpr std::uint32_t tags = 300;
    for (const time_fs spread : {time_fs{3}, fs_per_ns, fs_per_us, fs_per_ms, fs_per_s}) {
        Random random(1, "ready");
        ReadyQueue queue(tags);
        std::set<std::tuple<time_fs, std::uint64_t, std::uint32_t>> expected;
        std::vector<std::uint32_t> free;
        for (std::uint32_t tag = 0; tag < tags; ++tag)
            free.push_back(tag);
        time_fs now = 0;
        std::uint64_t number = 0;
        for (int i = 0; i < 20'000; ++i) {
            REQUIRE(queue.empty() == expected.empty());
            if (!free.empty() && random.chance(i / 500 % 2 == 0 ? 3 : 1, 4)) {
                const std::uint32_t place = random.below(static_cast<std::uint32_t>(free.size()));
                const std::uint32_t tag = free[place];
                free[place] = free.back();
                free.pop_back();
                // Now and then much later than all others.
                const time_fs at =
                    now + static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(spread)) *
                              (random.chance(1, 1000) ? 50 : 1);
                queue.push({at, number, tag});
                expected.insert({at, number, tag});
                ++number;
            } else if (!expected.empty()) {
                const auto [at, first, tag] = *expected.begin();
                REQUIRE(queue.front().tag == tag);
                const ReadyQueue::Item item = queue.pop();
                REQUIRE(std::tuple(item.at, item.number, item.tag) == *expected.begin());
                expected.erase(expected.begin());
                free.push_back(tag);
                now = at;
            }
        }
        std::set<std::uint32_t> left;
        queue.clear([&](std::uint32_t tag) { CHECK(left.insert(tag).second); });
        CHECK(left.size() == expected.size());
        CHECK(queue.empty());
    }
}
