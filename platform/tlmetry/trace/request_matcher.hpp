// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/latency_histogram.hpp>
#include <tlmetry/trace/tlp_rules.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tlmetry::trace {

/// What one requester did.
struct RequesterCounts {
    std::uint16_t id = 0;
    std::uint64_t reads = 0;       ///< of memory
    std::uint64_t read_bytes = 0;  ///< asked for
    std::uint64_t writes = 0;
    std::uint64_t written_bytes = 0;
    std::uint64_t others = 0;  ///< requests
    std::uint64_t completions = 0;
    std::uint64_t completed_bytes = 0;
    std::uint64_t reads_done = 0;
    std::uint32_t outstanding = 0;  ///< non-posted requests
    std::uint32_t most_outstanding = 0;
    time_fs latency_sum_fs = 0;  ///< of the reads done, as far as it can be held
    time_fs least_latency_fs = never;
    time_fs most_latency_fs = 0;
};

/// Brings together non-posted requests and their completions, by requester and tag. Follows up to
/// max_requesters requesters, for constant memory.
class RequestMatcher {
public:
    static constexpr std::size_t max_requesters = 1024;

    /// `tick_fs` is the length of a tick of the trace, from 1 fs to 1 ms.
    RequestMatcher(time_fs tick_fs, ViolationLog& log);

    void add(const ptt::TracedTlp& tlp);

    /// Of memory reads: from the request to the first and to the last completion.
    const LatencyHistogram& first_latency() const { return m_first; }
    const LatencyHistogram& latency() const { return m_whole; }

    /// Non-posted requests that ended with another status than success.
    std::uint64_t refused() const { return m_refused; }
    std::uint64_t outstanding() const { return m_outstanding; }
    std::uint64_t most_outstanding() const { return m_most_outstanding; }

    /// Completions with a tag that no request has had so far: of requests from before the trace, or that were
    /// not traced.
    std::uint64_t unrequested() const { return m_unrequested; }

    /// TLPs of requesters beyond max_requesters.
    std::uint64_t not_followed() const { return m_not_followed; }

    /// Of all requesters followed, those that moved most first.
    std::vector<RequesterCounts> requesters() const;

private:
    struct Request {
        std::uint64_t time = 0;
        std::uint64_t next = 0;       // address, of a memory read
        std::uint32_t remaining = 0;  // bytes, of a memory read
        bool seen = false;            // the tag has been used
        bool active = false;
        bool read = false;
        bool begun = false;
    };
    struct Requester {
        RequesterCounts counts;
        std::array<Request, 1024> requests;  // by tag
    };

    Requester* find(std::uint16_t id);
    void add_request(Requester& requester, const ptt::TracedTlp& tlp);
    void add_completion(Requester& requester, const ptt::TracedTlp& tlp);
    bool add_data(Request& request, const ptt::TracedTlp& tlp);
    time_fs since(const Request& request, std::uint64_t time) const;

    time_fs m_tick_fs;
    ViolationLog& m_log;
    std::vector<std::unique_ptr<Requester>> m_requesters;
    std::vector<std::uint16_t> m_by_id;  // place in m_requesters, counted from 1; 0: none
    LatencyHistogram m_first;
    LatencyHistogram m_whole;
    std::uint64_t m_refused = 0;
    std::uint64_t m_outstanding = 0;
    std::uint64_t m_most_outstanding = 0;
    std::uint64_t m_unrequested = 0;
    std::uint64_t m_not_followed = 0;
};

}  // namespace tlmetry::trace
