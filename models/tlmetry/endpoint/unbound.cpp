// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

namespace {

// A crossing so deep that what leaves it is seen long before it can be full.
constexpr std::uint32_t least_fifo_words = 256;
// Most cycles from a grant to the word on RQ for which that holds.
constexpr cycle_t most_cycles = 64;

}  // namespace

bool Endpoint::may_be_unbound(const Config& config) {
    return config.ports == 1 && config.rq.always() && config.ptc.up_fifo_words >= least_fifo_words;
}

/// Takes requests all the way from their port to the host as long as nothing that is finite can be short on
/// their way: crossings, tags, words, the queue before RQ, the TX buffer. Then it takes one look at each of
/// these and no queue at all. What it decides may lie behind the end of the turn: nothing that is not known
/// yet could change it.
void Endpoint::pass_unbound(cycle_t pcie_end, cycle_t dma_end) {
    UpPort& port = m_up.front();
    TagManager& manager = m_manager;
    if (!port.passed() || !m_waiting.empty() || manager.m_chosen || !port.knows(0, dma_end)) return;
    const cycle_t next = m_dma.first_at_or_after(port.m_ahead.front().arrival);
    if (!port.settle(port.m_to_pcie(std::max(port.m_mvb_free, next)) + most_cycles)) return;

    // All that changes from group to group; the compiler need not keep it in memory in step with the logs.
    OpenWord up = port.m_word;
    cycle_t mvb_free = port.m_mvb_free;
    cycle_t last_grant = manager.m_last;
    cycle_t last_headers = m_last_headers;
    std::uint64_t number = port.m_mvb_next;
    std::uint32_t groups = 0;
    std::uint32_t up_words = 0;
    Statistics sums;
    const Link& link = m_config.link;
    const std::uint32_t read_items = m_config.buses.rq_read_header;
    const std::uint32_t read_regions = m_region_items.count(read_items);

    while (port.knows(0, dma_end)) {
        // A word of headers, and where its writes go on UP.
        const cycle_t presented = std::max(mvb_free, m_dma.first_at_or_after(port.m_ahead.front().arrival));
        if (presented >= dma_end) break;
        const time_fs time = m_dma.time_of(presented);
        OpenWord word = up;
        cycle_t last_start = presented;  // of a frame
        std::uint32_t count = 0;
        std::uint32_t reads = 0;
        std::uint32_t storage = 0;
        std::uint32_t entries = 0;
        std::uint32_t words = 0;
        std::uint64_t bytes = 0;
        do {
            const Request& request = port.m_ahead[count];
            if (request.read) {
                ++reads;
                storage += port.m_storage_words.touched(request.address, request.length);
                entries += port.m_rcb_blocks.touched(request.address, request.length);
                bytes += link.read_overhead;
            } else {
                const std::uint32_t regions = m_region_items.count(items_of(request.length));
                Place& place = m_up_places[count];
                place = word.place(presented, regions, port.m_regions,
                                   word.takes(presented, port.m_regions.count()));
                words += static_cast<std::uint32_t>(word.moved - place.moved) + !place.joins;
                last_start = place.presented;
                bytes += request.length + link.write_overhead;
            }
            ++count;
        } while (count < port.m_group_items && port.knows(count, dma_end) &&
                 port.m_ahead[count].arrival <= time);
        if (last_start >= dma_end) break;

        // Its grant, and when it is available to RQ.
        const cycle_t crossed = m_pcie.first_after(time) + port.m_sync_cycles - 1;
        const cycle_t granted = std::max(crossed + manager.m_up_cycles, last_grant + 1);
        cycle_t available = std::max(granted + m_config.ptc.header_cycles, last_headers + 1);
        if (count != reads)
            available = std::max(available, port.m_to_pcie(word.moved) + m_config.ptc.payload_cycles);
        const cycle_t start = m_rq.start(available);
        if (granted >= m_pcie_limit || word.presented >= m_dma_limit ||
            granted < manager.m_tags.first_cycle() ||
            !manager.m_words.has_room(manager.m_storage_words, manager.m_words_taken, storage + 1, granted) ||
            (manager.m_groups >= manager.m_queue &&
             manager.m_left[(manager.m_groups - manager.m_queue) & manager.m_left_mask] >= granted) ||
            (reads != 0 && !manager.certain(granted, pcie_end, reads, entries)) ||
            start - granted > most_cycles || words > most_cycles || !m_rq.has_room_for(bytes, start)) {
            break;
        }

        // Nothing binds: it is done.
        port.mvb.extend() = {presented, presented, count};
        mvb_free = presented + 1;
        last_grant = granted;
        last_headers = available;
        up = word;
        up_words += words;
        ++groups;
        ++manager.m_groups;
        if (reads != 0) manager.taken(granted, reads, storage, entries);
        RqBus::Passage passage;
        for (std::uint32_t i = 0; i < count; ++i, ++number) {
            const Request& request = port.m_ahead[i];
            std::uint32_t tag = 0;
            if (request.read) {
                tag = manager.take_tag(granted, 0, request, number,
                                       port.m_storage_words.touched(request.address, request.length),
                                       port.m_rcb_blocks.touched(request.address, request.length));
                passage =
                    m_rq.pass(available, read_regions, m_region_items.last(read_items), link.read_overhead);
                m_reads[tag].sent = passage.arrival - link.propagation_fs;
                ++sums.reads;
                sums.read_bytes += request.length;
            } else {
                const std::uint32_t items = items_of(request.length);
                log_frame(port.mfb, m_up_places[i], m_region_items.count(items), m_region_items.last(items));
                const std::uint32_t rq_items = items + m_config.buses.rq_write_header;
                passage = m_rq.pass(available, m_region_items.count(rq_items), m_region_items.last(rq_items),
                                    request.length + link.write_overhead);
                ++sums.writes;
                sums.write_bytes += request.length;
            }
            add_arrival(request, tag, passage.arrival);
        }
        manager.left(passage.presented);
        port.m_ahead.pop(count);
    }

    port.pass_by(static_cast<std::uint32_t>(sums.reads + sums.writes), groups, up_words, up, mvb_free);
    manager.m_last = last_grant;
    m_last_headers = last_headers;
    m_statistics.reads += sums.reads;
    m_statistics.read_bytes += sums.read_bytes;
    m_statistics.writes += sums.writes;
    m_statistics.write_bytes += sums.write_bytes;
    m_statistics.unbound += sums.reads + sums.writes;
}

}  // namespace tlmetry::endpoint
