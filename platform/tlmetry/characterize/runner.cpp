// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/runner.hpp"

#include <tlmetry/base/in_threads.hpp>

namespace tlmetry::characterize {

std::vector<Measurement> Runner::run(const std::vector<Point>& points) const {
    std::vector<Measurement> results(points.size());
    const bool all = in_threads(
        points.size(), m_jobs, [&](std::size_t i) { results[i] = measure(points[i]); },
        [&](std::size_t done) { return m_progress(m_part, done, points.size()); });
    if (!all) throw Interrupted();
    return results;
}

}  // namespace tlmetry::characterize
