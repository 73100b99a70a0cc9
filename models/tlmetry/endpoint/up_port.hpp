// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/blocks.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/request.hpp>
#include <tlmetry/endpoint/returns.hpp>

#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint {

/// Headers that crossed together: a word of the UP MVB. The tag manager grants it as one.
struct Group {
    cycle_t presented = 0;    // D
    cycle_t crossed = 0;      // P cycle from which on it can be read; `never` while it waits
    std::uint64_t first = 0;  // number of its first request
    std::uint32_t requests = 0;
    std::uint32_t reads = 0;
    std::uint32_t words = 0;    // storage FIFO words that its reads reserve
    std::uint32_t entries = 0;  // completion headers that its reads reserve
};

/// The UP buses of one DMA port and their crossings into the PCIe clock.
class UpPort {
public:
    /// A request and what became of it on the UP buses.
    struct Slot {
        Request request;
        cycle_t offered = 0;  // D cycle in which its header is presented
        // Of reads:
        std::uint32_t tag = 0;      // once granted
        std::uint32_t words = 0;    // of the storage FIFO
        std::uint32_t entries = 0;  // of completion headers
        // Of writes:
        std::uint32_t regions = 0;
        cycle_t moved = never;        // D cycle of its last word
        std::uint64_t last_word = 0;  // number of that word
        bool shared = false;          // another frame starts in it
    };

    UpPort(const Config& config, const Edges& dma, const Edges& pcie, RequestSource& source);

    /// Presents everything whose presentation is due before D cycle `end`.
    void advance(cycle_t end);

    /// The oldest group that has not been taken, nullptr if none is known.
    const Group* group() const {
        return m_groups.empty() || m_groups.front().crossed == never ? nullptr : &m_groups.front();
    }
    /// It was granted in P cycle `cycle`.
    void take_group(cycle_t cycle);

    Slot& slot(std::uint64_t number) { return m_slots[number - m_first_slot]; }
    RequestSource& source() { return m_source; }
    /// Requests taken from the source whose header has not been presented, the oldest first.
    std::size_t requests_ahead() const { return m_ahead.size(); }
    const Request& request_ahead(std::size_t i) const { return m_ahead[i]; }
    /// P cycle from which on the whole payload of a write can be read; `never` while it is not known.
    cycle_t payload_crossed(std::uint64_t number) {
        const cycle_t moved = slot(number).moved;
        return moved == never ? never : m_to_pcie(moved);
    }
    /// A write has left for the link in P cycle `cycle`.
    void write_left(std::uint64_t number, cycle_t cycle);
    /// Requests below `number` are not asked for any more.
    void forget_before(std::uint64_t number) {
        for (; m_first_slot < number; ++m_first_slot)
            m_slots.pop();
    }

    /// The PTC is in reset from D cycle `from` on, afresh from `first` on, which is `pcie_first` in P.
    /// Requests are lost of which something has been presented; the source is told of the reads among them
    /// that had not been granted. When it is not in reset itself (`source_runs`) it presents the next ones
    /// meanwhile.
    void restart(cycle_t from, cycle_t first, bool source_runs, cycle_t pcie_first);

    MfbLog mfb;
    MvbLog mvb;
    cycle_t mfb_waiting = never;  ///< a word is presented since then and may not move, as far as is known
    cycle_t mvb_waiting = never;

private:
    friend class Endpoint;  // its way past everything that cannot bind

    /// The i-th request ahead is known, or known now, as one of those that arrive before D cycle `end`.
    bool knows(std::size_t i, cycle_t end) { return i < m_ahead.size() || fetch(end); }
    bool fetch(cycle_t end);
    void add_slot(cycle_t cycle);
    /// Requests ahead that arrive before D cycle `end`: at least `most` of them, or all that are known.
    std::uint32_t know(std::size_t most, cycle_t end) {
        while (m_ahead.size() < most && fetch(end)) {
        }
        return static_cast<std::uint32_t>(m_ahead.size());
    }
    /// Has `most` requests ahead, if the source tells them long before they arrive.
    void know_ahead(std::size_t most);
    /// Everything that was presented has moved and left, as far as is known, and the last word without a
    /// stall.
    bool flows() const {
        return m_groups.empty() && m_mvb_next == m_mfb_next && m_placed == 0 && mvb_waiting == never &&
               mfb_waiting == never && m_word.presented == m_word.moved;
    }
    /// Counts the words of the crossings as if they had left, see FreedWords::settle().
    bool settle(cycle_t limit) {
        return m_last_word_cycle <= limit && m_mvb_freed.settle(m_fifo_words, m_mvb_words, limit) &&
               m_mfb_freed.settle(m_fifo_words, m_mfb_words, limit);
    }
    /// `requests` requests ahead have gone in `groups` words of headers and `words` words of frames that left
    /// before the crossing could be full; the last word of frames may yet take another one.
    void pass_by(std::uint32_t requests, std::uint32_t groups, std::uint32_t words, const OpenWord& last,
                 cycle_t mvb_free) {
        m_mvb_free = mvb_free;
        m_mvb_next += requests;
        m_mfb_next = m_first_slot = m_mvb_next;
        m_mvb_words += groups;
        m_mvb_freed.give_now(groups);
        m_word = last;
        m_mfb_words += words;
        if (m_mfb_words == 0) return;
        m_mfb_freed.give_now(m_mfb_words - 1 - m_freed_words);
        m_freed_words = m_mfb_words - 1;
        m_last_word_left = true;
        m_last_word_cycle = -1;
    }
    /// Another frame starts, in the word that was last or in the next one. With that it is known whether what
    /// has left the former frees its last word.
    void next_frame(bool joins) {
        if (!m_last_word_left) {
            if (joins) slot(m_last_write).shared = true;
            return;
        }
        m_last_word_left = false;
        if (joins) return;
        ++m_freed_words;
        if (m_last_word_cycle < 0) {
            m_mfb_freed.give_now(1);
        } else {
            m_mfb_freed.give(m_last_word_cycle, 1);
        }
    }
    void advance_mvb(cycle_t end);
    bool form_group(cycle_t end);
    void advance_mfb(cycle_t end);
    bool place_frame(cycle_t end);

    const Edges& m_dma;
    RequestSource& m_source;
    Crossing m_to_pcie;
    cycle_t m_sync_cycles;
    std::uint64_t m_fifo_words;
    std::uint32_t m_group_items;
    Regions m_regions;
    Blocks m_region_items;
    Blocks m_storage_words;
    Blocks m_rcb_blocks;

    SlidingQueue<Request> m_ahead;  // their header has not been presented
    SlidingQueue<Slot> m_slots;
    std::uint64_t m_first_slot = 0;

    SlidingQueue<Group> m_groups;
    std::uint64_t m_mvb_next = 0;   // first request whose header has not been presented
    bool m_formed = false;          // the last group is presented and has not moved
    std::uint64_t m_mvb_words = 0;  // words moved so far
    cycle_t m_mvb_free = 0;         // first cycle in which a word can be presented
    FreedWords m_mvb_freed;

    std::uint64_t m_mfb_next = 0;  // request whose frame comes next or is under way
    std::uint32_t m_placed = 0;    // regions of it that are placed
    std::uint64_t m_mfb_words = 0;
    OpenWord m_word;
    FreedWords m_mfb_freed;
    std::uint64_t m_freed_words = 0;
    std::uint64_t m_last_write = 0;
    bool m_last_word_left = false;  // all frames in the last word have left
    cycle_t m_last_word_cycle = 0;  // when, in P; -1: long before the crossing can be full
};

}  // namespace tlmetry::endpoint
