// SPDX-License-Identifier: BSD-3-Clause
// The way of requests that have been planned, see UpPlan.
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>
#include <array>

namespace tlmetry::endpoint {

namespace {

// More cycles than from the end of a turn to anything that is decided in it.
constexpr cycle_t far_cycles = 4096;

/// The number fits a field of FrameSum.
bool fits(std::uint32_t number, std::uint32_t regions) {
    return number >> frame_field_bits(regions) == 0;
}

/// Logs the sum of `frames` frames; the last word of the last one moves in cycle `last`.
void log_sum(MfbLog& log, FrameSum sum, std::uint32_t frames, cycle_t last) {
    sum.end = last + 1;
    sum.frames = frames;
    log.sums.push(sum);
    Piece& piece = log.extend();
    piece = {};
    piece.presented = piece.moved = last;
    piece.flags = Piece::sum_flag | Piece::flags_of(true, true, true);
}

}  // namespace

/// Makes a plan of the requests ahead; false if there is nothing to be planned.
bool Endpoint::plan_ahead() {
    UpPort& port = m_up.front();
    if (m_plan_again > port.m_mvb_next) return false;
    port.know_ahead(UpPlan::most_requests + 1);
    UpPlan::State state;
    state.mvb_free = port.m_mvb_free;
    state.up = port.m_word;
    state.last_grant = std::max(m_manager.m_last, m_manager.m_tags.first_cycle() - 1);
    state.last_headers = m_last_headers;
    state.rq = m_rq.m_word;
    m_plan->make(port.m_ahead.begin(), port.m_ahead.size(), state, [this](std::size_t i) {
        return i > m_manager.m_groups ? -1 : m_manager.m_left[(m_manager.m_groups - i) & m_manager.m_left_mask];
    });
    m_planned_next = port.m_mvb_next;
    if (m_plan->empty()) drop_plan();
    return !m_plan->empty();
}

/// The next request does not go as planned. Where plans tend to be made in vain they become rare.
void Endpoint::drop_plan() {
    constexpr std::uint64_t least = 16;
    constexpr std::uint64_t most = 4096;
    const bool in_vain = m_plan->next() < UpPlan::most_requests / 8;
    m_plan_pause = in_vain ? std::clamp(2 * m_plan_pause, least, most) : 0;
    m_plan_again = m_up.front().m_mvb_next + std::max<std::uint64_t>(1, m_plan_pause);
    m_plan->drop();
}

/// Takes requests the way that is planned as long as nothing that is finite can be short.
void Endpoint::pass_planned(cycle_t pcie_end, cycle_t dma_end) {
    UpPort& port = m_up.front();
    if (!port.flows() || !m_rq.flows() || !m_waiting.empty() || m_manager.m_chosen ||
        m_pcie_limit - pcie_end < far_cycles || m_dma_limit - dma_end < far_cycles)
        return;
    if (m_planned_next != port.m_mvb_next) m_plan->drop();
    for (;;) {
        if (m_plan->empty() && !plan_ahead()) return;
        const std::size_t first = m_plan->next();
        if (!port.settle(m_plan->granted(first))) return;
        const std::size_t count = m_plan->presented_before(dma_end);
        if (count == 0) return;
        if (pass_run(pcie_end, count) != count) {
            drop_plan();
            return;
        }
    }
}

/// Passes the next `count` requests of the plan, or as many of them as find everything that they need; tells
/// how many.
std::size_t Endpoint::pass_run(cycle_t pcie_end, std::size_t count) {
    UpPort& port = m_up.front();
    TagManager& manager = m_manager;
    UpPlan& plan = *m_plan;
    const std::size_t first = plan.next();
    const Request* const requests = port.m_ahead.begin();
    UpPlan::Needs needs = plan.needs(count);
    const cycle_t granted = plan.granted(first);
    if (manager.sure_words(granted) <= needs.words || m_rq.sure_bytes(granted) <= needs.bytes ||
        (manager.meters_entries() && manager.sure_entries(granted) < needs.entries))
        return 0;

    // Reads get their tags.
    std::array<std::uint32_t, UpPlan::most_requests / UpPlan::runs> reads;
    std::size_t read_count = 0;
    for (std::size_t i = 0; i != count; ++i) {
        reads[read_count] = static_cast<std::uint32_t>(i);
        read_count += requests[i].read;
    }
    std::array<std::uint32_t, UpPlan::most_requests / UpPlan::runs> tags;
    std::uint64_t read_bytes = 0;
    for (std::size_t r = 0; r != read_count; ++r) {
        const std::size_t i = reads[r];
        const cycle_t at = plan.granted(first + i);
        if (!manager.m_tags.shows(at, 1, pcie_end)) {
            count = i;
            read_count = r;
            if (count == 0) return 0;
            needs = plan.needs(count);
            break;
        }
        const Request& request = requests[i];
        const std::uint32_t words = port.m_storage_words.touched(request.address, request.length);
        const std::uint32_t entries = port.m_rcb_blocks.touched(request.address, request.length);
        manager.taken(at, 1, words, entries);
        tags[r] = manager.take_tag(at, 0, request, port.m_mvb_next + i, words, entries);
        read_bytes += request.length;
    }

    // Over the link.
    if (m_rq.link.fails()) {
        send_run(m_rq.link, count);
    } else {
        send_run(LinkDirection::Row(m_rq.link), count);
    }
    const std::size_t last = first + count - 1;
    const std::int64_t* const bytes = plan.row(up_plan::bytes_row) + first;
    const time_fs propagation = m_config.link.propagation_fs;
    m_rq.sent_row([this, propagation](std::size_t i) { return m_through[i].at - propagation; }, count,
                  m_pcie.time_of(plan.granted(last)), needs.bytes,
                  [bytes](std::size_t i) { return static_cast<std::uint32_t>(bytes[i]); });
    for (std::size_t r = 0; r != read_count; ++r) {
        const std::size_t i = reads[r];
        m_reads[tags[r]].sent = m_through[i].at - propagation;
        if (m_latencies != nullptr) {
            const time_fs offered = m_dma.time_of(plan.presented(first + i));
            const cycle_t soonest = port.m_to_pcie(plan.presented(first + i)) + manager.m_up_cycles;
            m_latencies->granted(tags[r], offered, m_pcie.time_of(soonest),
                                 m_pcie.time_of(plan.granted(first + i)));
        }
    }
    const std::size_t writes = count - read_count;
    const std::uint64_t write_bytes = plan.bytes(count) - read_bytes;
    if (m_through[count - 1].at < m_summed && arrivals.empty()) {
        arrived(m_through.data(), m_through.data() + count);
        RequestSum sum = plan.lines(count);
        sum.writes = writes;
        sum.write_bytes = write_bytes;
        for (std::size_t i = count; i-- != 0 && sum.last_write < 0;)
            if (!requests[i].read) sum.last_write = m_through[i].at;
        passed.sum += sum;
        ReadArrival* const arrived_reads = passed.reads.extend(read_count);
        for (std::size_t r = 0; r != read_count; ++r)
            arrived_reads[r] = {m_through[reads[r]].at, tags[r]};
    } else {
        Arrival* const arrived = arrivals.extend(count);
        for (std::size_t i = 0; i != count; ++i) {
            const Request& request = requests[i];
            arrived[i] = {m_through[i].at, request.address, request.length, 0,
                          request.read,    false,           request.flags};
        }
        for (std::size_t r = 0; r != read_count; ++r)
            arrived[reads[r]].tag = static_cast<std::uint16_t>(tags[r]);
    }

    // What all of it was on the buses.
    const OpenWord up_word = writes != 0 ? plan.up_word(last) : port.m_word;
    manager.left_flowing(plan.row(up_plan::start_row) + first, count);
    log_run(count, static_cast<std::uint32_t>(writes), needs);

    // Where the next one finds everything.
    const auto number = static_cast<std::uint32_t>(count);
    port.m_ahead.pop(count);
    port.pass_by(number, number, needs.up_words, up_word, plan.presented(last) + 1);
    m_planned_next = port.m_mvb_next;
    manager.m_groups += count;
    manager.m_last = plan.granted(last);
    m_last_headers = plan.available(last);
    m_statistics.reads += read_count;
    m_statistics.read_bytes += read_bytes;
    m_statistics.writes += writes;
    m_statistics.write_bytes += write_bytes;
    m_statistics.unbound += count;
    m_statistics.planned += count;
    plan.pass(count);
    return count;
}

/// Logs the next requests of the plan on UP and RQ.
void Endpoint::log_run(std::size_t count, std::uint32_t writes, const UpPlan::Needs& needs) {
    UpPort& port = m_up.front();
    const std::size_t first = m_plan->next();
    const std::size_t last = count - 1;
    const Request* const requests = port.m_ahead.begin();
    const auto row = [this, first](up_plan::Row r) { return m_plan->row(r) + first; };
    const std::int64_t* const presented = row(up_plan::presented_row);
    const std::int64_t* const up_moved = row(up_plan::up_moved_row);
    const Buses& buses = m_config.buses;
    const auto frames = static_cast<std::uint32_t>(count);
    // Before a write its header, and before both what shares a word with them.
    if (m_dma_looks.spare(std::min(presented[0], port.m_word.moved), std::max(presented[last], up_moved[last]) + 1) &&
        fits(std::max(frames, needs.up_words + 1), buses.up_regions)) {
        port.mvb.extend() = {presented[last], presented[last], frames};
        if (writes != 0) log_sum(port.mfb, needs.up, writes, up_moved[last]);
    } else {
        Headers* const headers = port.mvb.extend(count);
        for (std::size_t i = 0; i != count; ++i)
            headers[i] = {presented[i], presented[i], 1};
        FlowingBus bus(port.m_word, buses.up_regions, false);
        for (std::size_t i = 0; i != count; ++i) {
            if (requests[i].read) continue;
            const std::uint32_t items = items_of(requests[i].length);
            const std::uint32_t regions = m_region_items.count(items);
            const Place place = bus.place(presented[i], regions);
            log_frame(port.mfb, place, regions, m_region_items.last(items));
        }
    }
    const std::int64_t* const moved = row(up_plan::moved_row);
    if (m_pcie_looks.spare(std::min(row(up_plan::start_row)[0], m_rq.m_word.moved), moved[last] + 1) &&
        fits(std::max(frames, needs.rq_words), buses.rq_regions)) {
        log_sum(m_rq.log, needs.rq, frames, moved[last]);
    } else {
        FlowingBus bus(m_rq.m_word, buses.rq_regions, buses.one_start);
        for (std::size_t i = 0; i != count; ++i) {
            const std::uint32_t items = requests[i].read ? buses.rq_read_header
                                                         : items_of(requests[i].length) + buses.rq_write_header;
            const std::uint32_t regions = m_region_items.count(items);
            const Place place = bus.place(row(up_plan::available_row)[i], regions);
            log_frame(m_rq.log, place, regions, m_region_items.last(items));
        }
    }
    m_rq.m_word = m_plan->rq_word(first + last);
}

/// Sends the next requests of the plan, and before each the Acks that are due.
template <class Link>
void Endpoint::send_run(Link&& link, std::size_t count) {
    const std::size_t first = m_plan->next();
    const std::int64_t* const presented = m_plan->row(up_plan::presented_row) + first;
    const std::int64_t* const moved = m_plan->row(up_plan::moved_row) + first;
    const std::int64_t* const bytes = m_plan->row(up_plan::bytes_row) + first;
    const Edges pcie = m_pcie;
    const Edges dma = m_dma;
    const time_fs to_link = m_config.link.tx_latency_fs;
    const time_fs to_host = m_config.link.propagation_fs;
    Through* const through = m_through.data();
    time_fs due = m_acks.due();
    for (std::size_t i = 0; i != count; ++i) {
        while (due <= dma.time_of(presented[i])) {
            link.send_dllp(due);
            m_acks.sent();
            due = m_acks.due();
        }
        const auto tlp_bytes = static_cast<std::uint32_t>(bytes[i]);
        through[i].at = link.send(pcie.time_of(moved[i]) + to_link, tlp_bytes) + to_host;
    }
}

}  // namespace tlmetry::endpoint
