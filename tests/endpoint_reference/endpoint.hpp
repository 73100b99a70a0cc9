// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "endpoint_reference/endpoint_config.hpp"
#include "endpoint_reference/frame_bus.hpp"

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace tlmetry::reference {

/// What became of a request; -1: not yet. P cycles.
struct RequestEvents {
    std::int64_t granted = -1;
    std::int64_t rq_moved = -1;    ///< its last word on RQ
    std::int64_t rc_moved = -1;    ///< the last word of its last completion on RC
    std::int64_t header_out = -1;  ///< of the completion that ends the read, at the storage FIFO
};

/// Pins of one port, a record per D cycle.
struct PortRecords {
    std::vector<BusCycle> up_mfb;
    std::vector<HeaderCycle> up_mvb;
    std::vector<BusCycle> down_mfb;
    std::vector<HeaderCycle> down_mvb;
};

/// The whole endpoint as models/tlmetry/endpoint/README.md specifies it, cycle by cycle. The independent
/// reference of the model: shares nothing with it, is slow and literal.
class Endpoint {
public:
    /// Requests are in order within each port. A read takes the latency of its page: number address / 4096
    /// modulo their number, and is lost in the host if that is negative. So long as the number of its page
    /// says in `holds_fs` a request stays in the receive buffer of the host; without any it leaves at once.
    Endpoint(const EndpointConfig& config, std::vector<Request> requests,
             std::vector<std::int64_t> latencies_fs, std::vector<std::int64_t> holds_fs = {0});

    /// The PTC is in reset in edges from time `from_fs` on and before `until_fs`. What has been presented on
    /// the UP buses and is not done is lost. `up_goes_on`: who presents there is not in reset. Resets come in
    /// order.
    void reset(std::int64_t from_fs, std::int64_t until_fs, bool up_goes_on) {
        m_resets.push_back({from_fs, until_fs, up_goes_on});
    }

    /// The link is down from time `from_fs` until `until_fs`. Neither these times nor resets overlap, and
    /// they come in order.
    void link_down(std::int64_t from_fs, std::int64_t until_fs) {
        m_downs.push_back({from_fs, until_fs, false});
    }

    /// Goes on until P cycles 0..p_cycles-1 and all earlier D edges are done.
    void run(std::int64_t p_cycles);

    // Records per P cycle.
    std::vector<BusCycle> rq;
    std::vector<BusCycle> rc;
    std::vector<std::uint32_t> brakes;  ///< bits 0-5
    std::vector<int> free_tags;
    std::vector<int> free_words;

    std::vector<PortRecords> ports;
    std::vector<RequestEvents> events;  ///< by request
    bool credits_short = false;         ///< a TLP has waited for credits
    bool headers_cut = false;           ///< headers that left together took several words on DOWN
    int completions_lost = 0;           ///< for which the PCIe core had no room, or behind such a one
    int timeouts = 0;                   ///< reads that ended by their timeout
    int lost_on_link = 0;               ///< requests and reads lost on a link that went down

private:
    struct Group {
        std::vector<int> requests;
        std::int64_t at_manager;  ///< P cycle
    };
    struct Crossing {
        std::int64_t written = 0;
        std::int64_t gone = 0;
        std::int64_t usable = 0;        ///< full in earlier cycles of the writing side
        std::deque<std::int64_t> left;  ///< cycle from which the writing side knows of it
        std::int64_t words(std::int64_t cycle);
    };
    struct DownHeaders {
        int items;
        std::int64_t from;  ///< D cycle
    };
    struct DownWord {
        Word word;
        std::int64_t from;  ///< D cycle
    };
    struct Port {
        explicit Port(const EndpointConfig& config)
            : up_mfb(config.up_regions, config.up_region_items, false) {}
        std::vector<int> requests;
        std::vector<std::int64_t> available;  ///< D cycle, per element of `requests`
        std::size_t next_header = 0;
        std::vector<int> up_mvb;  ///< word held
        FrameBus up_mfb;
        Crossing up_mvb_crossing;
        Crossing up_mfb_crossing;
        std::int64_t up_mfb_freed = 0;
        std::deque<Group> groups;
        Crossing down_mfb_crossing;
        Crossing down_mvb_crossing;
        std::deque<DownWord> down_mfb;
        std::deque<DownHeaders> down_mvb;
    };
    struct Write {
        std::int64_t readable = -1;  ///< P cycle in which the UP word with its end can be read; -1: not there
        std::int64_t word = -1;      ///< number of that word
        bool later_start = false;    ///< a later frame starts in that word
    };
    struct Granted {
        std::vector<int> requests;
        std::int64_t cycle;
    };
    struct TagWord {
        int tags;
        std::int64_t at_output;
    };
    struct Release {
        int amount;
        std::int64_t from;
    };
    struct Completion {
        int request;
        std::int64_t order;  ///< of its read
        int part;
        std::uint64_t address;
        int length;
        bool last;
        std::int64_t ready_fs;
        std::int64_t arrival_fs;
        std::int64_t moved = -1;  ///< P cycle of its last word on RC
    };
    struct Stored {
        Region region;
        std::int64_t from;
    };

    // D cycles
    void d_edge(std::int64_t cycle);
    void up_headers(Port& port, PortRecords& records, std::int64_t cycle);
    void up_frames(Port& port, PortRecords& records, std::int64_t cycle);
    void down(Port& port, PortRecords& records, std::int64_t cycle);

    // P cycles, in this order
    void p_edge(std::int64_t cycle);
    void take_returns(std::int64_t cycle);
    void tag_manager(std::int64_t cycle);
    void request_frames(std::int64_t cycle);
    void request_bus(std::int64_t cycle);
    void send_completions(std::int64_t before_fs);
    void completion_bus(std::int64_t cycle);
    void headers_out(std::int64_t cycle);
    void storage_output(std::int64_t cycle);

    void choose_port(std::int64_t cycle);
    void grant(Port& port, std::int64_t cycle);
    void free_up_words(Port& port, const Write& write, std::int64_t cycle);
    int tlp_bytes(int request) const;
    int on_link(std::uint64_t address, int length) const;
    bool link_has_room(std::int64_t cycle);
    void transmit(std::int64_t before_fs);
    bool have_credits(int request, std::int64_t time) const;
    std::int64_t credits_at(int request, std::int64_t time) const;
    int data_credits(int request) const;
    void send(int request, std::int64_t start_fs);
    void take_credits(int request, std::int64_t arrival_fs);
    void reach_host(std::int64_t before_fs);
    void go_down(std::int64_t from_fs, std::int64_t until_fs);
    void lose(int request);
    bool lost(int request) const;
    void end_lost_reads(std::int64_t cycle);
    void tags_back(int tags, std::int64_t cycle);
    void receive_completions(std::int64_t cycle);
    void answer(int request, std::int64_t arrival_fs);
    int frame_items(int request) const;
    int payload_items(int bytes) const;
    int words_reserved(int request) const;
    int rcb_blocks(std::uint64_t address, int length) const;
    int space_cycles() const;

    std::int64_t p_time(std::int64_t cycle) const { return m_c.p_phase_fs + cycle * m_c.p_period_fs; }
    std::int64_t d_time(std::int64_t cycle) const { return m_c.d_phase_fs + cycle * m_c.d_period_fs; }
    std::int64_t p_after(std::int64_t time) const;
    std::int64_t d_after(std::int64_t time) const;
    std::int64_t to_p(std::int64_t d_cycle) const { return p_after(d_time(d_cycle)) + m_c.sync_cycles - 1; }
    std::int64_t to_d(std::int64_t p_cycle) const { return d_after(p_time(p_cycle)) + m_c.sync_cycles - 1; }

    struct DllpTimer {
        std::int64_t last = -1;
        std::deque<std::int64_t> due;
    };
    void answer_by_dllp(DllpTimer& timer, std::int64_t time_fs) const;
    void send_host_dllps(std::int64_t until_fs);
    void forget_dllps();

    struct Times {
        std::int64_t from_fs;
        std::int64_t until_fs;
        bool up_goes_on;
    };
    bool in_reset(std::int64_t time);
    void clear();
    void fill_tags();

    const EndpointConfig m_c;
    const std::vector<Request> m_requests;
    const std::vector<std::int64_t> m_latencies_fs;
    const std::vector<std::int64_t> m_holds_fs;
    std::deque<Times> m_resets;
    std::deque<Times> m_downs;
    bool m_in_reset = false;
    std::int64_t m_first_cycle = 0;  ///< P, after the last reset
    std::int64_t m_p_cycle = 0;
    std::int64_t m_d_cycle = 0;
    std::vector<Port> m_ports;
    std::vector<Write> m_writes;  ///< by request

    // tag manager
    int m_chosen = -1;
    int m_last_port;
    std::int64_t m_granted_reads = 0;
    int m_pool;
    int m_words;
    int m_entries;
    int m_group_max;  ///< I of the specification
    int m_buffer = 0;
    int m_register = 0;
    std::deque<TagWord> m_tag_fifo;
    std::deque<Release> m_pool_returns;
    std::deque<Release> m_word_returns;
    std::deque<Release> m_entry_returns;
    std::vector<std::int64_t> m_latency;  ///< by request
    std::vector<std::int64_t> m_order;    ///< by request
    std::vector<int> m_words_owed;        ///< by request
    std::vector<int> m_entries_owed;      ///< by request

    // RQ and the link up
    std::deque<Granted> m_waiting_groups;  ///< granted, frames not yet available
    std::int64_t m_last_available = -1;
    std::deque<int> m_last_frames;  ///< last frame of each granted group that has not left
    FrameBus m_rq;
    std::int64_t m_tx_taken = 0;
    struct TxEnd {
        std::int64_t end_fs;
        int bytes;
    };
    std::deque<TxEnd> m_tx_ends;
    std::int64_t m_up_free_fs = 0;
    std::int64_t m_up_transmissions = 0;
    struct InTxBuffer {
        int request;
        std::int64_t ready_fs;
    };
    std::deque<InTxBuffer> m_tx;  ///< not started
    struct AtHost {
        int request;
        std::int64_t known_free_fs;
    };
    std::vector<AtHost> m_credits_taken;  ///< by all TLPs that have been started

    struct OnLink {
        int request;
        std::int64_t end_fs;
    };
    std::deque<OnLink> m_on_link;        ///< started, not at the host
    std::vector<std::int64_t> m_end_fs;  ///< on the link, by request
    struct Lost {
        int request;
        std::int64_t cycle;
    };
    std::vector<Lost> m_lost;
    std::vector<int> m_parts;  ///< completions that are sent and whose headers have not left, by request

    std::vector<std::int64_t> m_offered_fs;  ///< header on UP, by request
    DllpTimer m_acks;                        ///< of completions
    DllpTimer m_host_dllps[3];               ///< Acks of requests, posted and non-posted updates

    // host and the link down
    std::int64_t m_last_ready_fs = 0;
    std::vector<Completion> m_at_host;  ///< not yet on the link
    std::deque<Completion> m_on_link_down;
    std::vector<std::int64_t> m_in_core;  ///< numbers of completions
    std::set<int> m_cut_short;            ///< requests that have lost a completion
    std::int64_t m_down_free_fs = 0;
    std::int64_t m_down_transmissions = 0;
    std::vector<Completion> m_completions;  ///< in the order of the link
    std::size_t m_next_on_rc = 0;

    // RC and the storage FIFO
    FrameBus m_rc;
    std::deque<Stored> m_storage;
    std::int64_t m_output_free = 0;  ///< cycle from which the next output is possible
    struct Headers {
        std::vector<int> completions;
        std::int64_t output;
    };
    std::deque<Headers> m_headers;
    std::int64_t m_headers_free = 0;  ///< cycle from which on the next ones can leave
};

}  // namespace tlmetry::reference
