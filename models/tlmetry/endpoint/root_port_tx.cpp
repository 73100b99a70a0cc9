// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/root_port_tx.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

namespace {

constexpr TuneEvent weight_events[] = {TuneEvent::qos_tx_cpl, TuneEvent::qos_tx_np, TuneEvent::qos_tx_p};
// A multiple of every weight.
constexpr std::uint64_t one = weight_of_level[ptt::highest_level];

}  // namespace

RootPortTx::RootPortTx(const Batching& batching, const Tuning& tuning)
    : m_queues{Queue(batching), Queue(batching), Queue(batching)} {
    tune(0, tuning);
}

void RootPortTx::tune(time_fs t, const Tuning& tuning) {
    for (std::size_t k = 0; k < kinds; ++k) {
        m_queues[k].per_byte = one / weight_of_level[tuning[weight_events[k]]];
        m_queues[k].buffer.set_watermark(t, watermark_of_level[tuning[TuneEvent::tx_alloc_buf_level]]);
    }
}

void RootPortTx::add(Kind kind, const Tlp& tlp) {
    Queue& queue = m_queues[kind];
    m_now = tlp.at;
    queue.tlps.push(tlp);
    queue.buffer.add(tlp.at, tlp.bytes);
    ++queue.statistics.came;
}

time_fs RootPortTx::next_release() const {
    time_fs next = never;
    for (const Queue& queue : m_queues)
        next = std::min(next, queue.buffer.next());
    return next;
}

void RootPortTx::release(time_fs free) {
    m_now = next_release();
    for (Queue& queue : m_queues) {
        while (queue.buffer.next() == m_now)
            release(queue, free);
    }
}

void RootPortTx::release(Queue& queue, time_fs free) {
    if (m_released == 0 && free <= m_now) {
        // The link was idle: nothing of what was sent before counts.
        for (const Queue& each : m_queues)
            m_virtual = std::max(m_virtual, each.start);
    }
    if (queue.released == 0) queue.start = std::max(queue.start, m_virtual);
    const std::size_t count = queue.buffer.release();
    for (std::size_t i = queue.released; i < queue.released + count; ++i)
        queue.tlps[i].released = m_now;
    queue.released += count;
    m_released += count;
}

RootPortTx::Tlp RootPortTx::take(time_fs start, Kind& kind) {
    std::size_t best = kinds;
    for (std::size_t k = 0; k < kinds; ++k) {
        if (m_queues[k].released != 0 && (best == kinds || m_queues[k].start < m_queues[best].start))
            best = k;
    }
    Queue& queue = m_queues[best];
    kind = static_cast<Kind>(best);
    const Tlp tlp = queue.tlps.front();
    queue.tlps.pop();
    --queue.released;
    --m_released;
    m_virtual = queue.start;
    queue.start += tlp.bytes * queue.per_byte;
    m_now = start;
    ++queue.statistics.tlps;
    queue.statistics.bytes += tlp.bytes;
    queue.statistics.wait_fs += static_cast<std::uint64_t>(start - tlp.at);
    return tlp;
}

RootPortTx::Statistics RootPortTx::statistics(Kind kind) const {
    Statistics statistics = m_queues[kind].statistics;
    statistics.batches = m_queues[kind].buffer.batches();
    return statistics;
}

}  // namespace tlmetry::endpoint
