// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/card/dma_source.hpp"

#include <algorithm>
#include <functional>

namespace tlmetry::card {

DmaSource::DmaSource(const generator::Config& config, std::uint32_t read_window, std::uint64_t seed,
                     std::string_view name)
    : m_stream(config, seed, name),
      m_window_left(read_window),
      m_closed(config.outstanding_max != 0),
      m_gap_fs(config.gap_fs),
      m_gap_fs_per_byte(config.gap_fs_per_byte),
      m_room(config.outstanding_max, 0) {}

bool DmaSource::next(endpoint::Request& request, time_fs now) {
    if (m_at == m_end) {
        m_at = 0;
        m_end = m_stream.fill(m_block.data(), block);
        if (m_end == 0) return false;
    }
    const generator::Request& front = m_block[m_at];
    if (!find_start(front, now)) return false;
    request.arrival = m_start;
    request.address = front.address;
    request.length = front.length;
    request.read = front.read;
    request.flags = front.flags;
    if (m_closed) taken(front);
    ++m_statistics.requests;
    m_statistics.operations += (front.flags & generator::flag::last) != 0;
    ++m_at;
    return true;
}

/// Finds out when a request starts, if that is before `now`: what comes later need not be known yet.
bool DmaSource::find_start(const generator::Request& front, time_fs now) {
    if (m_inside) return true;
    if (front.arrival >= now) return false;
    if (m_closed) return start_operation(front, now);
    m_start = front.arrival;
    if (!front.read) return true;
    if (m_window_left != 0) {
        --m_window_left;
        return true;
    }
    if (m_done.empty() || m_done.front() >= now) return false;
    m_start = std::max(m_start, m_done.front());
    m_done.pop();
    return true;
}

bool DmaSource::start_operation(const generator::Request& front, time_fs now) {
    // What room opens later may open before the earliest that is known.
    if (m_room.empty() || m_room.front() >= now) return false;
    m_start = std::max(front.arrival, m_room.front());
    std::pop_heap(m_room.begin(), m_room.end(), std::greater<>());
    m_room.pop_back();
    m_bytes = 0;
    if (front.read) m_reading.push_back({m_statistics.requests, 1, 0});
    return true;
}

void DmaSource::taken(const generator::Request& request) {
    m_bytes += request.length;
    m_inside = (request.flags & generator::flag::last) == 0;
    if (request.read) {
        Operation& operation = m_reading.back();
        operation.bytes = m_bytes;
        operation.requests += m_inside ? 1 : 0;
    } else if (!m_inside) {
        make_room(m_start, m_bytes);
    }
}

void DmaSource::read_done(std::uint64_t number, time_fs t) {
    if (!m_closed) {
        m_done.push(t);
        return;
    }
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
