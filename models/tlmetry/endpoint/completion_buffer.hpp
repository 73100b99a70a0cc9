// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// Headers of completions that the PCIe core holds from their arrival until they have moved on RC.
class CompletionBuffer {
public:
    /// 0: any number.
    explicit CompletionBuffer(std::uint32_t headers) : m_headers(headers) {}

    bool finite() const { return m_headers != 0; }
    /// There is room for one that arrives at time `t`. Times never go back.
    bool has_room(time_fs t) {
        while (!m_moved.empty() && m_moved.front() <= t)
            m_moved.pop();
        return m_moved.size() < m_headers;
    }
    /// One has arrived that moves on RC at time `moved`.
    void add(time_fs moved) { m_moved.push(moved); }
    void restart() { m_moved.clear(); }

private:
    std::uint32_t m_headers;
    SlidingQueue<time_fs> m_moved;
};

}  // namespace tlmetry::endpoint
