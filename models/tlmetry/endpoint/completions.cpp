// SPDX-License-Identifier: BSD-3-Clause
// The way of completions from the host over the link.
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

void Endpoint::complete_before(time_fs end) {
    if (m_tx_on) {
        complete_through_tx(end);
        return;
    }
    if (m_ready.empty() || m_ready.front().at >= end) {
        m_host_dllps.send(end - 1 - m_dllp_lag, m_dllp_lag, m_link_down);
        return;
    }
    const time_fs from = std::min(m_host_dllps.due(), m_ready.front().at - m_dllp_lag) + m_dllp_lag;
    if (m_config.host.part_gap_fs == 0 && !m_buffer.finite() && m_sent == nullptr &&
        m_link_down.takes_row(from, end)) {
        complete_row(from, end);
        return;
    }
    pass_row();
    while (!m_ready.empty() && m_ready.front().at < end) {
        ReadyQueue::Item ready = m_ready.pop();
        Read& read = m_reads[ready.tag];
        m_host_dllps.send(ready.at - m_dllp_lag, m_dllp_lag, m_link_down);
        do {
            const Part part = cut(read);
            complete(ready.tag, part, m_link_down.send(ready.at, part.bytes));
        } while (read.length != 0 && m_config.host.part_gap_fs == 0);
        if (read.length == 0) continue;
        ready.at += m_config.host.part_gap_fs;
        m_ready.push(ready);
    }
    m_host_dllps.send(end - 1 - m_dllp_lag, m_dllp_lag, m_link_down);
}

/// The same where completions of a read follow each other at once, and the PCIe core takes them all.
void Endpoint::complete_row(time_fs from, time_fs end) {
    const Link& link = m_config.link;
    const Blocks blocks(m_config.host.completion_bytes);
    const std::uint64_t mask = m_config.host.completion_bytes - 1;
    const std::uint32_t overhead = link.completion_overhead;
    const bool analytic = link.analytic_completions;
    const std::uint32_t padding = link.dword_padding ? item_bytes - 1 : 0;
    const time_fs propagation = link.propagation_fs;
    std::size_t count = m_row_count;
    std::uint64_t bytes = 0;
    LinkDirection::Row row(m_link_down, from);
    ReadyQueue::Item ready;
    while (m_ready.pop_before(end, ready)) {
        Read& read = m_reads[ready.tag];
        m_host_dllps.send(ready.at - m_dllp_lag, m_dllp_lag, row);
        row.hold_until(ready.at);
        const std::uint32_t parts = blocks.touched(read.address, read.length);
        if (m_row.size() < count + parts) m_row.resize(2 * m_row.size() + parts);
        std::uint64_t address = read.address;
        const std::uint64_t read_end = address + read.length;
        bytes += read.length;
        read.address = read_end;
        read.length = 0;
        DownStream::Completion* completion = m_row.data() + count;
        do {
            const std::uint64_t part_end = std::min(read_end, (address | mask) + 1);
            const auto length = static_cast<std::uint32_t>(part_end - address);
            std::uint32_t tlp_bytes =
                (((static_cast<std::uint32_t>(address) & padding) + length + padding) & ~padding) + overhead;
            if (analytic && (address & mask) != 0) tlp_bytes -= overhead;
            *completion++ = {row.send(tlp_bytes) + propagation, address, length,
                             static_cast<std::uint16_t>(ready.tag), part_end == read_end};
            address = part_end;
        } while (address != read_end);
        count = static_cast<std::size_t>(completion - m_row.data());
    }
    m_host_dllps.send(end - 1 - m_dllp_lag, m_dllp_lag, row);
    m_statistics.completions += count - m_row_count;
    m_statistics.completion_bytes += bytes;
    m_acks.answer(m_row.data() + m_row_count, m_row.data() + count);
    m_row_count = count;
}

/// The PCIe core keeps a completion that arrives at time `t`. If it has no room, the read has lost its data:
/// what comes of it behind is of no use, and its timeout ends it once all of that has come.
bool Endpoint::keep(std::uint32_t tag, time_fs t) {
    if (m_cut_short[tag] == whole && m_buffer.has_room(t)) return true;
    m_cut_short[tag] = m_pcie.first_after(t);
    ++m_statistics.completions_lost;
    return false;
}

/// Completions may wait behind the link: nobody needs what they return, as far as is known. That way many go
/// on at once, which takes less time than a few now and then.
bool Endpoint::may_lag() const {
    constexpr std::size_t most_waiting = 128;
    return m_plan != nullptr && !m_plan->empty() && m_lost.empty() && m_all_open &&
           m_row_count < most_waiting;
}

/// Completions that have waited behind the link go on.
void Endpoint::pass_row() {
    if (m_row_count == 0) return;
    m_down.arrive(m_row.data(), m_row.data() + m_row_count);
    m_row_count = 0;
}

void Endpoint::reads_done(const DoneRead* first, const DoneRead* last) {
    m_statistics.reads_done += static_cast<std::uint64_t>(last - first);
    if (m_latencies == nullptr && m_all_open) return;
    for (const DoneRead* done = first; done != last; ++done) {
        const Read& read = m_reads[done->tag];
        const time_fs moved = m_dma.time_of(done->moved);
        if (m_latencies != nullptr)
            m_latencies->done(done->tag, read.sent + m_config.link.propagation_fs, moved);
        m_up[read.port].source().read_done(read.request, moved);
    }
}

}  // namespace tlmetry::endpoint
