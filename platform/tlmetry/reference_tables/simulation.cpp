// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/reference_tables/simulation.hpp"

#include <algorithm>

namespace tlmetry::reference_tables {

Simulation::Simulation(const endpoint::Config& config, time_fs pcie_period_fs, time_fs dma_period_fs,
                       RoundsOfRequests source)
    : m_source(std::move(source)),
      m_endpoint(config, ClockDomain(pcie_period_fs, 0), ClockDomain(dma_period_fs, 0), {&m_source}) {}

void Simulation::advance(time_fs t) {
    SlidingQueue<endpoint::Arrival>& arrivals = m_endpoint.arrivals;
    while (m_now < t) {
        m_now = std::min(t, m_now + m_endpoint.horizon_fs());
        m_endpoint.turn(m_now);
        const time_fs known = m_endpoint.next_arrival(m_now);
        for (; !arrivals.empty() && arrivals.front().at < known; arrivals.pop()) {
            const endpoint::Arrival& arrival = arrivals.front();
            (arrival.read ? m_reads : m_writes).push_back(arrival.at);
            if (arrival.read)
                m_endpoint.answer(arrival.tag, arrival.at + m_endpoint.config().host.least_latency_fs);
        }
    }
}

void Simulation::forget_logs() {
    m_endpoint.rq().clear();
    m_endpoint.rc().clear();
    m_endpoint.up(0).mfb.clear();
    m_endpoint.up(0).mvb.clear();
    m_endpoint.down(0).mfb.clear();
    m_endpoint.down(0).mvb.clear();
    m_endpoint.down(0).cut();
    endpoint::TagManager& manager = m_endpoint.tag_manager();
    for (endpoint::BrakeLog& brake : manager.brake)
        brake.clear();
    manager.tags_taken.clear();
    manager.tags_back.clear();
    manager.words_taken.clear();
    manager.words_back.clear();
    m_endpoint.down_stream().mfb_held.clear();
    m_endpoint.down_stream().mvb_held.clear();
}

}  // namespace tlmetry::reference_tables
