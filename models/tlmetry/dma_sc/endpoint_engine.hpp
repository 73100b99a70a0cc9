// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/dma_sc/dma_port.hpp>
#include <tlmetry/dma_sc/host_memory.hpp>
#include <tlmetry/endpoint/endpoint.hpp>
#include <tlmetry/endpoint/system.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <systemc>
#include <vector>

namespace tlmetry::dma_sc {

/// An endpoint whose DMA ports are used from SystemC: goes with the time of the kernel, never beyond it, so
/// that whoever uses a DmaPort may ask at any time, and finds out in time what is to be responded. It sleeps
/// while nothing is under way.
class EndpointEngine : public sc_core::sc_module, private endpoint::HostModel {
public:
    /// `sources` has one for each port of the endpoint: DmaPorts, and any others beside them. All that is
    /// referred to must live as long as this. `host` is asked as in endpoint::System. The clocks must have no
    /// end. Throws UserError for a configuration that endpoint::Config::validate() refuses, or that does not
    /// have as many ports.
    EndpointEngine(const sc_core::sc_module_name& name, const endpoint::Config& config,
                   const ClockDomain& pcie, const ClockDomain& dma,
                   const std::vector<endpoint::RequestSource*>& sources, endpoint::HostModel& host,
                   HostMemory& memory);

    /// Calls `observer` with the time up to which everything is decided, after each step. It may take what it
    /// has seen from the logs of endpoint(), then and only then. Without an observer nobody keeps them.
    void on_step(std::function<void(time_fs)> observer) { m_observer = std::move(observer); }

    /// Decides everything before the time of the kernel. It happens by itself as far as transactions need it.
    void advance();

    endpoint::Endpoint& endpoint() { return m_endpoint; }

    /// Steps taken so far.
    std::uint64_t steps() const { return m_steps; }

private:
    friend class DmaPort;

    /// A request that is on its way to the memory.
    struct Access {
        time_fs at = 0;
        DmaPort* port = nullptr;
        std::uint32_t piece = 0;
    };

    time_fs read(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;
    void write(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;
    time_fs freed(std::uint32_t endpoint, const endpoint::Arrival& arrival) override;
    Access access_of(const endpoint::Arrival& arrival) const;

    void start_of_simulation() override { schedule(); }
    void step();
    void schedule();
    void watch_up();
    void drop_logs();

    // For the ports.
    void submitted(const DmaPort::Piece& piece);
    void reach_memory(time_fs until);

    endpoint::Endpoint m_endpoint;
    endpoint::System m_system;
    endpoint::HostModel& m_host;
    HostMemory& m_memory;
    std::vector<DmaPort*> m_ports;  // by port of the endpoint; nullptr: another source
    bool m_others = false;
    std::function<void(time_fs)> m_observer;
    sc_core::sc_event m_wake;
    std::uint64_t m_steps = 0;

    // How much of the logs of UP has been looked at, by port.
    std::vector<std::size_t> m_headers_seen;
    std::vector<std::size_t> m_pieces_seen;

    SlidingQueue<Access> m_accesses;  // in the order of arrival
    std::priority_queue<time_fs, std::vector<time_fs>, std::greater<>>
        m_ready;                           // reads not on their way back
    std::int64_t m_returning = 0;          // reads that are on their way back
    std::uint64_t m_writes_under_way = 0;  // that have not reached the memory
};

}  // namespace tlmetry::dma_sc
