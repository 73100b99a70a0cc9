// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/arrival.hpp>
#include <tlmetry/endpoint/batch_buffer.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// The buffer of a root port for the requests of its endpoint, which go on to the host in batches.
class RootPortRx {
public:
    RootPortRx(const Batching& batching, const Tuning& tuning)
        : m_buffer(batching.timeout_fs, batching.batch_time_fs) {
        tune(0, tuning);
    }

    void tune(time_fs t, const Tuning& tuning) {
        m_buffer.set_watermark(t, watermark_of_level[tuning[TuneEvent::rx_alloc_buf_level]]);
    }

    /// Requests on their way to the host, in order, each with the time at which it left the buffer.
    SlidingQueue<Arrival> released;

    /// Takes in, in order, what has come before time `before`, and lets everything leave that leaves before.
    /// `bytes` tells how long a request is on the link.
    template <class Bytes>
    void advance(SlidingQueue<Arrival>& arrivals, time_fs before, const Bytes& bytes) {
        for (;;) {
            const time_fs next = arrivals.empty() ? never : arrivals.front().at;
            if (std::min(next, m_buffer.next()) >= before) return;
            if (next <= m_buffer.next()) {
                m_held.push(arrivals.front());
                m_buffer.add(next, bytes(arrivals.front()));
                arrivals.pop();
            } else {
                release();
            }
        }
    }
    /// Takes out all that is held.
    template <class Take>
    void clear(const Take& take) {
        for (const Arrival& arrival : m_held)
            take(arrival);
        m_held.clear();
        m_buffer.clear();
    }
    /// Puts one back that clear() took out.
    void put_back(const Arrival& arrival, std::uint32_t bytes) {
        m_held.push(arrival);
        m_buffer.add(arrival.at, bytes);
    }
    const SlidingQueue<Arrival>& held() const { return m_held; }

    struct Statistics {
        std::uint64_t requests = 0;  ///< that have left it
        std::uint64_t batches = 0;
        std::uint64_t wait_fs = 0;  ///< of them, in it

        std::uint64_t mean_wait_fs() const { return requests == 0 ? 0 : wait_fs / requests; }
    };
    Statistics statistics() const {
        Statistics statistics = m_statistics;
        statistics.batches = m_buffer.batches();
        return statistics;
    }

private:
    void release() {
        const time_fs now = m_buffer.next();
        const std::size_t count = m_buffer.release();
        for (std::size_t i = 0; i < count; ++i) {
            Arrival& arrival = released.extend();
            arrival = m_held.front();
            m_held.pop();
            m_statistics.wait_fs += static_cast<std::uint64_t>(now - arrival.at);
            arrival.at = now;
        }
        m_statistics.requests += count;
    }

    SlidingQueue<Arrival> m_held;
    BatchBuffer m_buffer;
    Statistics m_statistics;
};

}  // namespace tlmetry::endpoint
