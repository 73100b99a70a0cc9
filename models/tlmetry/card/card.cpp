// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/card/card.hpp"

#include <tlmetry/pcie/dllp_rules.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tlmetry::card {

namespace {

const Config& validated(const Config& config, const telemetry::Config& component) {
    config.validate(component);
    return config;
}

}  // namespace

Card::Card(const Config& config, telemetry::Telemetry& component, std::uint64_t seed)
    : m_component(component),
      m_ports(component.config().dma_ports),
      m_host(validated(config, component.config()).host, component.config().pcie_endpoints, seed) {
    const telemetry::Clocks& clocks = component.clocks();
    check_resets(config.timeline, clocks.dma, clocks.pcie);
    schedule(config);
    endpoint::Config engine = endpoint_config(config, component.config(), m_host.least_latency_fs());
    std::vector<endpoint::Endpoint*> all;
    for (std::uint32_t e = 0; e < component.config().pcie_endpoints; ++e) {
        std::vector<endpoint::RequestSource*> sources;
        for (std::uint32_t p = 0; p < m_ports; ++p) {
            const DmaPort port{e, p};
            sources.push_back(
                &m_sources.emplace_back(port_traffic(config, component.config(), port), seed, port.name()));
        }
        engine.seed = seed + e;
        engine.cpu.window = window_of(config, e);
        if (config.through_switch) {
            // The processor asks all of them through one root port, with tags of 8 bits.
            engine.cpu.tags =
                std::min(endpoint::Cpu::most_tags, tags_8bit / component.config().pcie_endpoints);
            engine.cpu.first_tag = e * engine.cpu.tags;
        }
        endpoint::Endpoint& endpoint = m_endpoints.emplace_back(engine, clocks.pcie[e], clocks.dma, sources);
        all.push_back(&endpoint);
        m_feeds.emplace_back(endpoint, component, e).settings(0, settings_word(config));
    }
    m_system = std::make_unique<endpoint::System>(std::move(all), m_host);
    component.on_look([this](time_fs t) { advance(t); });
    expect_next_step();
}

/// Tells the host what changes there, in advance as it bounds the turns of the endpoints, and notes the rest.
void Card::schedule(const Config& config) {
    const auto at = [this](time_fs t, std::function<void()> act) { m_steps.push_back({t, std::move(act)}); };
    Config down = config;
    down.link_up = false;
    for (const Event& event : in_order(config.timeline)) {
        const time_fs from = event.at;
        const time_fs until = end_of(event);
        if (const auto* host = std::get_if<HostChange>(&event.action)) {
            m_host.change_at(from, host->host);
        } else if (const auto* link = std::get_if<LinkChange>(&event.action)) {
            at(from, [this, settings = link_after(config, *link)] {
                const std::uint64_t byte_time = link_byte_time(settings);
                const time_fs interval = pcie::DllpRules(settings).ack_interval_fs();
                for (endpoint::Endpoint& endpoint : m_endpoints)
                    endpoint.set_rates(byte_time, byte_time, interval);
            });
        } else if (std::holds_alternative<LinkDown>(event.action)) {
            at(from, [this, from, until, word = settings_word(down)] {
                for (endpoint::Endpoint& endpoint : m_endpoints)
                    endpoint.link_down(from, until);
                set_settings(from, word);
            });
            at(until, [this, until, word = settings_word(config)] { set_settings(until, word); });
        } else if (const auto* tune_change = std::get_if<TuneChange>(&event.action)) {
            at(from, [this, from, change = *tune_change] {
                for (std::uint32_t e = 0; e < endpoints(); ++e) {
                    endpoint::Tuning next = tuning(e);
                    next[change.event] = change.level;
                    tune(from, e, next);
                }
            });
        } else if (const auto* reset = std::get_if<Reset>(&event.action)) {
            const endpoint::ResetSpan span{from, until, reset->domain};
            m_resets.push_back(span);
            at(from, [this, span] {
                set_resets(span.from, span, true);
                for (endpoint::Endpoint& endpoint : m_endpoints)
                    endpoint.reset(span.from, span.until, span.domain);
            });
            at(until, [this, span] { set_resets(span.until, span, false); });
        }
    }
    std::stable_sort(m_steps.begin(), m_steps.end(),
                     [](const Step& a, const Step& b) { return a.at < b.at; });
}

// Edges at the very time of a step already see it, which those of a change of pins do not: hence the step
// back.

void Card::set_settings(time_fs t, std::uint32_t word) {
    for (endpoint_telemetry::TelemetryFeed& feed : m_feeds)
        feed.settings(t - 1, word);
}

void Card::set_resets(time_fs t, const endpoint::ResetSpan& reset, bool level) {
    for (std::uint32_t e = 0; reset.of_pcie() && e < endpoints(); ++e)
        m_component.set_pcie_reset(t - 1, e, level);
    if (reset.of_dma()) m_component.set_dma_reset(t - 1, level);
}

void Card::expect_next_step() {
    const time_fs t = m_steps.empty() ? never : m_steps.front().at;
    m_component.expect_reset(t);
    for (endpoint::Endpoint& endpoint : m_endpoints)
        endpoint.expect_change(t);
}

void Card::advance(time_fs t) {
    while (!m_steps.empty() && m_steps.front().at < t) {
        const Step step = std::move(m_steps.front());
        m_steps.pop_front();
        go_to(step.at);
        // A reset lets the component look, and thereby calls this again.
        step.act();
        expect_next_step();
    }
    go_to(t);
}

DmaSource::Statistics Card::asked(std::uint32_t e, std::uint32_t p) const {
    DmaSource::Statistics statistics = m_sources[e * m_ports + p].statistics();
    // A port fetches some requests ahead.
    const endpoint::UpPort& port = m_endpoints[e].up(p);
    for (std::size_t i = 0; i < port.requests_ahead(); ++i) {
        --statistics.requests;
        statistics.operations -= (port.request_ahead(i).flags & generator::flag::last) != 0;
    }
    return statistics;
}

std::string Card::unbalanced() const {
    for (std::uint32_t e = 0; e < endpoints(); ++e) {
        const std::string text = m_endpoints[e].unbalanced();
        if (!text.empty()) return "endpoint " + std::to_string(e) + ": " + text;
        const endpoint::Endpoint::Statistics& sent = m_endpoints[e].statistics();
        const host::Statistics& host = m_host.statistics(e);
        const std::uint64_t bytes = host.write_bytes + host.write_bytes_malformed + sent.write_bytes_dropped +
                                    m_endpoints[e].write_bytes_under_way();
        if (bytes != sent.write_bytes) {
            return "endpoint " + std::to_string(e) + ": bytes of writes sent " +
                   std::to_string(sent.write_bytes) + ", committed, dropped or under way " +
                   std::to_string(bytes);
        }
    }
    return "";
}

void Card::go_to(time_fs t) {
    for (endpoint_telemetry::TelemetryFeed& feed : m_feeds) {
        if (!m_watch) feed.sum_frames(t);
    }
    m_system->advance(t);
    if (m_watch) m_watch(t);
    for (endpoint_telemetry::TelemetryFeed& feed : m_feeds)
        feed.commit(t);
}

}  // namespace tlmetry::card
