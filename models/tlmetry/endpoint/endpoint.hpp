// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/endpoint/arrival.hpp>
#include <tlmetry/endpoint/completion_buffer.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/cpu_traffic.hpp>
#include <tlmetry/endpoint/dllps.hpp>
#include <tlmetry/endpoint/down_stream.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>
#include <tlmetry/endpoint/read_latencies.hpp>
#include <tlmetry/endpoint/reads.hpp>
#include <tlmetry/endpoint/ready_queue.hpp>
#include <tlmetry/endpoint/request.hpp>
#include <tlmetry/endpoint/reset_domain.hpp>
#include <tlmetry/endpoint/root_port_rx.hpp>
#include <tlmetry/endpoint/root_port_tx.hpp>
#include <tlmetry/endpoint/rq_bus.hpp>
#include <tlmetry/endpoint/rq_steps.hpp>
#include <tlmetry/endpoint/tag_manager.hpp>
#include <tlmetry/endpoint/up_plan.hpp>
#include <tlmetry/endpoint/up_port.hpp>
#include <tlmetry/pcie/request_rules.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::endpoint {

/// One endpoint with its DMA ports, PTC, link and host, by the rules of README.md. Nothing ticks: every stage
/// computes when it takes what comes.
///
/// It goes forward in turns of at most horizon_fs(), see System: what it has granted since the end of the
/// turn before cannot come back within this one. The logs then hold what happened on the buses, and maybe
/// what has been decided but has not happened yet, until somebody takes it from them.
class Endpoint : private ReadListener {
public:
    /// `sources` has one for each port; they must live as long as this. Throws UserError for a configuration
    /// that validate() refuses.
    Endpoint(const Config& config, const ClockDomain& pcie, const ClockDomain& dma,
             const std::vector<RequestSource*>& sources);
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    /// Longest turn: nothing that is decided from its start on comes back from the host before its end, be it
    /// completions or credits.
    time_fs horizon_fs() const { return m_horizon; }
    /// Nothing that is decided at `t` or later arrives at the host before this time.
    time_fs next_arrival(time_fs t) const { return t + m_least_up; }

    /// The turn up to `end`: everything on the way down, then everything on the way up, that is decided
    /// before. Nobody looks at what is logged before time `look`. Requests that arrive before that may be
    /// told in `passed` instead of arrivals if the host takes `sums`: all those in there come first.
    void turn(time_fs end, time_fs look, bool sums);
    void turn(time_fs end) { turn(end, end, false); }

    /// Requests that have come to the host, to be taken behind each turn.
    struct Passed {
        RequestSum sum;
        SlidingQueue<ReadArrival> reads;
    };
    Passed passed;

    /// Requests on their way to the root port, in the order of their arrival.
    SlidingQueue<Arrival> arrivals;
    /// Those that the host gets, in order; to be taken from the front.
    SlidingQueue<Arrival>& requests() { return *m_requests; }
    /// Requests may wait in the root port: receive() must be called before they are looked at.
    bool holds_requests() const { return m_requests != &arrivals; }
    /// Everything up to time `before` has arrived at the root port, and waits there or goes on to the host.
    void receive(time_fs before);
    /// The host has the first data of the read with this tag at time `ready`; `never`: it will not answer,
    /// and the completion timeout ends the read.
    void answer(std::uint32_t tag, time_fs ready);
    /// Requests have arrived at the host, which come in order.
    template <class Thing>
    void arrived(const Thing* first, const Thing* last) {
        if (!m_acks_at_host) return;
        m_host_dllps.answer(HostDllps::ack, first, last);
    }
    /// The host has a finite receive buffer: it must be told when() requests have left it.
    bool has_credits() const { return m_config.link.has_credits(); }
    /// A request left the receive buffer of the host at time `freed`.
    void credits_back(time_fs freed, const Arrival& arrival) {
        m_steps.credits.give(freed + m_config.link.credit_update_latency_fs, arrival);
        const Link& link = m_config.link;
        if (arrival.read) {
            if (link.nonposted_headers != 0) m_host_dllps.answer(HostDllps::nonposted, freed);
        } else if (link.posted_headers != 0 || link.posted_data != 0) {
            m_host_dllps.answer(HostDllps::posted, freed);
        }
    }

    /// Frames and headers that are over while nobody looks may be logged by their sum, see LookCycles.
    void sum_frames(const LookCycles& pcie, const LookCycles& dma) {
        m_pcie_looks = pcie;
        m_dma_looks = dma;
        m_down.sum_frames(pcie, dma);
    }

    /// Reads that are granted from now on are told to `latencies`, which must live as long as this; null:
    /// nobody is told.
    void watch(ReadLatencies* latencies) { m_latencies = latencies; }

