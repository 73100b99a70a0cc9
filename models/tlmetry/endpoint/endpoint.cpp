// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/endpoint.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tlmetry::endpoint {

namespace {

// Shorter turns than this make no sense, and take for ever.
constexpr time_fs least_horizon = fs_per_ns;

const Config& validated(const Config& config) {
    config.validate();
    return config;
}

}  // namespace

Endpoint::Endpoint(const Config& config, const ClockDomain& pcie, const ClockDomain& dma,
                   const std::vector<RequestSource*>& sources)
    : m_config(validated(config)),
      m_pcie(pcie),
      m_dma(dma),
      m_in_steps(config.link.has_credits() || config.link.goes_down || config.cpu.reads_per_s != 0),
      m_least_up(config.link.propagation_fs +
                 (m_in_steps
                      ? 0
                      : std::min(config.ptc.header_cycles, config.ptc.payload_cycles) * m_pcie.period_fs() +
                            config.link.tx_latency_fs)),
      m_horizon(m_least_up + (config.link.has_credits() ? std::min(config.host.least_latency_fs,
                                                                   config.link.credit_update_latency_fs)
                                                        : config.host.least_latency_fs)),
      m_reads(config.ptc.tags),
      m_manager(config, m_up, m_reads),
      m_rq(config, m_pcie),
      m_acks(config.link.dllp_interval_fs),
      m_host_dllps(config.link.dllp_interval_fs),
      m_dllp_lag(m_horizon - m_least_up),
      m_steps(config, m_pcie, m_reads, m_rq.log, m_rq.link, m_acks, arrivals),
      m_region_items(config.buses.up_region_items),
      m_ready(config.ptc.tags),
      m_link_down(config.link.down_byte_time, config.link.down_errors, config.link.down_damaged,
                  config.link.nak_latency_fs, config.seed, "link down"),
      m_down(config, m_pcie, m_dma, m_reads, m_manager, *this),
      m_buffer(config.ptc.completion_buffer_headers),
      m_cut_short(config.ptc.tags, whole),
      m_tx_on(config.cpu.any() || config.batching.batch_time_fs != 0),
      m_tx(config.batching, config.tuning),
      m_rx(config.batching, config.tuning),
      m_acks_at_host(config.link.dllp_interval_fs != never),
      m_cpu(config.cpu) {
    if (config.batching.batch_time_fs != 0 || config.cpu.reads_per_s != 0) hold_requests();
    tune(0, config.tuning);
    if (m_horizon < least_horizon) {
        throw UserError(
            "host.latency: expected at least 1ns together with link.propagation, and likewise "
            "link.credit_update_latency, where credits are finite or a link goes down, found " +
            format_time(m_horizon));
    }
    m_may_be_unbound = may_be_unbound(config) && !m_in_steps;
    m_most_cycles = UpPlan::most_cycles(config, m_pcie, m_dma);
    if (m_may_be_unbound && UpPlan::is_possible(config, m_pcie, m_dma))
        m_plan = std::make_unique<UpPlan>(config, m_pcie, m_dma);
    m_up.reserve(sources.size());
    for (RequestSource* source : sources) {
        m_up.emplace_back(config, m_dma, m_pcie, *source);
        m_all_open = m_all_open && source->is_open();
    }
}

void Endpoint::turn(time_fs end, time_fs look, bool sums) {
    m_summed = sums && !holds_requests() ? look : 0;
    const cycle_t pcie_end = m_pcie.first_at_or_after(end);
    const cycle_t dma_end = m_dma.first_at_or_after(end);
    complete_before(end);
    if (end < look && may_lag() && pass_planned(pcie_end, dma_end)) {
        m_statistics.lagged += m_row_count != 0;
        return;
    }
    pass_row();
    m_down.advance(pcie_end, !m_lost.empty(), end >= look);
    m_told = pcie_end;
    if (!m_lost.empty()) end_lost_reads(pcie_end);
    if (m_may_be_unbound) {
        // What the turn before has left under way goes first.
        m_up.front().advance_mfb(dma_end);
        pass_granted(pcie_end, dma_end);
        if (m_plan != nullptr && pass_planned(pcie_end, dma_end)) return;
        pass_unbound(pcie_end, dma_end);
    }
    do {
        for (UpPort& port : m_up)
            port.advance(dma_end);
    } while (pass_granted(pcie_end, dma_end) || (m_in_steps && pass_steps(pcie_end, end)));
    if (m_config.cpu.reads_per_s != 0) send_answers();
}

