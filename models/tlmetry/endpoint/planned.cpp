// SPDX-License-Identifier: BSD-3-Clause
// The way of requests that have been planned, see UpPlan.
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>
#include <array>

namespace tlmetry::endpoint {

namespace {

// More cycles than from the end of a turn to anything that is decided in it.
constexpr cycle_t far_cycles = 4096;

/// What frames add up to that have just been logged, the first of them at `first`.
void add_sum(MfbLog& log, Piece& first, FrameSum sum, std::uint32_t frames, std::uint32_t words,
             std::uint32_t regions, cycle_t end) {
    // Frames and words must fit the fields.
    if (std::max(frames, words) >> frame_field_bits(regions) != 0) return;
    sum.end = end;
    sum.frames = frames;
    log.sums.push(sum);
    first.flags |= Piece::sum_flag;
}

/// A frame whose first word moves in `cycle`.
void put(Piece& piece, cycle_t cycle, std::int64_t packed) {
    piece.presented = piece.moved = cycle;
    piece.regions = static_cast<std::uint32_t>(packed);
    piece.last_items = static_cast<std::uint16_t>(packed >> up_plan::last_items_shift);
    piece.first_region = static_cast<std::uint8_t>(packed >> up_plan::first_region_shift);
    piece.flags = static_cast<std::uint8_t>(packed >> up_plan::flags_shift);
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
        for (std::size_t i = 0; i != count; ++i)
            sum.last_write = choose(requests[i].read, sum.last_write, m_through[i].at);
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
    const std::int64_t* const presented = plan.row(up_plan::presented_row) + first;
    Headers* const headers = port.mvb.extend(count);
    for (std::size_t i = 0; i != count; ++i)
        headers[i] = {presented[i], presented[i], 1};
    const std::int64_t* const starts = plan.row(up_plan::start_row) + first;
    const std::int64_t* const rq_pieces = plan.row(up_plan::rq_piece_row) + first;
    Piece* const rq = m_rq.log.extend(count);
    for (std::size_t i = 0; i != count; ++i)
        put(rq[i], starts[i], rq_pieces[i]);
    manager.left_flowing(starts, count);
    const std::int64_t* const up_starts = plan.row(up_plan::up_start_row) + first;
    const std::int64_t* const up_pieces = plan.row(up_plan::up_piece_row) + first;
    Piece* const up = port.mfb.extend(count);
    Piece* next_up = up;
    for (std::size_t i = 0; i != count; ++i) {
        put(*next_up, up_starts[i], up_pieces[i]);
        next_up += !requests[i].read;
    }
    port.mfb.take_back(count - writes);
    OpenWord up_word = port.m_word;
    if (writes != 0) {
        up_word = word_behind(up[writes - 1], m_config.buses.up_regions);
        add_sum(port.mfb, up[0], needs.up, static_cast<std::uint32_t>(writes), needs.up_words + 1,
                m_config.buses.up_regions, up_word.moved + 1);
    }
    m_rq.m_word = word_behind(rq[count - 1], m_config.buses.rq_regions);
    add_sum(m_rq.log, rq[0], needs.rq, static_cast<std::uint32_t>(count), needs.rq_words,
            m_config.buses.rq_regions, m_rq.m_word.moved + 1);

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
