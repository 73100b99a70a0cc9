// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_reference/endpoint.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tlmetry::reference {

namespace {

bool ready(const Duty& duty, std::int64_t cycle) {
    return (cycle + 1) * duty.num / duty.den > cycle * duty.num / duty.den;
}

/// Number of the first edge of a clock at or after a time.
std::int64_t first_edge(std::int64_t phase, std::int64_t period, std::int64_t time) {
    std::int64_t edge = 0;
    if (time > phase) edge = (time - phase + period - 1) / period;
    return edge;
}

}  // namespace

Endpoint::Endpoint(const EndpointConfig& config, std::vector<Request> requests,
                   std::vector<std::int64_t> latencies_fs, std::vector<std::int64_t> holds_fs)
    : events(requests.size()),
      m_c(config),
      m_requests(std::move(requests)),
      m_latencies_fs(std::move(latencies_fs)),
      m_holds_fs(std::move(holds_fs)),
      m_writes(m_requests.size()),
      m_last_port(config.ports - 1),
      m_pool(config.tags),
      m_words(config.storage_words),
      m_entries(config.completion_headers),
      m_group_max(std::max(config.mvb_up_items, config.mvb_down_items)),
      m_latency(m_requests.size()),
      m_order(m_requests.size()),
      m_words_owed(m_requests.size()),
      m_entries_owed(m_requests.size()),
      m_rq(config.rq_regions, config.up_region_items, config.one_start),
      m_end_fs(m_requests.size()),
      m_parts(m_requests.size()),
      m_offered_fs(m_requests.size()),
      m_rc(config.rc_regions, config.down_region_items, config.one_start) {
    ports.resize(static_cast<std::size_t>(m_c.ports));
    for (int p = 0; p < m_c.ports; ++p)
        m_ports.emplace_back(m_c);
    for (std::size_t r = 0; r < m_requests.size(); ++r) {
        const Request& request = m_requests[r];
        Port& port = m_ports[static_cast<std::size_t>(request.port)];
        std::int64_t available = first_edge(m_c.d_phase_fs, m_c.d_period_fs, request.arrival_fs);
        if (!port.available.empty()) available = std::max(available, port.available.back());
        port.requests.push_back(static_cast<int>(r));
        port.available.push_back(available);
    }
    fill_tags();
}

/// The state after a reset. Full words of tags, of which the buffer and the input register have taken theirs.
void Endpoint::fill_tags() {
    m_pool = m_c.tags;
    m_words = m_c.storage_words;
    m_entries = m_c.completion_headers;
    m_buffer = 0;
    m_register = 0;
    m_tag_fifo.clear();
    for (int left = m_c.tags; left > 0; left -= m_c.mvb_down_items) {
        m_tag_fifo.push_back({std::min(left, m_c.mvb_down_items), 0});
    }
    while (m_buffer <= m_group_max && (m_register > 0 || !m_tag_fifo.empty())) {
        m_buffer += m_register;
        m_register = 0;
        if (!m_tag_fifo.empty()) {
            m_register = m_tag_fifo.front().tags;
            m_tag_fifo.pop_front();
        }
    }
}

void Endpoint::run(std::int64_t p_cycles) {
    while (m_p_cycle < p_cycles) {
        const std::int64_t p = p_time(m_p_cycle);
        const std::int64_t d = d_time(m_d_cycle);
        // What one clock does is seen by the other strictly later: the order of coinciding edges is free.
        if (d <= p) {
            d_edge(m_d_cycle++);
        } else {
            p_edge(m_p_cycle++);
        }
    }
}

std::int64_t Endpoint::p_after(std::int64_t time) const {
    return first_edge(m_c.p_phase_fs, m_c.p_period_fs, time + 1);
}

std::int64_t Endpoint::d_after(std::int64_t time) const {
    return first_edge(m_c.d_phase_fs, m_c.d_period_fs, time + 1);
}

/// Words in the crossing as the writing side sees them in a cycle, before what it writes in it.
std::int64_t Endpoint::Crossing::words(std::int64_t cycle) {
    while (!left.empty() && left.front() <= cycle) {
        left.pop_front();
        ++gone;
    }
    return written - gone;
}

// ---- D cycles ----

