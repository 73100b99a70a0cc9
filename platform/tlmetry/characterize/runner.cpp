// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/runner.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace tlmetry::characterize {

std::vector<Measurement> Runner::run(const std::vector<Point>& points) const {
    std::vector<Measurement> results(points.size());
    std::vector<std::exception_ptr> failures(points.size());
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    std::atomic<std::uint32_t> working{m_jobs};
    const auto work = [&] {
        for (std::size_t i = next++; i < points.size(); i = next++) {
            try {
                results[i] = measure(points[i]);
            } catch (...) {
                failures[i] = std::current_exception();
                next = points.size();
            }
            ++done;
        }
        --working;
    };
    std::vector<std::thread> threads;
    threads.reserve(m_jobs);
    for (std::uint32_t i = 0; i < m_jobs; ++i)
        threads.emplace_back(work);
    bool go_on = true;
    while (working != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (!go_on || m_progress(m_part, done, points.size())) continue;
        go_on = false;
        next = points.size();
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const std::exception_ptr& failure : failures)
        if (failure != nullptr) std::rethrow_exception(failure);
    if (!go_on) throw Interrupted();
    return results;
}

}  // namespace tlmetry::characterize
