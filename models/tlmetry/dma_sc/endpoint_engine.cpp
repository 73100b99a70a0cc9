// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/dma_sc/endpoint_engine.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::dma_sc {

namespace {

// Inside the endpoint, an address of a DmaPort tells the request it belongs to and keeps its place in the
// page, which is all that matters there: a mark, the port, the request, the place.
constexpr std::uint64_t marked = std::uint64_t{1} << 63;
constexpr int port_shift = 48;
constexpr std::uint64_t port_mask = 0x7FFF;
constexpr int piece_shift = 12;

const endpoint::Config& with_sources(const endpoint::Config& config, std::size_t sources) {
    config.validate();
    if (config.ports != sources) {
        throw UserError("dma_ports: expected one source for each of the " + std::to_string(config.ports) +
                        " ports, found " + std::to_string(sources));
    }
    return config;
}

}  // namespace

EndpointEngine::EndpointEngine(const sc_core::sc_module_name& name, const endpoint::Config& config,
                               const ClockDomain& pcie, const ClockDomain& dma,
                               const std::vector<endpoint::RequestSource*>& sources,
                               endpoint::HostModel& host, HostMemory& memory)
    : sc_module(name),
      m_endpoint(with_sources(config, sources.size()), pcie, dma, sources),
      m_system({&m_endpoint}, *this),
      m_host(host),
      m_memory(memory),
      m_headers_seen(sources.size()),
      m_pieces_seen(sources.size()) {
    check_fs_resolution(this->name());
    for (endpoint::RequestSource* source : sources) {
        auto* const port = dynamic_cast<DmaPort*>(source);
        if (port != nullptr) port->attach(*this, marked | std::uint64_t{m_ports.size()} << port_shift);
        m_others = m_others || port == nullptr;
        m_ports.push_back(port);
    }
    SC_HAS_PROCESS(EndpointEngine);
    SC_METHOD(step);
    sensitive << m_wake;
    dont_initialize();
}

void EndpointEngine::step() {
    advance();
    reach_memory(kernel_now());
    for (DmaPort* port : m_ports) {
        if (port != nullptr) m_returning -= port->end_reads();
    }
    schedule();
}

void EndpointEngine::advance() {
    const time_fs now = kernel_now();
    m_system.advance(now);
    ++m_steps;
    watch_up();
    if (m_observer) {
        m_observer(now);
    } else {
        drop_logs();
    }
    for (std::uint32_t p = 0; p < m_ports.size(); ++p) {
        m_headers_seen[p] = m_endpoint.up(p).mvb.size();
        m_pieces_seen[p] = m_endpoint.up(p).mfb.size();
    }
}

/// Tells the ports what has moved on their UP buses.
void EndpointEngine::watch_up() {
    const std::uint32_t regions = m_endpoint.config().buses.up_regions;
    for (std::uint32_t p = 0; p < m_ports.size(); ++p) {
        if (m_ports[p] == nullptr) continue;
        endpoint::UpPort& up = m_endpoint.up(p);
        for (std::size_t i = m_headers_seen[p]; i < up.mvb.size(); ++i)
            m_ports[p]->headers_moved(up.mvb[i].moved, up.mvb[i].items);
        for (std::size_t i = m_pieces_seen[p]; i < up.mfb.size(); ++i) {
            const endpoint::Piece& piece = up.mfb[i];
            if (piece.eof())
                m_ports[p]->frame_moved(piece.moved + (piece.first_region + piece.regions - 1) / regions);
        }
    }
}

void EndpointEngine::drop_logs() {
    m_endpoint.rq().clear();
    m_endpoint.rc().clear();
    for (std::uint32_t p = 0; p < m_ports.size(); ++p) {
        m_endpoint.up(p).mfb.clear();
        m_endpoint.up(p).mvb.clear();
        m_endpoint.down(p).mfb.clear();
        m_endpoint.down(p).mvb.clear();
        m_endpoint.down(p).cut();
    }
    endpoint::TagManager& manager = m_endpoint.tag_manager();
    for (endpoint::BrakeLog& brake : manager.brake)
        brake.clear();
    for (endpoint::LevelLog* level :
         {&manager.tags_taken, &manager.tags_back, &manager.words_taken, &manager.words_back})
        level->clear();
    m_endpoint.down_stream().mfb_held.clear();
    m_endpoint.down_stream().mvb_held.clear();
}