/// What both clocks forget in a reset.
void Endpoint::clear() {
    for (std::size_t p = 0; p < m_ports.size(); ++p) {
        Port& port = m_ports[p];
        port.up_mvb.clear();
        port.up_mfb = FrameBus(m_c.up_regions, m_c.up_region_items, false);
        port.up_mvb_crossing = Crossing();
        port.up_mfb_crossing = Crossing();
        port.up_mfb_freed = 0;
        port.groups.clear();
        port.down_mfb_crossing = Crossing();
        port.down_mvb_crossing = Crossing();
        port.down_mfb.clear();
        port.down_mvb.clear();
    }
    m_chosen = -1;
    m_last_port = m_c.ports - 1;
    m_pool_returns.clear();
    m_word_returns.clear();
    m_entry_returns.clear();
    m_waiting_groups.clear();
    m_last_frames.clear();
    m_last_available = -1;
    m_rq = FrameBus(m_c.rq_regions, m_c.up_region_items, m_c.one_start);
    m_tx_taken = 0;
    m_tx_ends.clear();
    m_tx.clear();
    m_on_link.clear();
    m_on_link_down.clear();
    m_in_core.clear();
    m_cut_short.clear();
    m_lost.clear();
    forget_dllps();
    m_credits_taken.clear();
    m_up_free_fs = m_down_free_fs = 0;
    m_at_host.clear();
    m_rc = FrameBus(m_c.rc_regions, m_c.down_region_items, m_c.one_start);
    m_storage.clear();
    m_output_free = 0;
    m_headers.clear();
    m_headers_free = 0;
    fill_tags();
}

bool Endpoint::in_reset(std::int64_t time) {
    if (!m_resets.empty() && time >= m_resets.front().until_fs) {
        m_resets.pop_front();
        m_in_reset = false;
    }
    if (m_resets.empty() || time < m_resets.front().from_fs) return false;
    if (!m_in_reset) {
        clear();
        // A crossing in reset is full for its writing side, which learns later that it is not any more.
        const std::int64_t usable =
            to_d(first_edge(m_c.p_phase_fs, m_c.p_period_fs, m_resets.front().until_fs));
        for (Port& port : m_ports)
            port.up_mvb_crossing.usable = port.up_mfb_crossing.usable =
                m_resets.front().up_goes_on ? usable : 0;
    }
    m_in_reset = true;
    return true;
}

void Endpoint::d_edge(std::int64_t cycle) {
    if (in_reset(d_time(cycle)) && !m_resets.front().up_goes_on) {
        for (PortRecords& records : ports) {
            records.up_mvb.push_back({});
            records.up_mfb.push_back({});
            records.down_mfb.push_back({});
            records.down_mvb.push_back({});
        }
        return;
    }
    for (std::size_t p = 0; p < m_ports.size(); ++p) {
        up_headers(m_ports[p], ports[p], cycle);
        up_frames(m_ports[p], ports[p], cycle);
        down(m_ports[p], ports[p], cycle);
    }
}

void Endpoint::up_headers(Port& port, PortRecords& records, std::int64_t cycle) {
    if (port.up_mvb.empty()) {
        while (static_cast<int>(port.up_mvb.size()) < m_c.mvb_up_items &&
               port.next_header < port.requests.size() && port.available[port.next_header] <= cycle) {
            const int number = port.requests[port.next_header++];
            port.up_mvb.push_back(number);
            m_offered_fs[static_cast<std::size_t>(number)] = d_time(cycle);
            const Request& request = m_requests[static_cast<std::size_t>(number)];
            if (!request.read) port.up_mfb.add(number, payload_items(request.length), cycle);
        }
    }
    const bool src_rdy = !port.up_mvb.empty();
    const bool dst_rdy =
        cycle >= port.up_mvb_crossing.usable && port.up_mvb_crossing.words(cycle) < m_c.up_fifo_words;
    records.up_mvb.push_back({src_rdy, dst_rdy, static_cast<int>(port.up_mvb.size())});
    if (src_rdy && dst_rdy) {
        port.groups.push_back({port.up_mvb, to_p(cycle) + m_c.up_cycles});
        port.up_mvb.clear();
        ++port.up_mvb_crossing.written;
    }
}

void Endpoint::up_frames(Port& port, PortRecords& records, std::int64_t cycle) {
    port.up_mfb.present(cycle);
    const Word* word = port.up_mfb.word();
    const bool dst_rdy =
        cycle >= port.up_mfb_crossing.usable && port.up_mfb_crossing.words(cycle) < m_c.up_fifo_words;
    records.up_mfb.push_back(pins(word, dst_rdy));
    if (word == nullptr || !dst_rdy) return;
    for (std::size_t r = 0; r < word->size(); ++r) {
        if (!(*word)[r].eof) continue;
        Write& write = m_writes[static_cast<std::size_t>((*word)[r].frame)];
        write.readable = to_p(cycle);
        write.word = port.up_mfb_crossing.written;
        for (std::size_t later = r + 1; later < word->size(); ++later) {
            if ((*word)[later].sof) write.later_start = true;
        }
    }
    ++port.up_mfb_crossing.written;
    port.up_mfb.move();
}

