// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/endpoint.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

namespace {

constexpr std::uint32_t item_bytes = 4;

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
      m_horizon(std::min(config.ptc.header_cycles, config.ptc.payload_cycles) * m_pcie.period_fs() +
                config.link.tx_latency_fs + config.link.propagation_fs + config.host.least_latency_fs),
      m_reads(config.ptc.tags),
      m_manager(config, m_up, m_reads),
      m_rq(config, m_pcie),
      m_down(config, m_pcie, m_dma, m_reads, m_manager, *this) {
    for (RequestSource* source : sources)
        m_up.emplace_back(config, m_dma, m_pcie, *source);
    m_ready.reserve(config.ptc.tags);
}

void Endpoint::turn(time_fs end) {
    const cycle_t pcie_end = m_pcie.first_at_or_after(end);
    const cycle_t dma_end = m_dma.first_at_or_after(end);
    complete_before(end);
    m_down.advance(pcie_end);
    do {
        for (UpPort& port : m_up)
            port.advance(dma_end);
        pass_granted();
    } while (m_manager.advance(pcie_end, dma_end));
}

void Endpoint::pass_granted() {
    const Buses& buses = m_config.buses;
    const std::uint32_t region_items_mask = buses.up_region_items - 1;
    while (!m_manager.granted.empty()) {
        const Granted& group = m_manager.granted.front();
        UpPort& port = m_up[group.port];
        cycle_t available = std::max(group.cycle + m_config.ptc.header_cycles, m_last_headers + 1);
        for (std::uint64_t r = group.first + group.requests; r-- > group.first;) {
            if (port.slot(r).request.read) continue;
            const cycle_t crossed = port.payload_crossed(r);
            if (crossed == never) return;
            available = std::max(available, crossed + m_config.ptc.payload_cycles);
            break;
        }
        m_last_headers = available;
        cycle_t presented = 0;
        for (std::uint64_t r = group.first; r < group.first + group.requests; ++r) {
            const UpPort::Slot& slot = port.slot(r);
            const std::uint32_t length = slot.request.length;
            if (slot.request.read) {
                const std::uint32_t items = buses.rq_read_header;
                const RqBus::Passage passage =
                    m_rq.pass(available, (items + region_items_mask) / buses.up_region_items,
                              (items - 1) & region_items_mask, m_config.link.read_overhead);
                presented = passage.presented;
                ++m_statistics.reads;
                m_statistics.read_bytes += length;
                arrivals.push({passage.arrival, slot.request.address, length,
                               static_cast<std::uint16_t>(slot.tag), true, slot.request.flags});
            } else {
                const std::uint32_t items = (length + item_bytes - 1) / item_bytes + buses.rq_write_header;
                const RqBus::Passage passage =
                    m_rq.pass(available, (items + region_items_mask) / buses.up_region_items,
                              (items - 1) & region_items_mask, m_config.link.write_overhead + length);
                presented = passage.presented;
                ++m_statistics.writes;
                m_statistics.write_bytes += length;
                port.write_left(r, passage.moved);
                arrivals.push({passage.arrival, slot.request.address, length, 0, false, slot.request.flags});
            }
        }
        m_manager.left(presented);
        port.forget_before(group.first + group.requests);
        m_manager.granted.pop();
    }
}

void Endpoint::answer(std::uint32_t tag, time_fs ready) {
    m_ready.push_back({ready, m_reads[tag].number, tag});
    std::push_heap(m_ready.begin(), m_ready.end(), Later());
}

void Endpoint::complete_before(time_fs end) {
    const Link& link = m_config.link;
    while (!m_ready.empty() && m_ready.front().at < end) {
        std::pop_heap(m_ready.begin(), m_ready.end(), Later());
        Ready ready = m_ready.back();
        m_ready.pop_back();
        Read& read = m_reads[ready.tag];
        for (;;) {
            const auto offset =
                static_cast<std::uint32_t>(read.address & (m_config.host.completion_bytes - 1));
            const std::uint32_t length = std::min(read.length, m_config.host.completion_bytes - offset);
            const std::uint64_t address = read.address;
            read.address += length;
            read.length -= length;
            if (ready.at > m_link_free) {
                m_link_free = ready.at;
                m_link_fraction = 0;
            }
            m_link_fraction += (length + link.completion_overhead) * link.down_byte_time;
            m_link_free += static_cast<time_fs>(m_link_fraction >> 16);
            m_link_fraction &= 0xFFFF;
            ++m_statistics.completions;
            m_statistics.completion_bytes += length;
            m_down.arrive(m_link_free + link.propagation_fs, ready.tag, address, length, read.length == 0);
            if (read.length == 0) break;
            ready.at += m_config.host.part_gap_fs;
            if (ready.at < end && (m_ready.empty() || Later()(m_ready.front(), ready))) continue;
            m_ready.push_back(ready);
            std::push_heap(m_ready.begin(), m_ready.end(), Later());
            break;
        }
    }
}

void Endpoint::read_done(const Read& read, cycle_t moved) {
    ++m_statistics.reads_done;
    m_up[read.port].source().read_done(read.request, m_dma.time_of(moved));
}

}  // namespace tlmetry::endpoint
