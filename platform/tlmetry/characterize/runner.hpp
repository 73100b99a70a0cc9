// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/characterize/measurement.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tlmetry::characterize {

/// Somebody did not want to wait for the rest.
struct Interrupted {};

/// Measures points in threads.
class Runner {
public:
    /// Called now and then with what has been done of a part; false gives up.
    using Progress = std::function<bool(const std::string& part, std::size_t done, std::size_t all)>;

    Runner(std::uint32_t jobs, Progress progress) : m_jobs(jobs), m_progress(std::move(progress)) {}

    /// Names what run() is about, from now on.
    void begin(const std::string& part) { m_part = part; }

    /// In the order of the points, and the same for any number of threads. Throws Interrupted, and what
    /// measure() throws, of the first point that fails.
    std::vector<Measurement> run(const std::vector<Point>& points) const;

private:
    std::uint32_t m_jobs;
    Progress m_progress;
    std::string m_part;
};

}  // namespace tlmetry::characterize
