// SPDX-License-Identifier: BSD-3-Clause
// The way of requests past everything finite that cannot be short. Everything here says in fewer steps what
// UpPort, TagManager and RqBus say, and is used only where that is sure.
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>
#include <type_traits>

namespace tlmetry::endpoint {

namespace {

// A crossing so deep that what leaves it is seen long before it can be full.
constexpr std::uint32_t least_fifo_words = 256;
/// The number one, of a group of a read or of a write.
template <bool is_read>
struct One {
    static constexpr bool read = is_read;
    constexpr operator std::uint32_t() const { return 1; }
};

}  // namespace

bool Endpoint::may_be_unbound(const Config& config) {
    return config.ports == 1 && config.rq.always() && config.ptc.up_fifo_words >= least_fifo_words &&
           FlowingBus::fits(config.buses.up_regions) && FlowingBus::fits(config.buses.rq_regions);
}

/// All that changes from group to group: a copy, which the compiler need not keep in memory in step with the
/// logs.
struct Endpoint::Flow {
    FlowingBus up;
    FlowingBus rq;
    cycle_t mvb_free;
    cycle_t last_grant;
    cycle_t last_headers;
    std::int64_t words;     // of the storage FIFO, free in and after the next grant
    std::int64_t tx_bytes;  // of the TX buffer, likewise
    cycle_t pcie_end;
    std::uint32_t passed = 0;
    std::uint32_t groups = 0;
    std::uint32_t up_words = 0;
    std::uint32_t reads = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;
};

/// Takes requests all the way from their port to the host as long as nothing that is finite can be short on
/// their way: crossings, tags, words, the queue before RQ, the TX buffer. Then it takes one look at each of
/// these and no queue at all. What it decides may lie behind the end of the turn: nothing that is not known
/// yet could change it.
void Endpoint::pass_unbound(cycle_t pcie_end, cycle_t dma_end) {
    UpPort& port = m_up.front();
    if (!port.flows() || !m_rq.flows() || !m_waiting.empty() || m_manager.m_chosen ||
        m_pcie_limit - pcie_end < far_cycles || m_dma_limit - dma_end < far_cycles || !port.knows(0, dma_end))
        return;
    const cycle_t next = m_dma.first_at_or_after(port.m_ahead.front().arrival);
    const cycle_t crossed = port.m_to_pcie(std::max(port.m_mvb_free, next));
    if (!port.settle(crossed + m_most_cycles)) return;

    Flow flow{FlowingBus(port.m_word, port.m_regions.count(), false),
              FlowingBus(m_rq.m_word, m_rq.m_regions.count(), m_config.buses.one_start),
              port.m_mvb_free,
              std::max(m_manager.m_last, m_manager.m_tags.first_cycle() - 1),
              m_last_headers,
              m_manager.sure_words(crossed),
              m_rq.sure_bytes(crossed),
              pcie_end};
    const std::uint32_t most = port.m_group_items;
    std::uint32_t known = 0;
    for (;;) {
        if (known < flow.passed + most) {
            known = port.know(flow.passed + most, dma_end);
            if (known == flow.passed) break;
        }
        const Request* const first = port.m_ahead.begin() + flow.passed;
        const cycle_t presented = std::max(flow.mvb_free, m_dma.first_at_or_after(first->arrival));
        if (presented >= dma_end) break;
        const time_fs time = m_dma.time_of(presented);
        const std::uint32_t most_here = std::min(most, known - flow.passed);
        std::uint32_t count = 1;
        while (count != most_here && first[count].arrival <= time)
            ++count;
        // Most groups consist of one request.
        const bool done = count != 1    ? pass_group(flow, first, count, presented, time)
                          : first->read ? pass_group(flow, first, One<true>(), presented, time)
                                        : pass_group(flow, first, One<false>(), presented, time);
        if (!done) break;
    }

    port.m_ahead.pop(flow.passed);
    port.pass_by(flow.passed, flow.groups, flow.up_words, flow.up.word(), flow.mvb_free);
    m_rq.m_word = flow.rq.word();
    if (flow.groups != 0) m_manager.m_last = flow.last_grant;
    m_last_headers = flow.last_headers;
    m_statistics.reads += flow.reads;
    m_statistics.read_bytes += flow.read_bytes;
    m_statistics.writes += flow.passed - flow.reads;
    m_statistics.write_bytes += flow.write_bytes;
    m_statistics.unbound += flow.passed;
}

/// Passes the next group, whose headers are presented in `presented`, at time `time`; false, and nothing
/// changed, if anything might hold it up.
template <class Count>
[[gnu::always_inline]] inline bool Endpoint::pass_group(Flow& flow, const Request* first, Count count,
                                                        cycle_t presented, time_fs time) {
    UpPort& port = m_up.front();
    const cycle_t most_cycles = m_most_cycles;
    TagManager& manager = m_manager;
    const Link& link = m_config.link;
    const auto is_read = [&](const Request& request) {
        if constexpr (std::is_class_v<Count>) return Count::read;
        return request.read;
    };
    const auto storage_of = [&](const Request& request) {
        return port.m_storage_words.touched(request.address, request.length);
    };
    const auto entries_of = [&](const Request& request) {
        return port.m_rcb_blocks.touched(request.address, request.length);
    };
    // Where its writes go on UP.
    const FlowingBus up_before = flow.up;
    std::uint32_t reads = 0;
    std::uint32_t storage = 0;
    std::uint32_t entries = 0;
    std::uint32_t words = 0;
    std::uint32_t bytes = 0;
    for (std::uint32_t i = 0; i != count; ++i) {
        const Request& request = first[i];
        if (is_read(request)) {
            ++reads;
            storage += storage_of(request);
            entries += entries_of(request);
            bytes += link.read_overhead;
        } else {
            const std::uint32_t items = items_of(request.length);
            const std::uint32_t regions = m_region_items.count(items);
            const Place place = flow.up.place(presented, regions);
            log_frame(port.mfb, place, regions, m_region_items.last(items));
            words += static_cast<std::uint32_t>(flow.up.moved() - place.moved) + !place.joins;
            bytes += link.payload(request.address, request.length) + link.write_overhead;
        }
    }

    // Its grant, and when it is available to RQ.
    const cycle_t soonest = m_pcie.first_after(time) + port.m_to_pcie.more() + manager.m_up_cycles;
    const cycle_t granted = std::max(soonest, flow.last_grant + 1);
    cycle_t available = std::max(granted + m_config.ptc.header_cycles, flow.last_headers + 1);
    if (count != reads)
        available = std::max(available, port.m_to_pcie(flow.up.moved()) + m_config.ptc.payload_cycles);
    if (flow.words <= storage) flow.words = manager.sure_words(granted);
    if (flow.tx_bytes <= bytes) flow.tx_bytes = m_rq.sure_bytes(granted);
    if (std::max(flow.rq.moved(), available) - soonest > most_cycles || words > most_cycles ||
        flow.words <= storage || flow.tx_bytes <= bytes || manager.queue_is_full(granted) ||
        (reads != 0 && !manager.certain(granted, flow.pcie_end, reads, entries))) {
        port.mfb.take_back(count - reads);
        flow.up = up_before;
        return false;
    }

    // Nothing binds: it is done.
    if (m_acks.due() <= time) send_acks(time);
    port.mvb.extend() = {presented, presented, count};
    flow.mvb_free = presented + 1;
    flow.last_grant = granted;
    flow.last_headers = available;
    flow.words -= storage;
    flow.tx_bytes -= bytes;
    flow.up_words += words;
    ++flow.groups;
    ++manager.m_groups;
    if (reads != 0) {
        manager.taken(granted, reads, storage, entries);
        flow.reads += reads;
    }
    cycle_t last_start = 0;  // of a frame on RQ
    for (std::uint32_t i = 0; i != count; ++i) {
        const Request& request = first[i];
        std::uint32_t items = m_config.buses.rq_read_header;
        std::uint32_t tlp_bytes = link.read_overhead;
        if (!is_read(request)) {
            items = items_of(request.length) + m_config.buses.rq_write_header;
            tlp_bytes = link.payload(request.address, request.length) + link.write_overhead;
        }
        const std::uint32_t regions = m_region_items.count(items);
        const Place place = flow.rq.place(available, regions);
        last_start = place.presented;
        log_frame(m_rq.log, place, regions, m_region_items.last(items));
        const time_fs arrival = m_rq.send(m_pcie.time_of(flow.rq.moved()), tlp_bytes);
        std::uint32_t tag = 0;
        if (is_read(request)) {
            tag = manager.take_tag(granted, 0, request, port.m_mvb_next + flow.passed + i,
                                   storage_of(request), entries_of(request));
            m_reads[tag].sent = arrival - link.propagation_fs;
            if (m_latencies != nullptr)
                m_latencies->granted(tag, time, m_pcie.time_of(soonest), m_pcie.time_of(granted));
            flow.read_bytes += request.length;
        } else {
            flow.write_bytes += request.length;
        }
        add_arrival(request, tag, arrival);
    }
    manager.left(last_start);
    flow.passed += count;
    return true;
}

}  // namespace tlmetry::endpoint