    /// TLPs that the root port sends are appended to `sent` from now on, in order, as those of endpoint
    /// `number`; null: to nothing. They are told before they are through, and taken back if a reset stops
    /// them.
    void watch_sent(std::vector<LinkTlp>* sent, std::uint16_t number) {
        m_sent = sent;
        m_number = number;
    }
    /// The same for completions of reads of the processor that arrive at the root port.
    void watch_answers(std::vector<LinkTlp>* answers) { m_answers = answers; }
    /// The same for requests that arrive at a root port in which they may wait.
    void watch_received(std::vector<LinkTlp>* received) { m_received = received; }

    /// The root port has these levels from time `t` on, up to which all turns have been taken.
    void tune(time_fs t, const Tuning& tuning);
    const Tuning& tuning() const { return m_tuning; }

    /// A call at time `t` changes something: nothing that it concerns is decided before. To be told again
    /// from there.
    void expect_change(time_fs t) {
        m_pcie_limit = t == never ? never : m_pcie.first_at_or_after(t);
        m_dma_limit = t == never ? never : m_dma.first_at_or_after(t);
    }
    /// From time `t`, up to which all turns have been taken, until `until`: the PTC is in reset, and so is
    /// who is at its side in `domain`. What was under way is lost.
    void reset(time_fs t, time_fs until, ResetDomain domain = ResetDomain::both);
    /// From time `t`, up to which all turns have been taken, until `until` the link is down: what is on it is
    /// lost, what waits before it waits on. Reads that lose their request or their completions end by their
    /// timeout. Only with Link::goes_down.
    void link_down(time_fs t, time_fs until);
    /// TLPs that come to the link from now on take so long: time of a byte in 2^-16 fs. DLLPs are sent after
    /// an interval like Link::dllp_interval_fs.
    void set_rates(std::uint64_t up, std::uint64_t down, time_fs dllp_interval_fs) {
        m_rq.link.set_byte_time(up);
        m_link_down.set_byte_time(down);
        m_acks.set_interval(dllp_interval_fs);
        m_host_dllps.set_interval(dllp_interval_fs);
    }

    const Config& config() const { return m_config; }
    const Edges& pcie() const { return m_pcie; }
    const Edges& dma() const { return m_dma; }

    // What the observers look at.
    MfbLog& rq() { return m_rq.log; }
    /// A word is presented on RQ since then and may not move, as far as is known; else `never`.
    const cycle_t& rq_waiting() const { return m_steps.waiting; }
    MfbLog& rc() { return m_down.rc; }
    UpPort& up(std::uint32_t port) { return m_up[port]; }
    const UpPort& up(std::uint32_t port) const { return m_up[port]; }
    DownPort& down(std::uint32_t port) { return m_down.ports[port]; }
    TagManager& tag_manager() { return m_manager; }
    const TagManager& tag_manager() const { return m_manager; }
    DownStream& down_stream() { return m_down; }
    const DownStream& down_stream() const { return m_down; }

    struct Statistics {
        std::uint64_t reads = 0;
        std::uint64_t read_bytes = 0;
        std::uint64_t writes = 0;
        std::uint64_t write_bytes = 0;
        std::uint64_t completions = 0;
        std::uint64_t completion_bytes = 0;
        /// Completions that the PCIe core had no room for, or for one before them.
        std::uint64_t completions_lost = 0;
        std::uint64_t completion_bytes_lost = 0;
        std::uint64_t reads_done = 0;
        std::uint64_t reads_timed_out = 0;
        std::uint64_t reads_reset = 0;     ///< lost in a reset
        std::uint64_t requests_reset = 0;  ///< lost in a reset before they were sent
        std::uint64_t writes_dropped = 0;  ///< on a link that went down, or in a reset
        std::uint64_t write_bytes_dropped = 0;
        std::uint64_t malformed = 0;
        std::uint64_t credit_wait_fs = 0;  ///< that TLPs could have been sent but for their credits
        std::uint64_t unbound = 0;         ///< requests for which nothing finite was looked at twice
        std::uint64_t planned = 0;         ///< of them, those whose way to RQ was planned
        std::uint64_t lagged = 0;          ///< turns behind which completions waited, see may_lag()
    };
    const Statistics& statistics() const { return m_statistics; }
    /// Payload of writes that have been passed to the link and that the host has not seen.
    std::uint64_t write_bytes_under_way() const;
    /// What does not add up, in one sentence; empty as long as every read that was sent is done, lost or
    /// under way, and exactly those hold tags and words.
    std::string unbalanced() const;
    const RootPortTx& root_port_tx() const { return m_tx; }
    const RootPortRx& root_port_rx() const { return m_rx; }
    const CpuTraffic& cpu() const { return m_cpu; }
    /// What goes to the endpoint waits in the root port and shares the link by its kind.
    bool uses_root_port_tx() const { return m_tx_on; }
    /// TLPs of the processor on the link down, and their completions on the link up, in bytes.
    std::uint64_t native_bytes_down() const {
        return m_tx.statistics(RootPortTx::nonposted).bytes + m_tx.statistics(RootPortTx::posted).bytes;
    }
    std::uint64_t native_bytes_up() const { return m_native_bytes_up; }
    const LinkDirection& link_up() const { return m_rq.link; }
    const LinkDirection& link_down() const { return m_link_down; }

private:
    /// A read that ends by its timeout.
    struct Lost {
        cycle_t at = 0;  // P
        std::uint32_t tag = 0;
        bool operator<(const Lost& other) const { return at != other.at ? at > other.at : tag > other.tag; }
    };

