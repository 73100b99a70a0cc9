// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/blocks.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/down_port.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/reads.hpp>
#include <tlmetry/endpoint/tag_manager.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// Who waits for reads.
class ReadListener {
public:
    virtual ~ReadListener() = default;
    /// The DMA port has the header and the payload of the last completion of `read` in D cycle `moved`.
    virtual void read_done(const Read& read, cycle_t moved) = 0;
    /// A header is about to leave in P cycle `left`; what returns tags and words before that comes first.
    virtual void before_header(cycle_t left) = 0;
};

/// RC bus, storage FIFO and DOWN buses: completions from the link to the DMA ports.
class DownStream {
public:
    DownStream(const Config& config, const Edges& pcie, const Edges& dma, Reads& reads, TagManager& manager,
               ReadListener& listener);

    /// A completion of `tag` arrives from the link at time `t`: `length` bytes from `address` on.
    void arrive(time_fs t, std::uint32_t tag, std::uint64_t address, std::uint32_t length, bool last);

    /// P cycle in which the last word of the last of them moves on RC.
    cycle_t rc_moved() const { return m_word.presented; }

    /// Lets everything out of the storage FIFO that leaves before P cycle `end`. `reads_are_lost`: the
    /// listener has reads to end.
    void advance(cycle_t end, bool reads_are_lost);

    /// A completion of `tag` has come whose header has not left.
    bool holds(std::uint32_t tag) const;

    /// Payload of completions that DMA ports have got, and what was lost in resets.
    std::uint64_t delivered_bytes() const { return m_delivered_bytes; }
    std::uint64_t lost_bytes() const { return m_lost_bytes; }
    /// Payload of completions that have come and whose header has not left.
    std::uint64_t held_bytes() const;

    /// Cycles of both clocks: in reset from the first on, afresh from the second on.
    void restart(cycle_t from, cycle_t first, cycle_t dma_from, cycle_t dma_first);

    MfbLog rc;
    std::vector<DownPort> ports;
    BrakeLog mfb_held;  ///< PCIE_PTC_BRAKE 4
    BrakeLog mvb_held;  ///< PCIE_PTC_BRAKE 5
    /// A brake that is on since then, with no end known.
    cycle_t mfb_held_since = never;

private:
    /// Payload of one completion on its way through the storage FIFO.
    struct Frame {
        cycle_t first_word = 0;        // P cycle of its first word on RC
        cycle_t all_in = 0;            // P cycle from which on all of it is in the storage FIFO
        std::uint32_t place = 0;       // region of its start there
        std::uint32_t rc_regions = 0;  // with its header
        std::uint32_t regions = 0;     // of payload
        std::uint32_t left = 0;        // of them, that have not left
        std::uint32_t tag = 0;
        std::uint32_t length = 0;  // bytes
        std::uint32_t words = 0;   // that its header returns, unless it is the last
        std::uint16_t last_items = 0;
        bool last = false;
    };
    bool pass_alone(cycle_t end);
    /// P cycle in which payload region `region` of a frame is in the storage FIFO.
    cycle_t arrival(const Frame& frame, std::uint32_t region) const {
        // With a header in band, all but perhaps the last are a region further back on RC.
        const std::uint32_t rc_region = std::min(region + m_header_regions, frame.rc_regions - 1);
        return frame.first_word + m_rc_regions.words(frame.place + rc_region) + m_storage_cycles;
    }
    cycle_t output_cycle() const;
    std::uint32_t leaving(cycle_t cycle) const;
    void output(cycle_t cycle);
    bool output_full(cycle_t end);
    void output_to_one(cycle_t cycle, std::uint32_t regions);
    void headers_leave(cycle_t cycle, std::uint32_t headers);
    void header_left(cycle_t left, const Frame& frame, cycle_t moved);
    void give_back(cycle_t left, const Frame& frame, cycle_t moved);
    void send_headers(cycle_t cycle);

    const Edges& m_pcie;
    Reads& m_reads;
    TagManager& m_manager;
    ReadListener& m_listener;
    Regions m_rc_regions;
    Regions m_down_regions;
    Regions m_width;
    std::uint32_t m_rc_header;
    std::uint32_t m_header_regions;  // by which payload comes later on RC
    Blocks m_region_items;
    Blocks m_rcb_blocks;
    Blocks m_storage_words;
    bool m_one_start;
    cycle_t m_rx_cycles;
    cycle_t m_storage_cycles;

    bool m_fills_slowly;       // a word of the storage FIFO takes several of RC
    bool m_one_runs;           // output_full() can be used
    bool m_may_be_alone;       // pass_alone() can be of use
    bool m_try_alone = false;  // and is worth trying in this turn
    cycle_t m_output_words;    // of DOWN, of a full word of the storage FIFO

    OpenWord m_word;  // of RC
    SlidingQueue<Frame> m_frames;
    cycle_t m_next_output = 0;
    cycle_t m_last_headers = -1;
    // Frames that ended in the word that is being sent.
    struct Ended {
        Frame frame;
        cycle_t moved = 0;  // D
    };
    std::vector<Ended> m_ended;
    std::vector<std::uint32_t> m_port_items;
    std::uint64_t m_delivered_bytes = 0;
    std::uint64_t m_lost_bytes = 0;
};

inline void DownStream::arrive(time_fs t, std::uint32_t tag, std::uint64_t address, std::uint32_t length,
                               bool last) {
    const cycle_t available = m_pcie.first_after(t) + m_rx_cycles;
    const std::uint32_t items = items_of(length);
    const std::uint32_t rc_items = items + m_rc_header;

    const bool joins = !m_one_start && m_word.takes(available, m_rc_regions.count());
    const std::uint32_t rc_regions = m_region_items.count(rc_items);
    const Place place = m_word.place(available, rc_regions, m_rc_regions, joins);
    log_frame(rc, place, rc_regions, m_region_items.last(rc_items));
    Frame& frame = m_frames.extend();
    frame.first_word = place.presented;
    frame.all_in = m_word.moved + m_storage_cycles;
    frame.place = place.first_region;
    frame.rc_regions = rc_regions;
    frame.regions = m_region_items.count(items);
    frame.left = frame.regions;
    frame.tag = tag;
    frame.length = length;
    frame.last_items = static_cast<std::uint16_t>(m_region_items.last(items));
    frame.last = last;
    frame.words = m_storage_words.ended(address, length);

    if (!m_manager.meters_entries()) return;
    Read& read = m_reads[tag];
    // A completion that ends inside a block leaves its entry to the next one.
    const std::uint32_t entries = choose(last, read.entries, m_rcb_blocks.ended(address, length));
    read.entries -= entries;
    m_manager.entries_back(m_word.presented, entries);
}

}  // namespace tlmetry::endpoint
