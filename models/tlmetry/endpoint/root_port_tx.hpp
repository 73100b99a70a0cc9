// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/batch_buffer.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/tuning.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// The transmitter of a root port: what goes to the endpoint waits here by its kind, first in a buffer with a
/// watermark, then for the link, which the kinds share by their weights.
///
/// The kind is sent next whose bytes so far, each divided by the weight of its time, are the least:
/// start-time fair queueing. One that had nothing to send begins where the others are, so that it saves up
/// nothing.
///
/// Whatever it is told comes in the order of time; of equal times first what comes in, then batches, then
/// what is sent.
class RootPortTx {
public:
    enum Kind : std::size_t { completion, nonposted, posted };
    static constexpr std::size_t kinds = 3;

    struct Tlp {
        time_fs at = 0;        ///< since when it is here
        time_fs released = 0;  ///< since when it waits for the link
        std::uint64_t address = 0;
        std::uint32_t length = 0;  ///< bytes that it asks for or carries
        std::uint32_t bytes = 0;   ///< on the link
        std::uint32_t left = 0;    ///< of its read behind it; of completions
        std::uint16_t tag = 0;
    };

    RootPortTx(const Batching& batching, const Tuning& tuning);

    /// Its own levels from time `t` on.
    void tune(time_fs t, const Tuning& tuning);

    /// A TLP comes at its time `at`.
    void add(Kind kind, const Tlp& tlp);
    /// When the next batch leaves its buffer, if nothing else comes before.
    time_fs next_release() const;
    /// These batches leave. The link is free from time `free` on.
    void release(time_fs free);
    /// When the next TLP is sent on a link that is free from time `free` on, if nothing else comes before.
    time_fs next_send(time_fs free) const { return m_released == 0 ? never : std::max(free, m_now); }
    /// Takes it out to be sent at time `start`, which is next_send().
    Tlp take(time_fs start, Kind& kind);

    /// Time of the last thing that happened here.
    time_fs now() const { return m_now; }
    /// TLPs of a kind that have not been sent.
    std::size_t waiting(Kind kind) const { return m_queues[kind].tlps.size(); }
    /// Takes all out.
    template <class Take>
    void clear(const Take& take) {
        for (std::size_t k = 0; k < kinds; ++k) {
            Queue& queue = m_queues[k];
            for (const Tlp& tlp : queue.tlps)
                take(static_cast<Kind>(k), tlp);
            queue.statistics.lost += queue.tlps.size();
            queue.tlps.clear();
            queue.buffer.clear();
            queue.released = 0;
        }
        m_released = 0;
    }

    struct Statistics {
        std::uint64_t tlps = 0;   ///< sent
        std::uint64_t bytes = 0;  ///< of them on the link
        std::uint64_t batches = 0;
        std::uint64_t wait_fs = 0;  ///< of TLPs sent, from when they came until they were sent
        std::uint64_t came = 0;
        std::uint64_t lost = 0;  ///< that waited when the link went down, or in a reset

        std::uint64_t mean_wait_fs() const { return tlps == 0 ? 0 : wait_fs / tlps; }
    };
    Statistics statistics(Kind kind) const;

private:
    struct Queue {
        explicit Queue(const Batching& b) : buffer(b.timeout_fs, b.batch_time_fs) {}
        SlidingQueue<Tlp> tlps;
        std::size_t released = 0;  // of them, from the front
        BatchBuffer buffer;        // of the others
        // Bytes sent by weight, with what was not saved up: where the next TLP starts.
        std::uint64_t start = 0;
        std::uint64_t per_byte = 1;
        Statistics statistics;
    };
    void release(Queue& queue, time_fs free);

    std::array<Queue, kinds> m_queues;
    std::size_t m_released = 0;   // of all kinds
    std::uint64_t m_virtual = 0;  // start of the TLP that was sent last
    time_fs m_now = 0;
};

}  // namespace tlmetry::endpoint
