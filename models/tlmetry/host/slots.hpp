// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tlmetry::host {

/// Places for a bounded number of things under way. The n-th thing takes the place of the one that came
/// `count` earlier, and waits for its end.
class Slots {
public:
    /// `count` of 0: any number.
    explicit Slots(std::size_t count) : m_free(count, 0) {}

    std::size_t count() const { return m_free.size(); }

    /// Something that can start at `earliest` and takes `duration`: when it starts.
    time_fs start(time_fs earliest, time_fs duration) {
        if (m_free.empty()) return earliest;
        time_fs& free = m_free[m_next];
        if (++m_next == m_free.size()) m_next = 0;
        const time_fs result = std::max(earliest, free);
        free = std::min(result + duration, never);
        return result;
    }

private:
    std::vector<time_fs> m_free;  // when each place is
    std::size_t m_next = 0;
};

}  // namespace tlmetry::host