    void reads_done(const DoneRead* first, const DoneRead* last) override;
    void before_header(cycle_t left) override {
        if (!m_lost.empty()) end_lost_reads(left + 1);
    }

    /// Sends the Acks of completions that were due before requests were offered at time `offered`.
    void send_acks(time_fs offered) {
        for (; m_acks.due() <= offered; m_acks.sent())
            m_rq.link.send_dllp(m_acks.due());
    }
    void lose(std::uint32_t tag, cycle_t known = 0);
    void drop(const RqSteps::Writes& writes) {
        m_statistics.writes_dropped += writes.count;
        m_statistics.write_bytes_dropped += writes.bytes;
    }
    void end_lost_reads(cycle_t before);
    void complete_before(time_fs end);
    void complete_row(time_fs from, time_fs end);
    bool may_lag() const;
    void pass_row();
    // The way through the transmitter of the root port, and traffic of the processor, root_port.cpp.
    void complete_through_tx(time_fs end);
    void add_completions(ReadyQueue::Item ready);
    void add_request_of_cpu(time_fs at, bool read);
    void send_from_tx(time_fs start);
    void send_request_of_cpu(const RootPortTx::Tlp& tlp, bool read, time_fs through);
    void send_answers();
    void hold_requests();
    void acknowledge_answers(time_fs before);
    void interrupt_root_port(time_fs t, time_fs until, time_fs timeout);
    void lose_held_reads(cycle_t now);
    static void take_back(std::vector<LinkTlp>* tlps, time_fs t);
    std::uint32_t tlp_bytes(const Arrival& request) const {
        const Link& link = m_config.link;
        return request.read ? link.read_overhead
                            : link.write_overhead + link.payload(request.address, request.length);
    }
    /// The next completion of a read.
    struct Part {
        std::uint64_t address = 0;
        std::uint32_t length = 0;
        std::uint32_t bytes = 0;  ///< on the link
        std::uint32_t left = 0;   ///< of the read behind it
    };
    Part cut(Read& read) const {
        const Link& link = m_config.link;
        const auto offset = static_cast<std::uint32_t>(read.address & (m_config.host.completion_bytes - 1));
        const std::uint32_t to_boundary = m_config.host.completion_bytes - offset;
        Part part;
        part.address = read.address;
        part.length = choose(to_boundary < read.length, to_boundary, read.length);
        part.bytes = link.payload(part.address, part.length) +
                     (link.analytic_completions && offset != 0 ? 0 : link.completion_overhead);
        read.address += part.length;
        read.length -= part.length;
        part.left = read.length;
        return part;
    }
    void complete(std::uint32_t tag, const Part& part, time_fs through);
    bool keep(std::uint32_t tag, time_fs t);
    void tell_granted(const Granted& granted);
    bool pass_granted(cycle_t pcie_end, cycle_t dma_end);
    // The way past everything that cannot bind, unbound.cpp.
    struct Flow;
    static bool may_be_unbound(const Config& config);
    void pass_unbound(cycle_t pcie_end, cycle_t dma_end);
    template <class Count>
    bool pass_group(Flow& flow, const Request* first, Count count, cycle_t presented, time_fs time);
    // The same for requests that have been planned, planned.cpp.
    bool pass_planned(cycle_t pcie_end, cycle_t dma_end);
    bool plan_ahead();
    void drop_plan();
    struct Batch;
    std::size_t pass_batch(std::size_t count);
    void take_tags(Batch& batch);
    void send_batch(Batch& batch);
    bool send_in_lanes(Batch& batch);
    void hand_over(const Batch& batch);
    void log_batch(const Batch& batch);
    void log_up_frames(const cycle_t* presented, std::size_t count);
    void log_rq_frames(const cycle_t* available, std::size_t count);
    /// A request is at the host at time `at`.
    void add_arrival(const Request& request, std::uint32_t tag, time_fs at) {
        describe(arrivals.extend(), request, tag, at);
    }
    void describe(Arrival& arrival, const Request& request, std::uint32_t tag, time_fs at) {
        const Ptc& ptc = m_config.ptc;
        arrival.at = at;
        arrival.address = request.address;
        arrival.length = request.length;
        arrival.tag = static_cast<std::uint16_t>(tag);
        arrival.read = request.read;
        arrival.flags = request.flags;
        arrival.malformed = !pcie::is_well_formed(request.address, request.length,
                                                  request.read ? ptc.mrrs_bytes : ptc.mps_bytes);
        m_statistics.malformed += arrival.malformed;
    }
    void step(const UpPort::Slot& slot, cycle_t available, std::uint64_t number, const Granted& group,
              bool by_payload);
    bool pass_steps(cycle_t pcie_end, time_fs end);
    bool pass(const Granted& group);
    RqBus::Passage send(const UpPort::Slot& slot, cycle_t available);