/// Sleeps until the edge of the DMA clock at which there may be something to do.
///
/// A read is at its port in an edge that is not before the one that follows the cycle in which it leaves the
/// storage FIFO, so one edge at a time is enough for what is on its way back. A write is responded to one
/// edge after it has moved. What the host has not been asked for is not ready within the horizon.
void EndpointEngine::schedule() {
    const endpoint::Edges& dma = m_endpoint.dma();
    const time_fs now = kernel_now();
    const time_fs next = dma.time_of(dma.first_after(now));
    time_fs wake = never;
    const auto not_after = [&](time_fs t) {
        wake = std::min(wake, t <= next ? next : dma.time_of(dma.first_after(t) - 1));
    };
    const auto not_before = [&](time_fs t) {
        wake = std::min(wake, t <= next ? next : dma.time_of(dma.first_at_or_after(t)));
    };
    for (; !m_ready.empty() && m_ready.top() <= next; m_ready.pop())
        ++m_returning;
    bool busy = m_others || m_writes_under_way != 0;
    if (m_returning > 0) not_after(next);
    if (!m_ready.empty()) not_after(m_ready.top());
    if (!m_endpoint.arrivals.empty()) not_before(m_endpoint.arrivals.front().at + 1);
    if (!m_accesses.empty()) not_after(next);
    for (const DmaPort* port : m_ports) {
        if (port == nullptr) continue;
        busy = busy || port->reads_outstanding() != 0;
        if (port->writes_waiting() != 0) not_after(next);
        // Presented in the first edge at or after it, it is known in the one behind.
        if (port->next_arrival() != never) not_before(port->next_arrival() + dma.period_fs());
        if (port->oldest_arrival() != never)
            not_after(port->oldest_arrival() + m_endpoint.config().ptc.completion_timeout_fs);
    }
    if (busy) not_after(m_endpoint.next_arrival(now));
    if (wake != never) m_wake.notify(to_sc_time(wake - now));
}

void EndpointEngine::submitted(const DmaPort::Piece& piece) {
    if (!piece.read && !piece.malformed) ++m_writes_under_way;
    const endpoint::Edges& dma = m_endpoint.dma();
    m_wake.notify(to_sc_time(dma.time_of(dma.first_at_or_after(piece.arrival) + 1) - kernel_now()));
}

/// What has arrived at the host before `until` reads or writes its memory, in the order of arrival.
void EndpointEngine::reach_memory(time_fs until) {
    for (; !m_accesses.empty() && m_accesses.front().at < until; m_accesses.pop()) {
        const Access& access = m_accesses.front();
        if (!access.port->piece(access.piece).read) --m_writes_under_way;
        access.port->reach_memory(access.piece);
    }
}

time_fs EndpointEngine::read(std::uint32_t number, const endpoint::Arrival& arrival) {
    if ((arrival.address & marked) == 0) return m_host.read(number, arrival);
    Access access = access_of(arrival);
    endpoint::Arrival real = arrival;
    real.address = access.port->piece(access.piece).address;
    const time_fs ready = m_host.read(number, real);
    if (ready == never) return ready;
    m_accesses.push(access);
    m_ready.push(ready);
    return ready;
}

void EndpointEngine::write(std::uint32_t number, const endpoint::Arrival& arrival) {
    if ((arrival.address & marked) == 0) {
        m_host.write(number, arrival);
        return;
    }
    const Access access = access_of(arrival);
    endpoint::Arrival real = arrival;
    real.address = access.port->piece(access.piece).address;
    m_host.write(number, real);
    m_accesses.push(access);
}

time_fs EndpointEngine::freed(std::uint32_t number, const endpoint::Arrival& arrival) {
    if ((arrival.address & marked) == 0) return m_host.freed(number, arrival);
    const Access access = access_of(arrival);
    endpoint::Arrival real = arrival;
    real.address = access.port->piece(access.piece).address;
    return m_host.freed(number, real);
}

EndpointEngine::Access EndpointEngine::access_of(const endpoint::Arrival& arrival) const {
    return {arrival.at, m_ports[arrival.address >> port_shift & port_mask],
            static_cast<std::uint32_t>((arrival.address & ((std::uint64_t{1} << port_shift) - 1)) >>
                                       piece_shift)};
}

}  // namespace tlmetry::dma_sc
