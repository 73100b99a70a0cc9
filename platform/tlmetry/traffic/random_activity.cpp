// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/traffic/random_activity.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tlmetry::traffic {

namespace {

// The pins are 11 and 16 bits wide.
constexpr std::uint32_t max_tags = 0x7FF;
constexpr std::uint32_t max_words = 0xFFFF;

}  // namespace

RandomActivity::BusFeed::BusFeed(telemetry::Probe& probe, std::uint32_t bus, const telemetry::BusShape& shape,
                                 BusSource source)
    : m_probe(probe), m_bus(bus), m_words(shape), m_source(std::move(source)) {}

void RandomActivity::BusFeed::mfb(cycle_t from, const telemetry::MfbPins& pins) {
    m_probe.mfb(m_bus).hold(from, m_words.decode(pins));
}

void RandomActivity::BusFeed::mvb(cycle_t from, const telemetry::MvbWord& word) {
    m_probe.mvb(m_bus).hold(from, word);
}

void RandomActivity::EndpointFeed::tell(cycle_t end) {
    brakes.tell(end, [&](cycle_t from, std::uint32_t mask) { probe.brakes().hold(from, {mask}); });
    levels.tell(end, [&](cycle_t from, const telemetry::StatusPins& pins) { status.hold(from, pins); });
}

RandomActivity::RandomActivity(const Config& config, std::uint32_t settings, std::uint64_t seed,
                               telemetry::Telemetry& component) {
    config.validate();
    const telemetry::Config& generics = component.config();
    const auto add_bus = [&](telemetry::Probe& probe, std::uint32_t bus, const telemetry::BusShape& shape,
                             BusRole role, const std::string& name) {
        m_buses.emplace_back(
            probe, bus, shape,
            BusSource(config, role, shape.regions, shape.region_items, generics.mfb_item_bytes, seed, name));
    };
    for (std::uint32_t e = 0; e < generics.pcie_endpoints; ++e) {
        const std::string endpoint = "endpoint" + std::to_string(e) + ".";
        m_endpoints.push_back(
            {component.pcie_probe(e), component.status(e), BrakeSource(config, seed, endpoint + "brakes"),
             LevelSource(config, settings, std::min(generics.tag_capacity, max_tags),
                         std::min(generics.stfifo_capacity, max_words), seed, endpoint + "levels")});
        if (config.kind == Kind::idle) continue;
        add_bus(component.pcie_probe(e), 0, component.pcie_bus(0), BusRole::rq, endpoint + "rq");
        add_bus(component.pcie_probe(e), 1, component.pcie_bus(1), BusRole::rc, endpoint + "rc");
        for (std::uint32_t p = 0; p < generics.dma_ports; ++p) {
            const std::string port = endpoint + "dma" + std::to_string(p) + ".";
            add_bus(component.dma_probe(e), 2 * p, component.dma_bus(0), BusRole::up, port + "up");
            add_bus(component.dma_probe(e), 2 * p + 1, component.dma_bus(1), BusRole::down, port + "down");
        }
    }
    // What stands still is told at once, and an idle component need not ask.
    for (auto& endpoint : m_endpoints)
        endpoint.tell(1);
    if (config.kind == Kind::idle) return;
    component.on_look([this](time_fs t) {
        for (auto& bus : m_buses)
            bus.tell(t);
        for (auto& endpoint : m_endpoints)
            endpoint.tell(endpoint.probe.clock().first_at_or_after(t));
    });
}

}  // namespace tlmetry::traffic