    const Config m_config;
    Edges m_pcie;
    Edges m_dma;
    bool m_in_steps;     // RQ and the link are those of m_steps
    time_fs m_least_up;  // from a decision to the arrival of a request
    time_fs m_horizon;
    cycle_t m_pcie_limit = never;  // see expect_change()
    cycle_t m_dma_limit = never;
    // More cycles than from the end of a turn to anything that is decided in it.
    static constexpr cycle_t far_cycles = 4096;
    bool m_may_be_unbound;  // pass_unbound() can be of use
    cycle_t m_most_cycles;  // UpPlan::most_cycles()
    std::unique_ptr<UpPlan> m_plan;
    std::uint64_t m_planned_next = 0;  // the number at its port of the next request of the plan
    std::uint64_t m_plan_again = 0;    // and of the first of which a plan may be made
    std::uint64_t m_plan_pause = 0;
    time_fs m_summed = 0;  // of this turn
    LookCycles m_pcie_looks;
    LookCycles m_dma_looks;

    Reads m_reads;
    std::vector<UpPort> m_up;
    bool m_all_open = true;  // no source has to be told what becomes of its reads
    TagManager m_manager;
    RqBus m_rq;
    DllpTimer m_acks;        // of completions
    HostDllps m_host_dllps;  // on the link down
    time_fs m_dllp_lag;      // of these, so that they are known in time
    RqSteps m_steps;
    SlidingQueue<Granted> m_waiting;  // granted groups whose payload is not there yet
    Blocks m_region_items;            // of RQ
    cycle_t m_last_headers = -1;      // when the group before was available to RQ
    ReadyQueue m_ready;
    std::vector<Lost> m_lost;  // a heap
    LinkDirection m_link_down;
    std::vector<DownStream::Completion> m_row;
    std::size_t m_row_count = 0;  // of completions that wait behind the link
    cycle_t m_told = 0;           // what has left before that P cycle has been told
    DownStream m_down;
    CompletionBuffer m_buffer;
    static constexpr cycle_t whole = -1;
    // By tag: the P cycle from which on it is known that a completion of the read was lost, the last of them.
    std::vector<cycle_t> m_cut_short;
    Statistics m_statistics;
    ReadLatencies* m_latencies = nullptr;
    std::vector<LinkTlp>* m_sent = nullptr;
    std::uint16_t m_number = 0;  // of this endpoint, for m_sent and the like

    // The root port, where it is more than a wire.
    bool m_tx_on;
    Tuning m_tuning;
    RootPortTx m_tx;
    RootPortRx m_rx;
    SlidingQueue<Arrival>* m_requests = &arrivals;
    bool m_acks_at_host;  // what arrives there is to be acknowledged, and has not been before
    CpuTraffic m_cpu;
    std::uint64_t m_native_bytes_up = 0;
    std::vector<LinkTlp>* m_answers = nullptr;
    std::vector<LinkTlp>* m_received = nullptr;
};

/// A completion has been sent.
[[gnu::always_inline]] inline void Endpoint::complete(std::uint32_t tag, const Part& part, time_fs through) {
    ++m_statistics.completions;
    m_statistics.completion_bytes += part.length;
    if (m_sent != nullptr) {
        m_sent->push_back({through, part.address, part.length, part.left + part.length,
                           static_cast<std::uint16_t>(tag), m_number, LinkTlp::Kind::completion});
    }
    const bool last = part.left == 0;
    const time_fs arrival = through + m_config.link.propagation_fs;
    m_acks.answer(arrival);
    if (!m_buffer.finite() || keep(tag, arrival)) {
        const DownStream::Completion completion{arrival, part.address, part.length,
                                                static_cast<std::uint16_t>(tag), last};
        m_down.arrive(&completion, &completion + 1);
        if (m_buffer.finite()) m_buffer.add(m_pcie.time_of(m_down.rc_moved()));
    } else {
        m_statistics.completion_bytes_lost += part.length;
        if (last) lose(tag, m_cut_short[tag]);
    }
}

}  // namespace tlmetry::endpoint
