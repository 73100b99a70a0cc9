// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/request_matcher.hpp"

#include <algorithm>

namespace tlmetry::trace {

namespace {

using tlp::Header;
using tlp::Kind;

constexpr std::uint64_t lower_address_range = 128;
constexpr std::uint64_t completion_boundary = 64;  // the smallest that there is
constexpr std::size_t ids = std::size_t{1} << 16;
constexpr std::uint16_t tag_mask = 0x3ff;

}  // namespace

RequestMatcher::RequestMatcher(time_fs tick_fs, ViolationLog& log)
    : m_tick_fs(tick_fs), m_log(log), m_by_id(ids) {}

void RequestMatcher::add(const ptt::TracedTlp& tlp) {
    Requester* const requester = find(tlp.header.requester);
    if (requester == nullptr)
        ++m_not_followed;
    else if (is_completion(tlp.header.kind))
        add_completion(*requester, tlp);
    else
        add_request(*requester, tlp);
}

RequestMatcher::Requester* RequestMatcher::find(std::uint16_t id) {
    std::uint16_t& place = m_by_id[id];
    if (place == 0) {
        if (m_requesters.size() == max_requesters) return nullptr;
        m_requesters.push_back(std::make_unique<Requester>());
        m_requesters.back()->counts.id = id;
        place = static_cast<std::uint16_t>(m_requesters.size());
    }
    return m_requesters[place - 1U].get();
}

void RequestMatcher::add_request(Requester& requester, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    RequesterCounts& counts = requester.counts;
    const bool read = is_memory_read(h.kind);
    if (read) {
        ++counts.reads;
        counts.read_bytes += h.length_bytes();
    } else if (h.kind == Kind::memory_write) {
        ++counts.writes;
        counts.written_bytes += h.payload_bytes();
    } else {
        ++counts.others;
    }
    if (h.category() != tlp::Category::non_posted) return;

    Request& request = requester.requests[h.tag & tag_mask];
    if (request.active) {
        m_log.add(Violation::tag_reused, tlp);
    } else {
        counts.most_outstanding = std::max(counts.most_outstanding, ++counts.outstanding);
        m_most_outstanding = std::max(m_most_outstanding, ++m_outstanding);
    }
    request = {};
    request.time = tlp.time;
    request.seen = request.active = true;
    request.read = read;
    if (read) {
        const ReadRange range = range_of_read(h);
        request.next = range.begin;
        request.remaining = range.bytes;
    }
}

void RequestMatcher::add_completion(Requester& requester, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    RequesterCounts& counts = requester.counts;
    ++counts.completions;
    counts.completed_bytes += h.payload_bytes();
    Request& request = requester.requests[h.tag & tag_mask];
    if (!request.seen) {
        ++m_unrequested;
        return;
    }
    if (!request.active) {
        m_log.add(Violation::completion_without_request, tlp);
        return;
    }
    const time_fs latency = since(request, tlp.time);
    const bool success = h.status == tlp::successful;
    if (request.read && success) {
        if (!request.begun) m_first.add(latency);
        request.begun = true;
        if (!add_data(request, tlp)) return;
        m_whole.add(latency);
        ++counts.reads_done;
        counts.latency_sum_fs += std::min(latency, never - counts.latency_sum_fs);
        counts.least_latency_fs = std::min(counts.least_latency_fs, latency);
        counts.most_latency_fs = std::max(counts.most_latency_fs, latency);
    }
    if (!success) ++m_refused;
    request.active = false;
    --counts.outstanding;
    --m_outstanding;
}

/// True if it is the last completion of the read.
bool RequestMatcher::add_data(Request& request, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    if (!h.byte_count_modified && h.byte_count != request.remaining) {
        m_log.add(Violation::byte_count, tlp);
        // Whatever happened, the rest may go on from here.
        request.next += request.remaining - h.byte_count;
        request.remaining = h.byte_count;
    } else if (h.lower_address != request.next % lower_address_range) {
        m_log.add(Violation::lower_address, tlp);
    }
    const std::uint32_t skipped = h.lower_address % 4;
    const std::uint32_t room = h.payload_bytes() - std::min(skipped, h.payload_bytes());
    if (room < request.remaining && room != 0) {
        request.next += room;
        request.remaining -= room;
        if (request.next % completion_boundary != 0) m_log.add(Violation::completion_boundary, tlp);
        return false;
    }
    if (h.payload_bytes() != (skipped + request.remaining + 3) / 4 * 4)
        m_log.add(Violation::completion_length, tlp);
    return true;
}

time_fs RequestMatcher::since(const Request& request, std::uint64_t time) const {
    const std::uint64_t ticks = time - std::min(time, request.time);
    const auto most = static_cast<std::uint64_t>((never - 1) / m_tick_fs);
    return static_cast<time_fs>(std::min(ticks, most)) * m_tick_fs;
}

std::vector<RequesterCounts> RequestMatcher::requesters() const {
    std::vector<RequesterCounts> result;
    result.reserve(m_requesters.size());
    for (const auto& requester : m_requesters)
        result.push_back(requester->counts);
    const auto bytes = [](const RequesterCounts& counts) {
        return std::max(counts.read_bytes, counts.completed_bytes) + counts.written_bytes;
    };
    std::sort(result.begin(), result.end(), [&](const RequesterCounts& a, const RequesterCounts& b) {
        return bytes(a) != bytes(b) ? bytes(a) > bytes(b) : a.id < b.id;
    });
    return result;
}

}  // namespace tlmetry::trace
