// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/device/fair_lock.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <thread>
#include <vector>

using tlmetry::device::FairLock;

TEST_CASE("a lock that is taken is had in the order in which it was asked for") {
    for (int round = 0; round < 100; ++round) {
        FairLock lock;
        std::vector<int> order;
        std::vector<std::thread> threads;
        lock.lock();
        CHECK(lock.waiting() == 0);
        for (int thread = 0; thread < 40; ++thread) {
            threads.emplace_back([&, thread] {
                lock.lock();
                order.push_back(thread);
                lock.unlock();
            });
            while (lock.waiting() != static_cast<unsigned>(thread) + 1)
                std::this_thread::yield();
        }
        // Whoever asks again at once, while the others sleep, is not the next.
        while (!lock.promised())
            std::this_thread::yield();
        lock.unlock();
        lock.lock();
        REQUIRE_FALSE(order.empty());
        lock.unlock();
        for (std::thread& thread : threads)
            thread.join();
        REQUIRE(order.size() == 40);
        CHECK(std::is_sorted(order.begin(), order.end()));
        CHECK(lock.waiting() == 0);
    }
}

TEST_CASE("one thread at a time has a lock") {
    FairLock lock;
    int count = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20'000; ++i) {
                lock.lock();
                ++count;
                lock.unlock();
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    CHECK(count == 80'000);
}
