// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/card/dma_source.hpp"

#include <algorithm>
#include <functional>

namespace tlmetry::card {

DmaSource::DmaSource(const generator::Config& config, std::uint64_t seed, std::string_view name)
    : m_stream(config, seed, name),
      m_closed(config.outstanding_max != 0),
      m_open(!m_closed && config.trace_file.empty()),
      m_request_by_request(config.request_by_request),
      m_gap_fs(config.gap_fs),
      m_gap_fs_per_byte(config.gap_fs_per_byte),
      m_room(config.outstanding_max, 0) {}

std::size_t DmaSource::fetch(endpoint::Request* out, std::size_t most, time_fs now) {
    const std::size_t count = m_closed ? fetch_closed(out, most, now) : m_stream.fill(out, most, now);
    m_requests += count;
    return count;
}

std::size_t DmaSource::fetch_closed(endpoint::Request* out, std::size_t most, time_fs now) {
    std::size_t count = 0;
    for (; count < most && !m_stream.empty(); ++count) {
        const endpoint::Request& front = m_stream.front();
        if (!m_inside && !start_operation(front, m_requests + count, now)) break;
        out[count] = front;
        out[count].arrival = m_start;
        taken(front);
        m_stream.pop();
    }
    return count;
}

/// Finds out when an operation starts whose first request is the `number`-th, if that is before `now`.
bool DmaSource::start_operation(const endpoint::Request& front, std::uint64_t number, time_fs now) {
    // What room opens later may open before the earliest that is known.
    if (front.arrival >= now || m_room.empty() || m_room.front() >= now) return false;
    m_start = std::max(front.arrival, m_room.front());
    std::pop_heap(m_room.begin(), m_room.end(), std::greater<>());
    m_room.pop_back();
    m_bytes = 0;
    if (front.read) m_reading.push_back({number, 1, 0});
    return true;
}

void DmaSource::taken(const endpoint::Request& request) {
    m_bytes += request.length;
    m_inside = !m_request_by_request && (request.flags & generator::flag::last) == 0;
    if (request.read) {
        Operation& operation = m_reading.back();
        operation.bytes = m_bytes;
        operation.requests += m_inside ? 1 : 0;
    } else if (!m_inside) {
        make_room(m_start, m_bytes);
    }
}

void DmaSource::read_done(std::uint64_t number, time_fs t) {
    if (!m_closed) return;
    const auto behind = std::upper_bound(m_reading.begin(), m_reading.end(), number,
                                         [](std::uint64_t n, const Operation& o) { return n < o.first; });
    const auto operation = behind - 1;
    if (--operation->requests != 0) return;
    make_room(t, operation->bytes);
    m_reading.erase(operation);
}

void DmaSource::make_room(time_fs t, std::uint32_t bytes) {
    m_room.push_back(t + m_gap_fs + m_gap_fs_per_byte * bytes);
    std::push_heap(m_room.begin(), m_room.end(), std::greater<>());
}

}  // namespace tlmetry::card