/// Grants what can be granted and passes it on as far as its payload is there; says whether anything was
/// granted or passed.
bool Endpoint::pass_granted(cycle_t pcie_end, cycle_t dma_end) {
    // Each may make room for the payload of the next.
    bool any = false;
    for (; !m_waiting.empty() && pass(m_waiting.front()); m_waiting.pop())
        any = true;
    Granted granted;
    while (m_manager.grant(pcie_end, dma_end, granted)) {
        any = true;
        if (m_latencies != nullptr) tell_granted(granted);
        if (!m_waiting.empty() || !pass(granted)) m_waiting.push(granted);
    }
    return any;
}

void Endpoint::tell_granted(const Granted& granted) {
    UpPort& port = m_up[granted.port];
    for (std::uint64_t r = granted.first; r < granted.first + granted.requests; ++r) {
        const UpPort::Slot& slot = port.slot(r);
        if (!slot.request.read) continue;
        m_latencies->granted(slot.tag, m_dma.time_of(slot.offered), m_pcie.time_of(granted.arrived),
                             m_pcie.time_of(granted.cycle));
    }
}

/// Passes a request to RQ, the link and on its way to the host.
RqBus::Passage Endpoint::send(const UpPort::Slot& slot, cycle_t available) {
    const Request& request = slot.request;
    RqBus::Passage passage;
    if (request.read) {
        const std::uint32_t items = m_config.buses.rq_read_header;
        passage = m_rq.pass(available, m_region_items.count(items), m_region_items.last(items),
                            m_config.link.read_overhead);
        ++m_statistics.reads;
        m_statistics.read_bytes += request.length;
        m_reads[slot.tag].sent = passage.arrival - m_config.link.propagation_fs;
    } else {
        const std::uint32_t items = items_of(request.length) + m_config.buses.rq_write_header;
        passage =
            m_rq.pass(available, m_region_items.count(items), m_region_items.last(items),
                      m_config.link.write_overhead + m_config.link.payload(request.address, request.length));
        ++m_statistics.writes;
        m_statistics.write_bytes += request.length;
    }
    add_arrival(request, slot.tag, passage.arrival);
    return passage;
}

/// Passes the requests of a group to RQ and the link; false while the payload of one is not there.
bool Endpoint::pass(const Granted& group) {
    UpPort& port = m_up[group.port];
    cycle_t available = std::max(group.cycle + m_config.ptc.header_cycles, m_last_headers + 1);
    bool by_payload = false;
    const std::uint64_t end = group.first + group.requests;
    for (std::uint64_t r = end; r-- > group.first;) {
        if (port.slot(r).request.read) continue;
        const cycle_t crossed = port.payload_crossed(r);
        if (crossed == never) return false;
        by_payload = crossed + m_config.ptc.payload_cycles > available;
        available = std::max(available, crossed + m_config.ptc.payload_cycles);
        break;
    }
    m_last_headers = available;
    if (m_in_steps) {
        for (std::uint64_t r = group.first; r < end; ++r)
            step(port.slot(r), available, r, group, by_payload);
        return true;
    }
    if (m_acks.due() != never) send_acks(m_dma.time_of(port.slot(group.first).offered));
    RqBus::Passage passage;
    for (std::uint64_t r = group.first; r < end; ++r) {
        const UpPort::Slot& slot = port.slot(r);
        passage = send(slot, available);
        if (r == group.first) by_payload = by_payload && passage.presented == available;
        if (!slot.request.read) port.write_left(r, passage.moved);
    }
    m_manager.left(passage.presented, by_payload);
    port.forget_before(end);
    return true;
}

/// Hands a request over to m_steps.
void Endpoint::step(const UpPort::Slot& slot, cycle_t available, std::uint64_t number, const Granted& group,
                    bool by_payload) {
    const Request& request = slot.request;
    RqSteps::Frame frame;
    std::uint32_t items = m_config.buses.rq_read_header;
    frame.tlp_bytes = m_config.link.read_overhead;
    if (!request.read) {
        items = items_of(request.length) + m_config.buses.rq_write_header;
        frame.tlp_bytes =
            m_config.link.write_overhead + m_config.link.payload(request.address, request.length);
    }
    frame.available = available;
    frame.offered = m_dma.time_of(slot.offered);
    frame.regions = m_region_items.count(items);
    frame.last_items = m_region_items.last(items);
    frame.ends_group = number == group.first + group.requests - 1;
    frame.by_payload = by_payload;
    frame.port = group.port;
    frame.request = number;
    describe(frame.arrival, request, slot.tag, 0);
    m_steps.add(frame);
}

