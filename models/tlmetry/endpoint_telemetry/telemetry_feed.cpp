// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/telemetry_feed.hpp"

#include <tlmetry/base/error.hpp>

#include <string>

namespace tlmetry::endpoint_telemetry {

namespace {

void require_equal(const char* name, std::uint64_t telemetry, std::uint64_t endpoint) {
    if (telemetry != endpoint) {
        throw UserError(std::string(name) + ": expected the same of telemetry and endpoint, found " +
                        std::to_string(telemetry) + " and " + std::to_string(endpoint));
    }
}

void require_most(const char* name, std::uint64_t value, std::uint64_t most) {
    if (value > most) {
        throw UserError(std::string(name) + ": expected at most " + std::to_string(most) +
                        ", which the status pins can show, found " + std::to_string(value));
    }
}

void check(const endpoint::Config& config, const telemetry::Telemetry& component) {
    const endpoint::Buses& buses = config.buses;
    require_equal("dma_ports", component.config().dma_ports, config.ports);
    const auto check_bus = [](const char* regions_name, const char* items_name,
                              const telemetry::BusShape& shape, std::uint32_t regions, std::uint32_t items) {
        require_equal(regions_name, shape.regions, regions);
        require_equal(items_name, shape.region_items, items);
    };
    check_bus("rq_regions", "items of an RQ region", component.pcie_bus(0), buses.rq_regions,
              buses.up_region_items);
    check_bus("rc_regions", "items of an RC region", component.pcie_bus(1), buses.rc_regions,
              buses.down_region_items);
    check_bus("up_regions", "items of an UP region", component.dma_bus(0), buses.up_regions,
              buses.up_region_items);
    check_bus("down_regions", "items of a DOWN region", component.dma_bus(1), buses.down_regions,
              buses.down_region_items);
    require_most("tags", config.ptc.tags, 0x7FF);
    require_most("storage_words", config.ptc.storage_words, 0xFFFF);
}

EndpointLogs logs_of(endpoint::Endpoint& endpoint) {
    EndpointLogs logs;
    logs.rq = {&endpoint.rq(), &endpoint.rq_waiting()};
    logs.rc.log = &endpoint.rc();
    for (std::uint32_t p = 0; p < endpoint.config().ports; ++p) {
        endpoint::UpPort& up = endpoint.up(p);
        endpoint::DownPort& down = endpoint.down(p);
        EndpointLogs::Port port;
        port.up = {&up.mfb, &up.mfb_waiting};
        port.up_headers = {&up.mvb, &up.mvb_waiting};
        port.down.log = &down.mfb;
        port.down_headers.log = &down.mvb;
        logs.ports.push_back(port);
    }
    endpoint::TagManager& manager = endpoint.tag_manager();
    for (std::size_t b = 0; b < endpoint::TagManager::brakes; ++b)
        logs.brakes[b] = {&manager.brake[b], &manager.brake_since[b]};
    endpoint::DownStream& down = endpoint.down_stream();
    logs.brakes[4] = {&down.mfb_held, &down.mfb_held_since};
    logs.brakes[5] = {&down.mvb_held, &EndpointLogs::nothing};
    const endpoint::Ptc& ptc = endpoint.config().ptc;
    logs.tags = {&manager.tags_taken, &manager.tags_back, ptc.tags};
    logs.words = {&manager.words_taken, &manager.words_back, ptc.storage_words};
    return logs;
}

}  // namespace

TelemetryFeed::TelemetryFeed(endpoint::Endpoint& endpoint, telemetry::Telemetry& component,
                             std::uint32_t endpoint_index)
    : m_endpoint(endpoint),
      m_feed((check(endpoint.config(), component), logs_of(endpoint)), component, endpoint_index) {}

EndpointLogs TelemetryFeed::logs() const {
    EndpointLogs logs = logs_of(m_endpoint);
    logs.settings = &m_feed.settings();
    return logs;
}

void TelemetryFeed::commit(time_fs t) {
    m_feed.commit(t);
    // What the endpoint adds from now on is a piece of its own.
    for (std::uint32_t port = 0; port < m_endpoint.config().ports; ++port)
        m_endpoint.down(port).cut();
}

}  // namespace tlmetry::endpoint_telemetry