void Endpoint::down(Port& port, PortRecords& records, std::int64_t cycle) {
    const bool frames = !port.down_mfb.empty() && port.down_mfb.front().from <= cycle;
    const bool frames_ready = ready(m_c.down_mfb_duty, cycle);
    records.down_mfb.push_back(pins(frames ? &port.down_mfb.front().word : nullptr, frames_ready));
    if (frames && frames_ready) {
        port.down_mfb.pop_front();
        port.down_mfb_crossing.left.push_back(to_p(cycle));
    }
    const bool headers = !port.down_mvb.empty() && port.down_mvb.front().from <= cycle;
    const bool headers_ready = ready(m_c.down_mvb_duty, cycle);
    records.down_mvb.push_back({headers, headers_ready, headers ? port.down_mvb.front().items : 0});
    if (headers && headers_ready) {
        port.down_mvb.pop_front();
        port.down_mvb_crossing.left.push_back(to_p(cycle));
    }
}

// ---- P cycles ----

void Endpoint::p_edge(std::int64_t cycle) {
    if (in_reset(p_time(cycle))) {
        brakes.push_back(0);
        rq.push_back({});
        rc.push_back({});
        free_tags.push_back(m_c.tags);
        free_words.push_back(m_c.storage_words);
        m_first_cycle = cycle + 1;
        return;
    }
    brakes.push_back(0);
    if (!m_downs.empty() && p_time(cycle) >= m_downs.front().from_fs) {
        go_down(m_downs.front().from_fs, m_downs.front().until_fs);
        m_downs.pop_front();
    }
    transmit(p_time(cycle));
    take_returns(cycle);
    tag_manager(cycle);
    request_frames(cycle);
    request_bus(cycle);
    // A read not yet on the link is ready at or after this edge: all that are ready before it are known.
    send_completions(p_time(cycle));
    receive_completions(cycle);
    completion_bus(cycle);
    end_lost_reads(cycle);
    headers_out(cycle);
    storage_output(cycle);
}

void Endpoint::request_frames(std::int64_t cycle) {
    if (m_waiting_groups.empty() || cycle <= m_last_available) return;
    const Granted& group = m_waiting_groups.front();
    if (cycle < group.cycle + m_c.header_cycles) return;
    int last_write = -1;
    for (const int request : group.requests) {
        if (!m_requests[static_cast<std::size_t>(request)].read) last_write = request;
    }
    if (last_write >= 0) {
        const std::int64_t readable = m_writes[static_cast<std::size_t>(last_write)].readable;
        if (readable < 0 || cycle < readable + m_c.payload_cycles) return;
    }
    for (const int request : group.requests)
        m_rq.add(request, frame_items(request), cycle);
    m_last_available = cycle;
    m_waiting_groups.pop_front();
}

void Endpoint::request_bus(std::int64_t cycle) {
    const bool presented = m_rq.present(cycle);
    const Word* word = m_rq.word();
    if (presented) {
        // The start of a group's last frame: the group has left in the next cycle.
        for (const Region& region : *word) {
            if (region.sof && region.frame == m_last_frames.front()) m_last_frames.pop_front();
        }
    }
    const bool dst_rdy = link_has_room(cycle) && ready(m_c.rq_duty, cycle);
    rq.push_back(pins(word, dst_rdy));
    if (word == nullptr || !dst_rdy) return;
    for (const Region& region : *word) {
        if (!region.eof) continue;
        const auto request = static_cast<std::size_t>(region.frame);
        events[request].rq_moved = cycle;
        m_tx_taken += tlp_bytes(region.frame);
        m_tx.push_back({region.frame, p_time(cycle) + m_c.tx_latency_fs});
        if (!m_requests[request].read) {
            free_up_words(m_ports[static_cast<std::size_t>(m_requests[request].port)], m_writes[request],
                          cycle);
        }
    }
    m_rq.move();
}

void Endpoint::free_up_words(Port& port, const Write& write, std::int64_t cycle) {
    const std::int64_t freed = write.word + (write.later_start ? 0 : 1);
    while (port.up_mfb_freed < freed) {
        port.up_mfb_crossing.left.push_back(to_d(cycle));
        ++port.up_mfb_freed;
    }
}

