// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/arrival.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/credits.hpp>
#include <tlmetry/endpoint/dllps.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/link_direction.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/reads.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// The RQ bus and the link behind it where TLPs may wait for what is not known yet: credits of the host, or
/// the end of a time in which the link is down. Nothing is decided that lies behind the end of a turn. It
/// takes the place of RqBus::pass(), which knows of every frame at once when it is through.
class RqSteps {
public:
    /// Words go to `log`, TLPs over `link` to `arrivals`, with `acks` between them.
    RqSteps(const Config& config, const Edges& pcie, Reads& reads, MfbLog& log, LinkDirection& link,
            DllpTimer& acks, SlidingQueue<Arrival>& arrivals);

    /// A request on its way to RQ.
    struct Frame {
        cycle_t available = 0;  // P
        time_fs offered = 0;    // its header on UP
        std::uint32_t regions = 0;
        std::uint32_t last_items = 0;
        std::uint32_t tlp_bytes = 0;
        bool ends_group = false;
        bool by_payload = false;  // it is available since its payload came
        std::uint32_t port = 0;
        std::uint64_t request = 0;  // its number there
        Arrival arrival;            // but for its time
    };
    void add(const Frame& frame) { m_frames.push(frame); }

    /// Decides which words move before P cycle `pcie_end` and which TLPs start before time `end`.
    void advance(cycle_t pcie_end, time_fs end);

    /// A frame whose last word moved in P cycle `cycle`.
    struct Moved {
        cycle_t cycle = 0;
        Frame frame;
    };
    // To be taken from the front.
    SlidingQueue<Moved> moved;
    /// The last frame of a group has been presented, see TagManager::left().
    struct Left {
        cycle_t cycle = 0;
        bool by_payload = false;
    };
    SlidingQueue<Left> left;

    /// A word is presented on RQ since then and may not move, as far as is known; else `never`.
    cycle_t waiting = never;

    /// A completion of the device for a read of the processor.
    struct Answer {
        time_fs at = 0;  // when it is due, then: when it is through
        std::uint64_t address = 0;
        std::uint32_t length = 0;
        std::uint32_t bytes = 0;  // on the link
        std::uint16_t tag = 0;
    };
    /// Those to be sent, in the order of their times; they need no credits and no room.
    SlidingQueue<Answer> answers;
    /// Those that have been sent, to be taken from the front.
    SlidingQueue<Answer> answered;
    /// Everything that advance() can do in this turn has been done: sends what is due in it.
    void finish_turn() {
        if (m_waiting.empty()) answer_before(m_end - 1);
    }

    HostCredits credits;
    std::uint64_t credit_wait_fs = 0;  ///< in which a TLP could have been sent but for its credits

    /// Nothing is sent from time `t`, up to which it has been advanced, until `until`. A TLP under way at
    /// `t` goes on from there. All credits are there afterwards.
    void link_down(time_fs t, time_fs until);
    /// In reset from P cycle `from` on, afresh from `first` on.
    void restart(cycle_t from, cycle_t first);

    /// Writes whose last word has moved and that have not been started.
    struct Writes {
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;  ///< of payload
    };
    Writes writes_waiting() const;

private:
    struct Waiting {
        time_fs ready = 0;
        time_fs offered = 0;
        std::uint32_t bytes = 0;
        Arrival arrival;
    };
    struct Sent {
        time_fs at = 0;
        std::uint32_t bytes = 0;
    };

    bool joins(cycle_t available) const { return !m_one_start && m_word.takes(available, m_regions.count()); }
    void open_word(cycle_t presented);
    void put(const Frame& frame);
    bool settle(cycle_t pcie_end);
    void finish(const Frame& frame);
    cycle_t room(cycle_t cycle);
    void transmit();
    bool answer_before(time_fs ready);

    const Edges& m_pcie;
    Reads& m_reads;
    MfbLog& m_log;
    LinkDirection& m_link;
    DllpTimer& m_acks;
    SlidingQueue<Arrival>& m_arrivals;
    Duty m_duty;
    Regions m_regions;
    bool m_one_start;
    std::uint64_t m_buffer;
    time_fs m_tx_latency;
    time_fs m_propagation;

    SlidingQueue<Frame> m_frames;  // that have not been placed to their end
    std::uint32_t m_placed = 0;    // regions of the first
    OpenWord m_word;               // its `moved` is `never` while it waits
    std::vector<Piece> m_pieces;   // of a word that waits
    std::vector<Frame> m_ending;   // frames that end in it

    time_fs m_end = 0;                // of the turn
    SlidingQueue<Waiting> m_waiting;  // in the TX buffer, not started
    SlidingQueue<Sent> m_sent;        // when what was started is out of it
    std::uint64_t m_taken = 0;        // bytes that went into the TX buffer
    std::uint64_t m_out = 0;          // of them, that are out
    cycle_t m_out_by = 0;             // first cycle in which the last of these is
    Arrival m_last;                   // the last TLP that was started
};

}  // namespace tlmetry::endpoint
