// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/system.hpp>
#include <tlmetry/host/ceiling.hpp>
#include <tlmetry/host/commit_backlog.hpp>
#include <tlmetry/host/config.hpp>
#include <tlmetry/host/io_tlb.hpp>
#include <tlmetry/host/latency_table.hpp>
#include <tlmetry/host/slots.hpp>
#include <tlmetry/host/statistics.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace tlmetry::host {

using endpoint::no_snoop;
using endpoint::relaxed_ordering;

/// Any number as 64 random bits (splitmix64).
inline std::uint64_t random_bits(std::uint64_t number) {
    number = (number ^ number >> 30) * 0xBF58'476D'1CE4'E5B9;
    number = (number ^ number >> 27) * 0x94D0'49BB'1331'11EB;
    return number ^ number >> 31;
}

/// Root complex and host memory behind all endpoints, by the rules of README.md. It is told of requests in
/// the order of their arrival and knows at once what becomes of them: it has no events, only times from which
/// things are free.
class RootComplex : public endpoint::HostModel {
public:
    /// Equal `seed` and `name` give equal random numbers. Throws UserError for a configuration that
    /// validate() refuses, for a mistake in its histogram, and if a read could be ready before it arrives.
    RootComplex(const Config& config, std::uint32_t endpoints, std::uint64_t seed,
                std::string_view name = "host");

    /// No read is ready earlier after its arrival, nor after any of the changes that are scheduled. What an
    /// endpoint takes as its Host::least_latency_fs must not be more.
    time_fs least_latency_fs() const { return m_least; }

    /// From `at` on requests meet `config`; what has arrived before stays as it is. Translations are kept if
    /// the IO-TLB keeps its shape. Throws UserError like the constructor; `at` must not be before that of any
    /// request seen so far.
    void change_at(time_fs at, const Config& config);

    /// When the first line of the data is ready; `never` if its completion gets lost.
    time_fs read(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;
    std::size_t serve(std::uint32_t endpoint, const endpoint::Arrival* first, const endpoint::Arrival* last,
                      endpoint::Answer* answers) override;
    bool takes_sums(time_fs from, time_fs before) const override;
    void serve_sum(std::uint32_t endpoint, const endpoint::RequestSum& sum,
                   const endpoint::ReadArrival* reads, std::size_t count, endpoint::Answer* answers) override;
    void write(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;
    void dropped(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;
    /// Nothing but its latency concerns a request.
    bool is_in_any_order(time_fs before) const override { return m_plain && before <= m_next_change; }
    /// A write leaves the receive buffer when it is committed, a read when its last line has been started.
    time_fs freed(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;

    /// When a line of the data of the last read, from 0, is ready (also if it gets lost). Lines count from
    /// the one with its first byte and never become ready before one in front. Not to be asked after a write.
    time_fs line_ready(std::uint32_t line) const {
        return m_plain ? m_last.ready : constrained_line_ready(line);
    }
    /// When the last write of the endpoint is committed, and its place in the buffers is free.
    time_fs last_commit(std::uint32_t endpoint) const { return m_ports[endpoint].last_commit; }

    /// Payload of an endpoint's writes that is committed at time `t`: to a microsecond, and where nothing
    /// holds writes back at once.
    std::uint64_t committed_bytes(std::uint32_t endpoint, time_fs t) const {
        const Port& port = m_ports[endpoint];
        return port.statistics.write_bytes - port.backlog.after(t);
    }

    /// Of one endpoint, and of all.
    const Statistics& statistics(std::uint32_t endpoint) const { return m_ports[endpoint].statistics; }
    Statistics total() const;

private:
    enum Place : std::size_t { memory, cache, remote };

    struct Port {
        explicit Port(std::size_t lines_in_flight) : lines(lines_in_flight) {}
        Statistics statistics;
        time_fs reads_ready = 0;            // all data of all reads so far
        time_fs writes_committed = -never;  // all writes so far
        time_fs last_commit = 0;
        CommitBacklog backlog;
        Slots lines;
        std::uint64_t reads = 0;  // so far, the number of the next
        std::uint64_t key = 0;    // of its random words
        // Of the reads whose numbers differ in the low bits only: drawn in blocks they overlap, which halves
        // the cost.
        std::array<time_fs, 64> latencies{};
        std::uint64_t drawn = 0;  // the first read that has none yet
    };
    struct Change {
        time_fs at;
        Config config;
        LatencyTable latency;
    };
    /// What line_ready() is made from.
    struct Last {
        time_fs ready = 0;
        time_fs translated = 0;
        time_fs latency = 0;
        time_fs not_before = 0;
        bool from_memory = true;
    };

    static Change checked(time_fs at, const Config& config);
    void apply(const Change& change);
    void apply_changes(time_fs t);
    time_fs read_after_changes(std::uint32_t endpoint, const endpoint::Arrival& arrival);
    /// Random word of a read, by its endpoint and its number there: the same whatever is asked of others.
    static std::uint64_t word(const Port& port, std::uint64_t number) {
        return random_bits(port.key + number * 0x9E37'79B9'7F4A'7C15);
    }
    void draw_latencies(Port& port) const;
    /// Of the next read of the endpoint at `port`.
    time_fs latency_ahead(Port& port) const {
        if (port.reads == port.drawn) draw_latencies(port);
        return port.latencies[port.reads % port.latencies.size()];
    }
    time_fs next_latency(Port& port) {
        const time_fs latency = latency_ahead(port);
        ++port.reads;
        ++m_reads;
        return latency;
    }
    std::size_t serve_plain(Port& port, const endpoint::Arrival* first, const endpoint::Arrival* last,
                            endpoint::Answer* answers);
    time_fs constrained_read(Port& port, const endpoint::Arrival& arrival, std::uint32_t lines,
                             time_fs latency);
    time_fs translate(Statistics& statistics, const endpoint::Arrival& arrival);
    Place place_of(std::uint64_t random) const;
    time_fs memory_start(std::uint32_t line) const;
    time_fs line_start(std::uint32_t line) const;
    time_fs constrained_line_ready(std::uint32_t line) const;
    bool lost(std::uint64_t random);

    Config m_config;
    LatencyTable m_latency;
    time_fs m_least = never;
    std::deque<Change> m_changes;
    time_fs m_next_change = never;

    // Derived from the configuration.
    bool m_plain = true;  // nothing but the latency concerns a read
    bool m_writes_plain = true;
    bool m_limited = false;
    bool m_one_place = true;
    std::array<time_fs, 3> m_added{};
    std::uint64_t m_cache_limit = 0;  // 2^-32
    std::uint64_t m_remote_limit = 0;

    IoTlb m_iotlb;
    Slots m_walks;
    Ceiling m_memory_reads;
    Ceiling m_memory_writes;
    SharedCeiling m_memory;
    std::vector<Port> m_ports;
    std::vector<time_fs> m_line_starts;  // of the last read, while lines in flight are bounded
    Last m_last;
    std::uint64_t m_reads = 0;  // of all endpoints so far
    std::size_t m_next_lost = 0;
};

}  // namespace tlmetry::host