bool Endpoint::link_has_room(std::int64_t cycle) {
    while (!m_tx_ends.empty() && m_tx_ends.front().end_fs < p_time(cycle)) {
        m_tx_taken -= m_tx_ends.front().bytes;
        m_tx_ends.pop_front();
    }
    return m_tx_taken < m_c.tx_buffer_bytes;
}

/// Starts all TLPs that start before a time: one behind the other, each as soon as it is ready and has its
/// credits.
void Endpoint::transmit(std::int64_t before_fs) {
    while (!m_tx.empty()) {
        const int request = m_tx.front().request;
        // Acks of completions go behind the requests that were offered before they were due.
        while (!m_acks.due.empty() && m_acks.due.front() <= m_offered_fs[static_cast<std::size_t>(request)]) {
            m_up_free_fs = std::max(m_up_free_fs, m_acks.due.front()) + 8 * m_c.up_fs_per_byte;
            m_acks.due.pop_front();
        }
        const std::int64_t could = std::max(m_tx.front().ready_fs, m_up_free_fs);
        const std::int64_t start = credits_at(request, could);
        if (start >= before_fs) break;
        credits_short = credits_short || start > could;
        m_tx.pop_front();
        send(request, start);
    }
    reach_host(before_fs);
}

void Endpoint::send(int request, std::int64_t start_fs) {
    const std::int64_t duration = tlp_bytes(request) * m_c.up_fs_per_byte;
    std::int64_t end = start_fs + duration;
    while (m_c.up_damaged.count(m_up_transmissions++) != 0)
        end += m_c.nak_latency_fs + duration;
    m_up_free_fs = end;
    m_tx_ends.push_back({end, tlp_bytes(request)});
    // What is known to be free again does not count any more.
    const auto free = [&](const AtHost& before) { return before.known_free_fs <= start_fs; };
    m_credits_taken.erase(std::remove_if(m_credits_taken.begin(), m_credits_taken.end(), free),
                          m_credits_taken.end());
    take_credits(request, end + m_c.propagation_fs);
    m_on_link.push_back({request, end});
}

void Endpoint::take_credits(int request, std::int64_t arrival_fs) {
    const Request& r = m_requests[static_cast<std::size_t>(request)];
    std::int64_t known = arrival_fs +
                         m_holds_fs[static_cast<std::size_t>(r.address / 4096 % m_holds_fs.size())] +
                         m_c.credit_update_fs;
    // Buffers of one kind free their places in order.
    for (const AtHost& before : m_credits_taken) {
        if (m_requests[static_cast<std::size_t>(before.request)].read == r.read)
            known = std::max(known, before.known_free_fs);
    }
    m_credits_taken.push_back({request, known});
}

void Endpoint::reach_host(std::int64_t before_fs) {
    while (!m_on_link.empty() && m_on_link.front().end_fs + m_c.propagation_fs < before_fs) {
        const OnLink tlp = m_on_link.front();
        m_on_link.pop_front();
        m_end_fs[static_cast<std::size_t>(tlp.request)] = tlp.end_fs;
        const Request& r = m_requests[static_cast<std::size_t>(tlp.request)];
        const std::int64_t arrival = tlp.end_fs + m_c.propagation_fs;
        answer_by_dllp(m_host_dllps[0], arrival);
        const bool finite = r.read ? m_c.nonposted_headers != 0 : m_c.posted_headers + m_c.posted_data != 0;
        if (finite) {
            answer_by_dllp(
                m_host_dllps[r.read ? 2 : 1],
                arrival + m_holds_fs[static_cast<std::size_t>(r.address / 4096 % m_holds_fs.size())]);
        }
        if (r.read) answer(tlp.request, arrival);
    }
}

void Endpoint::forget_dllps() {
    m_acks = DllpTimer();
    for (DllpTimer& timer : m_host_dllps)
        timer = DllpTimer();
}

/// One DLLP answers everything until it is due.
void Endpoint::answer_by_dllp(DllpTimer& timer, std::int64_t time_fs) const {
    if (m_c.dllp_interval_fs == 0 || time_fs <= timer.last) return;
    timer.last = time_fs + m_c.dllp_interval_fs;
    timer.due.push_back(timer.last);
}

