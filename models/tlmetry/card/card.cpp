// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/card/card.hpp"

#include <string>
#include <vector>

namespace tlmetry::card {

namespace {

const Config& validated(const Config& config, const telemetry::Config& component) {
    config.validate(component);
    return config;
}

generator::Config port_traffic(const Config& config, std::size_t port) {
    generator::Config traffic = config.traffic.size() == 1 ? config.traffic.front() : config.traffic[port];
    traffic.mps_bytes = config.link.mps_bytes;
    traffic.mrrs_bytes = config.link.mrrs_bytes;
    if (!config.link_up) traffic.stop_fs = 0;
    return traffic;
}

/// More than the reads that an endpoint knows of from their header on the UP bus on.
std::uint32_t read_window(const endpoint::Config& config) {
    constexpr std::uint32_t more = 64;
    return config.ptc.tags + config.buses.mvb_up_items * (config.ptc.up_fifo_words + more);
}

}  // namespace

Card::Card(const Config& config, telemetry::Telemetry& component, std::uint64_t seed)
    : m_ports(component.config().dma_ports),
      m_host(validated(config, component.config()).host, component.config().pcie_endpoints, seed) {
    const telemetry::Clocks& clocks = component.clocks();
    endpoint::Config engine = endpoint_config(config, component.config(), m_host.least_latency_fs());
    std::vector<endpoint::Endpoint*> all;
    for (std::uint32_t e = 0; e < component.config().pcie_endpoints; ++e) {
        std::vector<endpoint::RequestSource*> sources;
        for (std::uint32_t p = 0; p < m_ports; ++p) {
            const std::string name = "endpoint" + std::to_string(e) + ".dma" + std::to_string(p);
            sources.push_back(&m_sources.emplace_back(port_traffic(config, m_sources.size()),
                                                      read_window(engine), seed, name));
        }
        engine.seed = seed + e;
        endpoint::Endpoint& endpoint = m_endpoints.emplace_back(engine, clocks.pcie[e], clocks.dma, sources);
        all.push_back(&endpoint);
        m_feeds.emplace_back(endpoint, component, e).settings(0, settings_word(config));
    }
    m_system = std::make_unique<endpoint::System>(std::move(all), m_host);
    component.on_look([this](time_fs t) { advance(t); });
}

void Card::advance(time_fs t) {
    m_system->advance(t);
    if (m_watch) m_watch(t);
    for (endpoint_telemetry::TelemetryFeed& feed : m_feeds)
        feed.commit(t);
}

}  // namespace tlmetry::card
