// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_reference/endpoint.hpp"

#include <algorithm>

namespace tlmetry::reference {

namespace {

/// What has come back by a cycle.
template <class Returns>
int returned(Returns& returns, std::int64_t cycle) {
    int amount = 0;
    while (!returns.empty() && returns.front().from <= cycle) {
        amount += returns.front().amount;
        returns.pop_front();
    }
    return amount;
}

}  // namespace

int Endpoint::words_reserved(int request) const {
    const Request& r = m_requests[static_cast<std::size_t>(request)];
    const auto offset = static_cast<int>(r.address % static_cast<std::uint64_t>(m_c.word_bytes));
    return (offset + r.length + m_c.word_bytes - 1) / m_c.word_bytes;
}

int Endpoint::rcb_blocks(std::uint64_t address, int length) const {
    const auto rcb = static_cast<std::uint64_t>(m_c.rcb);
    return static_cast<int>((address + static_cast<std::uint64_t>(length) - 1) / rcb - address / rcb) + 1;
}

/// From a header out to the level: one cycle more per level of four-input adders over the words of one
/// cycle's headers.
int Endpoint::space_cycles() const {
    int cycles = 4;
    for (int headers = 4; headers <= m_c.mvb_down_items; headers *= 4)
        ++cycles;
    return cycles;
}

void Endpoint::take_returns(std::int64_t cycle) {
    m_pool += returned(m_pool_returns, cycle);
    m_words += returned(m_word_returns, cycle);
    m_entries += returned(m_entry_returns, cycle);
    free_tags.push_back(m_pool);
    free_words.push_back(m_words);
}

void Endpoint::choose_port(std::int64_t cycle) {
    if (m_chosen >= 0) return;
    for (int step = 1; step <= m_c.ports; ++step) {
        const int candidate = (m_last_port + step) % m_c.ports;
        const Port& port = m_ports[static_cast<std::size_t>(candidate)];
        if (!port.groups.empty() && port.groups.front().at_manager <= cycle) {
            m_chosen = candidate;
            return;
        }
    }
}

void Endpoint::tag_manager(std::int64_t cycle) {
    const bool take_tags = m_buffer <= m_group_max;
    choose_port(cycle);
    if (m_chosen >= 0) {
        Port& port = m_ports[static_cast<std::size_t>(m_chosen)];
        int reads = 0;
        int words = 1;
        int blocks = 0;
        for (const int request : port.groups.front().requests) {
            const Request& r = m_requests[static_cast<std::size_t>(request)];
            if (!r.read) continue;
            ++reads;
            words += words_reserved(request);
            blocks += rcb_blocks(r.address, r.length);
        }
        const int shown = std::min(m_buffer, m_c.mvb_up_items);
        const bool started =
            cycle >= m_first_cycle + (m_c.tags + m_c.mvb_down_items - 1) / m_c.mvb_down_items + 2;
        const bool tags = shown >= reads;
        const bool space = m_words >= words;
        const bool headers = m_c.completion_headers == 0 || m_entries >= blocks;
        const bool queue = static_cast<int>(m_last_frames.size()) < m_c.header_queue;
        if (started && tags && space && headers && queue) {
            grant(port, cycle);
        } else {
            if (m_pool < reads) brakes.back() |= 1u;
            if (m_pool >= reads && !tags) brakes.back() |= 2u;
            if (!space) brakes.back() |= 4u;
            if (!headers) brakes.back() |= 8u;
        }
    }
    // The tag FIFO fills the buffer behind this cycle's grant.
    if (!take_tags) return;
    m_buffer += m_register;
    m_register = 0;
    if (!m_tag_fifo.empty() && m_tag_fifo.front().at_output <= cycle) {
        m_register = m_tag_fifo.front().tags;
        m_tag_fifo.pop_front();
    }
}

void Endpoint::grant(Port& port, std::int64_t cycle) {
    const Group& group = port.groups.front();
    for (const int number : group.requests) {
        const auto request = static_cast<std::size_t>(number);
        events[request].granted = cycle;
        if (!m_requests[request].read) continue;
        m_order[request] = m_granted_reads++;
        m_latency[request] = m_latencies_fs[static_cast<std::size_t>(m_requests[request].address / 4096 %
                                                                     m_latencies_fs.size())];
        m_words_owed[request] = words_reserved(number);
        m_entries_owed[request] = rcb_blocks(m_requests[request].address, m_requests[request].length);
        --m_pool;
        --m_buffer;
        m_words -= m_words_owed[request];
        m_entries -= m_entries_owed[request];
    }
    m_waiting_groups.push_back({group.requests, cycle});
    m_last_frames.push_back(group.requests.back());
    port.up_mvb_crossing.left.push_back(to_d(cycle));
    port.groups.pop_front();
    m_last_port = m_chosen;
    m_chosen = -1;
}

}  // namespace tlmetry::reference