/// Puts what the host has to send until a time behind the completions so far.
void Endpoint::send_host_dllps(std::int64_t until_fs) {
    for (;;) {
        DllpTimer* first = nullptr;
        for (DllpTimer& timer : m_host_dllps) {
            if (!timer.due.empty() && (first == nullptr || timer.due.front() < first->due.front()))
                first = &timer;
        }
        if (first == nullptr || first->due.front() + m_c.dllp_lag_fs > until_fs) return;
        m_down_free_fs =
            std::max(m_down_free_fs, first->due.front() + m_c.dllp_lag_fs) + 8 * m_c.down_fs_per_byte;
        first->due.pop_front();
    }
}

void Endpoint::go_down(std::int64_t from_fs, std::int64_t until_fs) {
    transmit(from_fs);
    send_completions(from_fs);
    std::set<int> lost;
    for (const Completion& completion : m_at_host)
        lost.insert(completion.request);
    m_at_host.clear();
    std::deque<OnLink> rest;
    m_credits_taken.clear();
    for (OnLink tlp : m_on_link) {
        if (tlp.end_fs > from_fs) {
            // It goes on later.
            tlp.end_fs += until_fs - from_fs;
            m_tx_ends.back().end_fs = m_up_free_fs = tlp.end_fs;
            rest.push_back(tlp);
            take_credits(tlp.request, tlp.end_fs + m_c.propagation_fs);
            continue;
        }
        m_end_fs[static_cast<std::size_t>(tlp.request)] = tlp.end_fs;
        ++lost_on_link;
        if (m_requests[static_cast<std::size_t>(tlp.request)].read) lost.insert(tlp.request);
    }
    m_on_link = rest;
    lost_on_link += static_cast<int>(lost.size());
    for (const int request : lost) {
        if (m_cut_short.count(request) == 0) lose(request);
    }
    m_up_free_fs = std::max(m_up_free_fs, until_fs);
    m_down_free_fs = std::max(m_down_free_fs, until_fs);
    forget_dllps();
}

int Endpoint::data_credits(int request) const {
    const Request& r = m_requests[static_cast<std::size_t>(request)];
    const std::uint64_t first = r.address / 4;
    const std::uint64_t last = (r.address + static_cast<std::uint64_t>(r.length) - 1) / 4;
    return static_cast<int>((last - first + 1 + 3) / 4);
}

/// The host has room for a request, as the transmitter knows at a time.
bool Endpoint::have_credits(int request, std::int64_t time) const {
    const bool read = m_requests[static_cast<std::size_t>(request)].read;
    int headers = 1;
    int data = read ? 0 : data_credits(request);
    for (const AtHost& other : m_credits_taken) {
        if (m_requests[static_cast<std::size_t>(other.request)].read != read || other.known_free_fs <= time)
            continue;
        ++headers;
        if (!read) data += data_credits(other.request);
    }
    if (read) return m_c.nonposted_headers == 0 || headers <= m_c.nonposted_headers;
    return (m_c.posted_headers == 0 || headers <= m_c.posted_headers) &&
           (m_c.posted_data == 0 || data <= m_c.posted_data);
}

/// First time from `time` on at which a request has its credits.
std::int64_t Endpoint::credits_at(int request, std::int64_t time) const {
    if (have_credits(request, time)) return time;
    std::int64_t first = -1;
    for (const AtHost& other : m_credits_taken) {
        if (other.known_free_fs > time && (first < 0 || other.known_free_fs < first) &&
            have_credits(request, other.known_free_fs))
            first = other.known_free_fs;
    }
    return first;
}

int Endpoint::tlp_bytes(int request) const {
    const Request& r = m_requests[static_cast<std::size_t>(request)];
    return r.read ? m_c.read_overhead_bytes : m_c.write_overhead_bytes + on_link(r.address, r.length);
}

/// Bytes of payload on the link.
int Endpoint::on_link(std::uint64_t address, int length) const {
    if (!m_c.whole_dwords) return length;
    int dwords = 0;
    for (std::uint64_t byte = address / 4 * 4; byte < address + static_cast<std::uint64_t>(length); byte += 4)
        ++dwords;
    return 4 * dwords;
}

int Endpoint::frame_items(int request) const {
    const Request& r = m_requests[static_cast<std::size_t>(request)];
    return r.read ? m_c.rq_header_items_read : m_c.rq_header_items_write + payload_items(r.length);
}

int Endpoint::payload_items(int bytes) const {
    return (bytes + m_c.item_bytes - 1) / m_c.item_bytes;
}

}  // namespace tlmetry::reference
