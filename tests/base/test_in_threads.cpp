// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/in_threads.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

using tlmetry::in_threads;

TEST_CASE("every number is worked on once, by any number of threads") {
    for (const std::size_t threads : {1u, 2u, 7u, 40u}) {
        for (const std::size_t count : {0u, 1u, 5u, 300u}) {
            CAPTURE(threads, count);
            std::vector<std::atomic<int>> calls(count);
            CHECK(in_threads(count, threads, [&](std::size_t i) { ++calls[i]; }));
            for (const std::atomic<int>& c : calls)
                CHECK(c == 1);
        }
    }
}

TEST_CASE("what the lowest number throws is thrown, and nothing more is begun") {
    for (const std::size_t threads : {1u, 3u}) {
        std::atomic<int> calls{0};
        const auto work = [&](std::size_t i) {
            ++calls;
            if (i >= 5) throw std::runtime_error(std::to_string(i));
        };
        CHECK_THROWS_WITH(in_threads(1000, threads, work), "5");
        CHECK(calls <= static_cast<int>(5 + threads));
    }
}

TEST_CASE("who looks may end it") {
    std::atomic<bool> over{false};
    std::size_t calls = 0;
    const bool all = in_threads(
        1000, 1,
        [&](std::size_t) {
            ++calls;
            while (!over) {
            }
        },
        [&](std::size_t done) {
            CHECK(done == 0);
            over = true;
            return false;
        });
    CHECK(!all);
    CHECK(calls < 1000);
}
