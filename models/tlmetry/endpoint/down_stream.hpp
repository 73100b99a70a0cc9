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

/// A read whose last completion a DMA port has, with its header.
struct DoneRead {
    std::uint32_t tag = 0;
    cycle_t moved = 0;  ///< D
};

/// Who waits for reads.
class ReadListener {
public:
    virtual ~ReadListener() = default;
    /// Reads are done, in the order of their last headers.
    virtual void reads_done(const DoneRead* first, const DoneRead* last) = 0;
    /// A header is about to leave in P cycle `left`; what returns tags and words before that comes first.
    virtual void before_header(cycle_t left) = 0;
};

/// RC bus, storage FIFO and DOWN buses: completions from the link to the DMA ports.
class DownStream {
public:
    DownStream(const Config& config, const Edges& pcie, const Edges& dma, Reads& reads, TagManager& manager,
               ReadListener& listener);

    struct Completion {
        time_fs at = 0;  ///< when it arrives from the link
        std::uint64_t address = 0;
        std::uint32_t length = 0;  ///< bytes
        std::uint16_t tag = 0;
        bool last = false;  ///< of its read
    };
    /// Completions arrive, in order.
    void arrive(const Completion* first, const Completion* last);

    /// P cycle in which the last word of the last of them moves on RC.
    cycle_t rc_moved() const { return m_word.moved; }

    /// Lets everything out of the storage FIFO that leaves before P cycle `end`. `reads_are_lost`: the
    /// listener has reads to end. `looked_at`: somebody looks at it then; else frames may wait that have not
    /// left as a whole.
    void advance(cycle_t end, bool reads_are_lost, bool looked_at);

    /// See Endpoint::sum_frames().
    void sum_frames(const LookCycles& pcie, const LookCycles& dma) {
        m_pcie_looks = pcie;
        m_dma_looks = dma;
    }

    /// A completion of `tag` has come whose header has not left.
    bool holds(std::uint32_t tag) const;

    /// Payload of completions that DMA ports have got, and what was lost in resets.
    std::uint64_t delivered_bytes() const { return m_delivered_bytes; }
    std::uint64_t lost_bytes() const { return m_lost_bytes; }
    /// Payload of completions that have come and have not left.
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
        cycle_t first_word = 0;        // P cycle from which on its first word on RC is in the storage FIFO
        std::uint32_t place = 0;       // region of its start there
        std::uint16_t rc_regions = 0;  // with its header
        std::uint16_t regions = 0;     // of payload
        std::uint32_t left = 0;        // of them, that have not left
        std::uint16_t tag = 0;
        std::uint16_t words = 0;  // that its header returns, unless it is the last
        bool last = false;
        std::uint32_t length = 0;  // bytes
        cycle_t moved = 0;         // D cycle of its last word that has left
    };
    /// Items in its last region, minus one.
    std::uint32_t last_items(const Frame& frame) const { return m_region_items.last(items_of(frame.length)); }
    template <class Bus>
    void place(Bus&& bus, const Completion* first, const Completion* last);
    void log_rc(std::size_t count);
    void give_entries_back(const Completion* first, const Completion* last);
    // The way of frames that nothing holds up, down_flow.cpp.
    static bool may_flow(const Config& config, const Edges& pcie, const Edges& dma);
    struct Flow;
    struct Passed;
    Flow start_of_flow() const;
    bool flow(cycle_t end, bool looked_at);
    template <std::uint32_t rc_shift, std::uint32_t down_shift, bool one_by_one>
    void pass_frames(Flow& flow, Passed& passed, cycle_t end);
    template <bool one_by_one>
    void pass_frames(Flow& flow, Passed& passed, cycle_t end);
    void sum_down(const Flow& flow, const Passed& passed);
    void give_back(const Passed& passed);
    void join_open_word();
    /// P cycle in which payload region `region` of a frame is in the storage FIFO.
    cycle_t arrival(const Frame& frame, std::uint32_t region) const {
        // With a header in band, all but perhaps the last are a region further back on RC.
        const std::uint32_t rc_region = std::min(region + m_header_regions, frame.rc_regions - 1u);
        return frame.first_word + m_rc_regions.words(frame.place + rc_region);
    }
    /// All of it is in the storage FIFO from that P cycle on.
    cycle_t all_in(const Frame& frame) const { return arrival(frame, frame.regions - 1u); }
    cycle_t output_cycle() const;
    std::uint32_t leaving(cycle_t cycle) const;
    void output(cycle_t cycle);
    bool output_full(cycle_t end);
    void output_to_one(cycle_t cycle, std::uint32_t regions);
    void headers_leave(cycle_t cycle, std::uint32_t headers);
    void header_leaves(cycle_t left, const Frame& frame, cycle_t moved);
    void header_left(cycle_t left, const Frame& frame, cycle_t moved);
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

    bool m_fills_slowly;     // a word of the storage FIFO takes several of RC
    bool m_one_runs;         // output_full() can be used
    bool m_may_flow;         // flow() can be of use
    bool m_flows = false;    // and is worth trying in this turn
    cycle_t m_output_words;  // of DOWN, of a full word of the storage FIFO
    bool m_sums;             // frames can be summed up
    FrameFields m_rc_fields{1};
    FrameFields m_down_fields{1};
    LookCycles m_pcie_looks;
    LookCycles m_dma_looks;

    OpenWord m_word;  // of RC
    SlidingQueue<Frame> m_frames;
    cycle_t m_next_output = 0;
    // Of the last word that has left, which others may join: regions used, 0 where there is none, and
    // headers.
    std::uint32_t m_open_regions = 0;
    std::uint32_t m_open_headers = 0;
    cycle_t m_last_headers = -1;
    // Frames that ended in the word that is being sent.
    struct Ended {
        Frame frame;
        cycle_t moved = 0;  // D
    };
    std::vector<Ended> m_ended;
    // Frames whose header leaves behind what is advanced to: what it returns may come behind other returns
    // that are not known yet.
    struct Leaving {
        cycle_t left = 0;  // P
        Frame frame;
        cycle_t moved = 0;  // D
    };
    SlidingQueue<Leaving> m_leaving;
    cycle_t m_end = 0;  // up to which is advanced
    std::vector<std::uint32_t> m_port_items;
    std::uint64_t m_delivered_bytes = 0;
    std::uint64_t m_lost_bytes = 0;
};

}  // namespace tlmetry::endpoint
