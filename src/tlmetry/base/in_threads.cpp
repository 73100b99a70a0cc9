// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/base/in_threads.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tlmetry {

namespace {

constexpr auto interval = std::chrono::milliseconds(10);

/// What the threads share, guarded by the mutex.
struct Shared {
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t next = 0;
    std::size_t done = 0;
    std::size_t working = 0;
    std::size_t failed = 0;  // the lowest number that has
    std::exception_ptr failure;
};

}  // namespace

bool in_threads(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work,
                const std::function<bool(std::size_t)>& look) {
    Shared shared;
    shared.working = std::min(threads, count);
    const auto run = [&] {
        std::unique_lock lock(shared.mutex);
        while (shared.next < count) {
            const std::size_t number = shared.next++;
            lock.unlock();
            std::exception_ptr failure;
            try {
                work(number);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            if (!failure) {
                ++shared.done;
                continue;
            }
            shared.next = count;
            if (shared.failure && shared.failed < number) continue;
            shared.failed = number;
            shared.failure = failure;
        }
        --shared.working;
        shared.ended.notify_one();
    };
    std::vector<std::thread> all;
    for (std::size_t t = 0, begun = shared.working; t < begun; ++t)
        all.emplace_back(run);
    {
        std::unique_lock lock(shared.mutex);
        while (!shared.ended.wait_for(lock, interval, [&] { return shared.working == 0; })) {
            if (!look) continue;
            const std::size_t done = shared.done;
            lock.unlock();
            const bool go_on = look(done);
            lock.lock();
            if (!go_on) shared.next = count;
        }
    }
    for (std::thread& thread : all)
        thread.join();
    if (shared.failure) std::rethrow_exception(shared.failure);
    return shared.done == count;
}

}  // namespace tlmetry
