// SPDX-License-Identifier: BSD-3-Clause
// The way of requests that have been planned, see UpPlan.
#include "tlmetry/endpoint/endpoint.hpp"
#include "tlmetry/endpoint/link_lanes.hpp"

#include <algorithm>
#include <array>

namespace tlmetry::endpoint {

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
        return i > m_manager.m_groups ? -1
                                      : m_manager.m_left[(m_manager.m_groups - i) & m_manager.m_left_mask];
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

/// Takes requests the way that is planned as long as nothing that is finite can be short. True: no header
/// that is left is presented before D cycle `dma_end`.
bool Endpoint::pass_planned(cycle_t pcie_end, cycle_t dma_end) {
    constexpr std::size_t least_part = 4;  // requests that are worth a look of their own
    UpPort& port = m_up.front();
    if (!port.flows() || !m_rq.flows() || !m_waiting.empty() || m_manager.m_chosen ||
        m_pcie_limit - pcie_end < far_cycles || m_dma_limit - dma_end < far_cycles)
        return false;
    if (m_planned_next != port.m_mvb_next) m_plan->drop();
    for (;;) {
        if (m_plan->empty() && !plan_ahead()) return false;
        const std::size_t first = m_plan->next();
        if (!port.settle(m_plan->granted(first))) return false;
        const std::size_t count = m_plan->presented_before(dma_end);
        if (count == 0) return true;
        // What may be too much at once, say for the TX buffer, need not be in parts.
        std::size_t part = count;
        std::size_t done = pass_batch(part);
        for (; done == 0 && part >= 2 * least_part; done = pass_batch(part))
            part /= 2;
        if (done != part) {
            // Maybe only for what has not been told yet.
            if (m_told == pcie_end) drop_plan();
            return false;
        }
    }
}

/// Requests of the plan that go on together, all in one of its runs.
struct Endpoint::Batch {
    static constexpr std::size_t most = UpPlan::most_requests / UpPlan::runs;
    static_assert(most % up_plan::block == 0, "whole lanes are written");

    std::size_t first = 0;  // in the plan
    std::size_t count = 0;
    UpPlan::Needs needs;
    // The reads among them: places in the batch, and tags.
    std::size_t read_count = 0;
    std::uint64_t read_bytes = 0;
    std::array<std::uint32_t, most> reads;
    std::array<std::uint32_t, most> tags;
    std::array<link_lanes::AtHost, most> at_host;

