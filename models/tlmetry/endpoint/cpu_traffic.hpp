// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// What the processor asks of an endpoint: when, and with which addresses and tags. It waits while so many
/// packets of a kind have not been sent, and while all its tags are in use.
class CpuTraffic {
public:
    static constexpr std::size_t most_waiting = 32;

    explicit CpuTraffic(const Cpu& config);

    /// When the next one comes, seen from time `now`, if so many have not been sent; `never` if it waits.
    time_fs next_write(std::size_t waiting, time_fs now) const {
        return waiting < most_waiting ? std::max(m_writes.next, now) : never;
    }
    time_fs next_read(std::size_t waiting, time_fs now) const {
        return waiting < most_waiting ? std::max({m_reads.next, now, m_tag_free[m_tag]}) : never;
    }
    /// It comes at time `at`; tells its address.
    std::uint64_t write(time_fs at);
    std::uint64_t read(time_fs at, std::uint16_t& tag);

    /// The completion of a read is at the root port at time `at`, and the processor knows at time `known`.
    void answered(std::uint32_t tag, time_fs at, time_fs known);
    /// Completions that were at the root port before `before` are taken in order; `take` is called with the
    /// time of each.
    template <class Take>
    void pass_answers(time_fs before, const Take& take) {
        for (; !m_answers.empty() && m_answers.front().at < before; m_answers.pop())
            take(m_answers.front().at);
    }
    /// Nothing comes from time `t`, at which all reads are lost that have no answer yet, until `until`; their
    /// tags are free `timeout` after `t`.
    void interrupt(time_fs t, time_fs until, time_fs timeout);

    struct Statistics {
        std::uint64_t writes = 0;
        std::uint64_t reads = 0;
        std::uint64_t reads_done = 0;
        std::uint64_t reads_lost = 0;
    };
    const Statistics& statistics() const { return m_statistics; }
    std::uint64_t reads_under_way() const;

private:
    /// One kind of packets, evenly spread.
    struct Stream {
        Stream(std::uint64_t per_s, std::uint32_t bytes, const Cpu& config);
        std::uint64_t take(time_fs at);
        time_fs interval;
        std::uint64_t bytes;
        std::uint64_t window;
        std::uint64_t offset = 0;  // in the window
        time_fs next;              // not before
    };
    struct Answer {
        time_fs at = 0;
        std::uint32_t tag = 0;
    };
    void find_tag();

    Stream m_writes;
    Stream m_reads;
    std::uint32_t m_first_tag;
    std::vector<time_fs> m_tag_free;  // from there on: since when; never while its read is under way
    std::size_t m_tag = 0;            // the first of them
    SlidingQueue<Answer> m_answers;   // on the link, or not taken
    Statistics m_statistics;
};

}  // namespace tlmetry::endpoint