/// Lets m_steps go on; says whether that may let others go on.
bool Endpoint::pass_steps(cycle_t pcie_end, time_fs end) {
    m_steps.advance(pcie_end, end);
    m_statistics.credit_wait_fs = m_steps.credit_wait_fs;
    const bool any = !m_steps.left.empty() || !m_steps.moved.empty();
    for (; !m_steps.left.empty(); m_steps.left.pop())
        m_manager.left(m_steps.left.front().cycle, m_steps.left.front().by_payload);
    for (; !m_steps.moved.empty(); m_steps.moved.pop()) {
        const RqSteps::Frame& frame = m_steps.moved.front().frame;
        UpPort& port = m_up[frame.port];
        if (frame.arrival.read) {
            ++m_statistics.reads;
            m_statistics.read_bytes += frame.arrival.length;
        } else {
            ++m_statistics.writes;
            m_statistics.write_bytes += frame.arrival.length;
            port.write_left(frame.request, m_steps.moved.front().cycle);
        }
        port.forget_before(frame.request + 1);
    }
    return any;
}

void Endpoint::answer(std::uint32_t tag, time_fs ready) {
    if (ready == never) {
        lose(tag);
        return;
    }
    if (m_latencies != nullptr) m_latencies->answered(tag, ready);
    m_ready.push({ready, m_reads[tag].number, tag});
}

/// Nothing comes of a read any more, which is known from P cycle `known` on.
void Endpoint::lose(std::uint32_t tag, cycle_t known) {
    const cycle_t at = m_pcie.first_at_or_after(m_reads[tag].sent + m_config.ptc.completion_timeout_fs);
    m_lost.push_back({std::max(at, known), tag});
    std::push_heap(m_lost.begin(), m_lost.end());
}

void Endpoint::link_down(time_fs t, time_fs until) {
    if (!m_config.link.goes_down) throw std::logic_error("a link went down that does not");
    const cycle_t now = m_pcie.first_at_or_after(t);
    m_ready.clear([&](std::uint32_t tag) { lose(tag, std::max(m_cut_short[tag], now)); });
    interrupt_root_port(t, until, m_config.cpu.read_timeout_fs);
    lose_held_reads(now);
    // What has left the transmitter is lost; the rest is sent when the link is up again.
    SlidingQueue<Arrival> rest;
    while (!arrivals.empty()) {
        Arrival arrival = arrivals.front();
        arrivals.pop();
        if (arrival.at - m_config.link.propagation_fs > t) {
            arrival.at += until - t;
            if (arrival.read) m_reads[arrival.tag].sent += until - t;
            rest.push(arrival);
        } else if (arrival.read) {
            lose(arrival.tag);
        } else {
            drop({1, arrival.length});
        }
    }
    arrivals = std::move(rest);
    m_steps.link_down(t, until);
    m_acks.restart();
    m_host_dllps.restart();
    m_link_down.hold_until(until);
}

void Endpoint::reset(time_fs t, time_fs until, ResetDomain domain) {
    // Edges at the end of the reset see it over.
    const cycle_t first = m_pcie.first_at_or_after(until);
    const cycle_t dma_first = m_dma.first_at_or_after(until);
    const cycle_t from = m_pcie.first_at_or_after(t);
    const cycle_t dma_from = m_dma.first_at_or_after(t);
    m_manager.restart(from, first);
    if (m_plan != nullptr) m_plan->drop();
    for (Read& read : m_reads) {
        if (!read.outstanding) continue;
        read.outstanding = false;
        m_statistics.reads_reset += read.request < m_up[read.port].m_first_slot;
        m_up[read.port].source().read_lost(read.request, until);
    }
    for (UpPort& port : m_up) {
        m_statistics.requests_reset += port.m_mvb_next - port.m_first_slot;
        port.restart(dma_from, dma_first, domain == ResetDomain::pcie, first);
    }
    m_waiting.clear();
    m_last_headers = first - 1;
    drop(m_steps.writes_waiting());
    m_steps.restart(from, first);
    m_rq.restart(from, first);
    m_ready.clear([](std::uint32_t) {});
    interrupt_root_port(t, until, until - t);
    take_back(m_sent, t);
    m_rx.clear([this](const Arrival& arrival) {
        if (!arrival.read) drop({1, arrival.length});
    });
    m_lost.clear();
    for (; !arrivals.empty(); arrivals.pop())
        if (!arrivals.front().read) drop({1, arrivals.front().length});
    m_link_down.restart(until);
    m_acks.restart();
    m_host_dllps.restart();
    m_buffer.restart();
    m_cut_short.assign(m_cut_short.size(), whole);
    m_down.restart(from, first, dma_from, dma_first);
}

