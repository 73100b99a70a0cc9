// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// When the packets of a buffer leave it that passes them on in batches: the packets in front up to the one
/// with which their bytes reach the watermark, as soon as they do; or all, when the first has waited for a
/// time. With a watermark of 0 each packet is a batch. Between two batches is at least their time.
///
/// It knows of packets by their sizes. Whatever it is told comes in the order of time.
class BatchBuffer {
public:
    BatchBuffer(time_fs timeout_fs, time_fs batch_time_fs)
        : m_timeout(timeout_fs), m_batch_time(batch_time_fs) {}

    /// A packet comes at time `at`.
    void add(time_fs at, std::uint32_t bytes) {
        m_packets.push({at, bytes});
        m_bytes += bytes;
        look(at);
    }
    /// When the next batch leaves if nothing else comes; `never`: nothing is here.
    time_fs next() const {
        if (m_packets.empty()) return never;
        return std::max(m_free, std::min(m_full, m_packets.front().at + m_timeout));
    }
    /// The next batch leaves, at next(); tells of how many packets it consists.
    std::size_t release() {
        const time_fs now = next();
        std::size_t count = 0;
        std::uint64_t bytes = 0;
        do {
            bytes += m_packets.front().bytes;
            m_packets.pop();
            ++count;
        } while (bytes < m_watermark && !m_packets.empty());
        m_bytes -= bytes;
        m_full = never;
        m_free = now + m_batch_time;
        look(now);
        ++m_batches;
        return count;
    }
    /// The watermark is so many bytes from time `t` on.
    void set_watermark(time_fs t, std::uint32_t bytes) {
        m_watermark = bytes;
        if (m_bytes < m_watermark) m_full = never;
        look(t);
    }
    void clear() {
        m_packets.clear();
        m_bytes = 0;
        m_full = never;
    }
    std::uint64_t batches() const { return m_batches; }

private:
    struct Packet {
        time_fs at = 0;
        std::uint32_t bytes = 0;
    };
    void look(time_fs t) {
        if (!m_packets.empty() && m_bytes >= m_watermark) m_full = std::min(m_full, t);
    }

    time_fs m_timeout;
    time_fs m_batch_time;
    std::uint32_t m_watermark = 0;
    SlidingQueue<Packet> m_packets;
    std::uint64_t m_bytes = 0;  // of them
    time_fs m_full = never;     // since when they reach the watermark
    time_fs m_free = 0;         // no batch leaves before
    std::uint64_t m_batches = 0;
};

}  // namespace tlmetry::endpoint