    std::size_t last() const { return first + count - 1; }
    std::size_t writes() const { return count - read_count; }
};

/// Passes the next `count` requests of the plan, or as many of them as find everything that they need; tells
/// how many.
std::size_t Endpoint::pass_batch(std::size_t count) {
    UpPort& port = m_up.front();
    UpPlan& plan = *m_plan;
    Batch batch;
    batch.first = plan.next();
    batch.count = count;
    batch.needs = plan.needs(count);
    const cycle_t granted = plan.granted(batch.first);
    if (m_manager.sure_words(granted) <= batch.needs.words || m_rq.sure_bytes(granted) <= batch.needs.bytes ||
        (m_manager.meters_entries() && m_manager.sure_entries(granted) < batch.needs.entries))
        return 0;
    take_tags(batch);
    if (batch.count == 0) return 0;
    send_batch(batch);
    hand_over(batch);
    log_batch(batch);

    // Where the next one finds everything.
    const std::size_t last = batch.last();
    m_manager.left_flowing(plan.row(up_plan::start_row) + batch.first, batch.count);
    m_manager.m_groups += batch.count;
    m_manager.m_last = plan.granted(last);
    m_last_headers = plan.available(last);
    m_rq.m_word = plan.rq_word(last);
    m_statistics.reads += batch.read_count;
    m_statistics.read_bytes += batch.read_bytes;
    m_statistics.writes += batch.writes();
    m_statistics.write_bytes += plan.bytes(batch.count) - batch.read_bytes;
    m_statistics.unbound += batch.count;
    m_statistics.planned += batch.count;
    const auto number = static_cast<std::uint32_t>(batch.count);
    port.m_ahead.pop(batch.count);
    port.pass_by(number, number, batch.needs.up_words, batch.writes() != 0 ? plan.up_word(last) : port.m_word,
                 plan.presented(last) + 1);
    m_planned_next = port.m_mvb_next;
    plan.pass(batch.count);
    return batch.count;
}

/// Gives the reads their tags; cuts the batch before the first that might have to wait for one.
void Endpoint::take_tags(Batch& batch) {
    UpPort& port = m_up.front();
    const Request* const requests = port.m_ahead.begin();
    const std::int64_t* const granted = m_plan->row(up_plan::granted_row) + batch.first;
    std::size_t count = 0;
    for (std::size_t i = 0; i != batch.count; ++i) {
        batch.reads[count] = static_cast<std::uint32_t>(i);
        count += requests[i].read;
    }
    for (; batch.read_count != count; ++batch.read_count) {
        const std::size_t i = batch.reads[batch.read_count];
        if (!m_manager.m_tags.shows(granted[i], 1, m_told)) {
            batch.count = i;
            if (i != 0) batch.needs = m_plan->needs(i);
            return;
        }
        const Request& request = requests[i];
        const std::uint32_t words = port.m_storage_words.touched(request.address, request.length);
        const std::uint32_t entries = port.m_rcb_blocks.touched(request.address, request.length);
        m_manager.taken(granted[i], 1, words, entries);
        batch.tags[batch.read_count] =
            m_manager.take_tag(granted[i], 0, request, port.m_mvb_next + i, words, entries);
        batch.read_bytes += request.length;
    }
}

/// Sends the requests, and before each the Acks that are due.
void Endpoint::send_batch(Batch& batch) {
    const std::int64_t* const presented = m_plan->row(up_plan::presented_row) + batch.first;
    const std::int64_t* const bytes = m_plan->row(up_plan::bytes_row) + batch.first;
    const time_fs to_host = m_config.link.propagation_fs;
    if (!send_in_lanes(batch)) {
        const std::int64_t* const moved = m_plan->row(up_plan::moved_row) + batch.first;
        for (std::size_t i = 0; i != batch.count; ++i) {
            send_acks(m_dma.time_of(presented[i]));
            batch.at_host[i].at = m_rq.link.send(m_pcie.time_of(moved[i]) + m_config.link.tx_latency_fs,
                                                 static_cast<std::uint32_t>(bytes[i])) +
                                  to_host;
        }
    }
    m_rq.sent_row([&batch, to_host](std::size_t i) { return batch.at_host[i].at - to_host; }, batch.count,
                  m_pcie.time_of(m_plan->granted(batch.last())), batch.needs.bytes,
                  [bytes](std::size_t i) { return static_cast<std::uint32_t>(bytes[i]); });
    for (std::size_t r = 0; r != batch.read_count; ++r) {
        const std::size_t i = batch.reads[r];
        m_reads[batch.tags[r]].sent = batch.at_host[i].at - to_host;
        if (m_latencies == nullptr) continue;
        const cycle_t arrived = m_up.front().m_to_pcie(presented[i]) + m_manager.m_up_cycles;
        m_latencies->granted(batch.tags[r], m_dma.time_of(presented[i]), m_pcie.time_of(arrived),
                             m_pcie.time_of(m_plan->granted(batch.first + i)));
    }
}

/// The same many at a time; false if that cannot be, and nothing has been sent.
bool Endpoint::send_in_lanes(Batch& batch) {
#ifdef __x86_64__
    // Neither a request nor an Ack before it is ready earlier.
    const time_fs from = std::min(m_acks.due(), m_dma.time_of(m_plan->presented(batch.first)));
    const time_fs to_link = m_config.link.tx_latency_fs;
    LinkDirection& link = m_rq.link;
    if (!link.takes_row(from, m_pcie.time_of(m_plan->rq_word(batch.last()).moved) + to_link)) return false;
    LinkDirection::Row row(link, from);
    link_lanes::Row job;
    job.count = batch.count;
    job.offered = m_plan->row(up_plan::presented_row) + batch.first;
    job.moved = m_plan->row(up_plan::moved_row) + batch.first;
    job.bytes = m_plan->row(up_plan::bytes_row) + batch.first;
    job.offers = {m_dma.start_fs(), m_dma.period_fs()};
    job.moves = {m_pcie.start_fs() + to_link, m_pcie.period_fs()};
    job.from = row.from();
    job.free = row.free();
    job.byte_time = static_cast<std::int64_t>(row.byte_time());
    job.dllp_bytes = LinkDirection::dllp_bytes;
    job.fraction_bits = LinkDirection::fraction_bits;
    job.due = m_acks.all_due();
    job.to_host = m_config.link.propagation_fs;
    job.at_host = batch.at_host.data();
    if (!link_lanes::send(job)) return false;
    row.sent(batch.needs.bytes, job.dllps, job.free);
    m_acks.sent(job.dllps);
    return true;
#else
    return static_cast<void>(batch), false;
#endif
}

/// Hands the requests over to the host: by their sum if it takes that.
void Endpoint::hand_over(const Batch& batch) {
    const Request* const requests = m_up.front().m_ahead.begin();
    if (batch.at_host[batch.count - 1].at < m_summed && arrivals.empty()) {
        arrived(batch.at_host.data(), batch.at_host.data() + batch.count);
        RequestSum sum = m_plan->lines(batch.count);
        sum.writes = batch.writes();
        sum.write_bytes = m_plan->bytes(batch.count) - batch.read_bytes;
        for (std::size_t i = batch.count; i-- != 0 && sum.last_write < 0;)
            if (!requests[i].read) sum.last_write = batch.at_host[i].at;
        passed.sum += sum;
        ReadArrival* const reads = passed.reads.extend(batch.read_count);
        for (std::size_t r = 0; r != batch.read_count; ++r)
            reads[r] = {batch.at_host[batch.reads[r]].at, batch.tags[r]};
        return;
    }
    Arrival* const arrived = arrivals.extend(batch.count);
    for (std::size_t i = 0; i != batch.count; ++i) {
        const Request& request = requests[i];
        arrived[i] = {batch.at_host[i].at, request.address, request.length, 0,
                      request.read,        false,           request.flags};
    }
    for (std::size_t r = 0; r != batch.read_count; ++r)
        arrived[batch.reads[r]].tag = static_cast<std::uint16_t>(batch.tags[r]);
}

/// Logs what the requests are on UP and RQ.
void Endpoint::log_batch(const Batch& batch) {
    UpPort& port = m_up.front();
    const Buses& buses = m_config.buses;
    const UpPlan::Needs& needs = batch.needs;
    const std::size_t last = batch.count - 1;
    const auto row = [this, &batch](up_plan::Row r) { return m_plan->row(r) + batch.first; };
    const std::int64_t* const presented = row(up_plan::presented_row);
    const std::int64_t* const up_moved = row(up_plan::up_moved_row);
    const auto frames = static_cast<std::uint32_t>(batch.count);
    // The first may share its word with what was before.
    if (!port.mfb.is_cut &&
        m_dma_looks.spare(std::min(presented[0], port.m_word.moved),
                          std::max(presented[last], up_moved[last]) + 1) &&
        fits_frame_field(std::max(frames, needs.up_words + 1), buses.up_regions)) {
        port.mvb.extend() = {presented[last], presented[last], frames};
        FrameSum sum = needs.up;
        sum.frames = static_cast<std::uint32_t>(batch.writes());
        if (sum.frames != 0) port.mfb.add_sum(sum, up_moved[last]);
    } else {
        log_up_frames(presented, batch.count);
        if (batch.writes() != 0) port.mfb.is_cut = false;
    }
    const std::int64_t* const rq_moved = row(up_plan::moved_row);
    if (!m_rq.log.is_cut &&
        m_pcie_looks.spare(std::min(row(up_plan::start_row)[0], m_rq.m_word.moved), rq_moved[last] + 1) &&
        fits_frame_field(std::max(frames, needs.rq_words), buses.rq_regions)) {
        FrameSum sum = needs.rq;
        sum.frames = frames;
        m_rq.log.add_sum(sum, rq_moved[last]);
    } else {
        log_rq_frames(row(up_plan::available_row), batch.count);
        m_rq.log.is_cut = false;
    }
}

/// The same one by one: headers that are presented in these cycles, and the frames with them.
void Endpoint::log_up_frames(const cycle_t* presented, std::size_t count) {
    UpPort& port = m_up.front();
    const Request* const requests = port.m_ahead.begin();
    FlowingBus bus(port.m_word, m_config.buses.up_regions, false);
    for (std::size_t i = 0; i != count; ++i) {
        port.mvb.extend() = {presented[i], presented[i], 1};
        if (requests[i].read) continue;
        const std::uint32_t items = items_of(requests[i].length);
        const std::uint32_t regions = m_region_items.count(items);
        const Place place = bus.place(presented[i], regions);
        log_frame(port.mfb, place, regions, m_region_items.last(items));
    }
}

void Endpoint::log_rq_frames(const cycle_t* available, std::size_t count) {
    const Request* const requests = m_up.front().m_ahead.begin();
    const Buses& buses = m_config.buses;
    FlowingBus bus(m_rq.m_word, buses.rq_regions, buses.one_start);
    for (std::size_t i = 0; i != count; ++i) {
        const std::uint32_t items =
            requests[i].read ? buses.rq_read_header : items_of(requests[i].length) + buses.rq_write_header;
        const std::uint32_t regions = m_region_items.count(items);
        const Place place = bus.place(available[i], regions);
        log_frame(m_rq.log, place, regions, m_region_items.last(items));
    }
}

}  // namespace tlmetry::endpoint