/// What a read holds comes back as if the header of its last completion had left in the cycle of its timeout,
/// or in the one behind the last header that has come.
void Endpoint::end_lost_reads(cycle_t before) {
    while (!m_lost.empty() && m_lost.front().at < before) {
        std::pop_heap(m_lost.begin(), m_lost.end());
        const Lost lost = m_lost.back();
        if (m_down.holds(lost.tag)) {
            // That header leaves in the cycle before `before` at the earliest.
            m_lost.back().at = before;
            std::push_heap(m_lost.begin(), m_lost.end());
            continue;
        }
        m_lost.pop_back();
        m_cut_short[lost.tag] = whole;
        Read& read = m_reads[lost.tag];
        if (m_manager.meters_entries()) m_manager.entries_back(lost.at, read.entries);
        m_manager.words_back_from(lost.at, read.words);
        m_manager.tag_back_from(lost.at, lost.tag);
        read.outstanding = false;
        ++m_statistics.reads_timed_out;
        m_up[read.port].source().read_lost(read.request, m_pcie.time_of(lost.at));
    }
}

std::uint64_t Endpoint::write_bytes_under_way() const {
    std::uint64_t bytes = m_steps.writes_waiting().bytes;
    for (const Arrival& arrival : arrivals)
        bytes += arrival.read ? 0 : arrival.length;
    for (const Arrival& arrival : m_rx.held())
        bytes += arrival.read ? 0 : arrival.length;
    return bytes;
}

std::string Endpoint::unbalanced() const {
    std::int64_t held = 0;
    std::int64_t words = 0;
    std::uint64_t sent = 0;
    for (const Read& read : m_reads) {
        if (!read.outstanding) continue;
        ++held;
        words += read.words;
        sent += read.request < m_up[read.port].m_first_slot;
    }
    const Statistics& s = m_statistics;
    const auto differ = [](const char* what, std::int64_t a, const char* other, std::int64_t b) {
        return std::string(what) + " " + std::to_string(a) + ", " + other + " " + std::to_string(b);
    };
    const auto gone = static_cast<std::int64_t>(s.reads_done + s.reads_timed_out + s.reads_reset + sent);
    if (gone != static_cast<std::int64_t>(s.reads))
        return differ("reads sent", static_cast<std::int64_t>(s.reads), "done, lost or under way", gone);
    if (m_manager.tags_held() != held)
        return differ("tags held", m_manager.tags_held(), "reads under way", held);
    if (m_manager.words_held() != words)
        return differ("storage words held", m_manager.words_held(), "words of reads under way", words);
    const std::uint64_t completed =
        m_down.delivered_bytes() + m_down.held_bytes() + m_down.lost_bytes() + s.completion_bytes_lost;
    if (completed != s.completion_bytes) {
        return differ("bytes of completions sent", static_cast<std::int64_t>(s.completion_bytes),
                      "delivered, in the storage FIFO or lost", static_cast<std::int64_t>(completed));
    }
    const CpuTraffic::Statistics& cpu = m_cpu.statistics();
    const std::uint64_t ended = cpu.reads_done + cpu.reads_lost + m_cpu.reads_under_way();
    if (cpu.reads != ended) {
        return differ("reads of the processor", static_cast<std::int64_t>(cpu.reads),
                      "done, lost or under way", static_cast<std::int64_t>(ended));
    }
    for (const auto& [name, kind] : {std::pair("completions", RootPortTx::completion),
                                     std::pair("non-posted requests", RootPortTx::nonposted),
                                     std::pair("posted requests", RootPortTx::posted)}) {
        const RootPortTx::Statistics tx = m_tx.statistics(kind);
        const std::uint64_t gone_on = tx.tlps + tx.lost + m_tx.waiting(kind);
        if (tx.came == gone_on) continue;
        return differ((std::string(name) + " at the root port").c_str(), static_cast<std::int64_t>(tx.came),
                      "sent, lost or waiting", static_cast<std::int64_t>(gone_on));
    }
    for (const auto& [name, link] :
         {std::pair("link up", &link_up()), std::pair("link down", &link_down())}) {
        const LinkDirection::Statistics& l = link->statistics();
        const std::uint64_t parts = l.sent_bytes + l.repeated_bytes + l.dllp_bytes;
        if (parts != l.all_bytes)
            return differ((std::string("bytes on the ") + name).c_str(),
                          static_cast<std::int64_t>(l.all_bytes), "of TLPs, repetitions and DLLPs",
                          static_cast<std::int64_t>(parts));
    }
    return "";
}

}  // namespace tlmetry::endpoint
