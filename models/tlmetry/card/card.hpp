// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/config.hpp>
#include <tlmetry/card/dma_source.hpp>
#include <tlmetry/endpoint/endpoint.hpp>
#include <tlmetry/endpoint/system.hpp>
#include <tlmetry/endpoint_telemetry/telemetry_feed.hpp>
#include <tlmetry/host/root_complex.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::card {

/// All endpoints of a card with the traffic of their DMA ports, and one host behind them, watched by a
/// telemetry component.
///
///     traffic -> endpoint -> host
///                    |
///                telemetry
class Card {
public:
    /// The component asks for what it needs to know; it must not be looked at after this object's end, nor
    /// have been before. Throws UserError like Config::validate().
    Card(const Config& config, telemetry::Telemetry& component, std::uint64_t seed);
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;

    /// Goes on to time `t` and lets the component see everything before it. In what steps changes nothing.
    void advance(time_fs t);

    /// Calls `watch` with each time that advance() reaches: everything before it is in the logs, and the
    /// component has not taken it from there yet. There is one watch.
    void on_advance(std::function<void(time_fs t)> watch) { m_watch = std::move(watch); }
    endpoint_telemetry::EndpointLogs logs(std::uint32_t e) const { return m_feeds[e].logs(); }

    /// Reads of an endpoint that are granted from now on are told to `latencies`, see
    /// endpoint::Endpoint::watch().
    void watch(std::uint32_t e, endpoint::ReadLatencies* latencies) { m_endpoints[e].watch(latencies); }

    /// A listener in front of the host, which must live as long as this. For what it gets to know of
    /// endpoints there is endpoint_to_watch().
    void listen(endpoint::HostModel& listener) { m_system->set_host(listener); }
    endpoint::HostModel& host_model() { return m_host; }
    endpoint::Endpoint& endpoint_to_watch(std::uint32_t e) { return m_endpoints[e]; }

    /// The root port of endpoint `e` has these levels from time `t` on, up to which the card has been
    /// advanced.
    void tune(time_fs t, std::uint32_t e, const endpoint::Tuning& tuning) { m_endpoints[e].tune(t, tuning); }
    const endpoint::Tuning& tuning(std::uint32_t e) const { return m_endpoints[e].tuning(); }

    /// The resets of the timeline, in order.
    const std::vector<endpoint::ResetSpan>& resets() const { return m_resets; }
    /// What an endpoint::Endpoint finds not to add up, and which; empty if nothing.
    std::string unbalanced() const;

    std::uint32_t endpoints() const { return static_cast<std::uint32_t>(m_endpoints.size()); }
    const endpoint::Endpoint& endpoint(std::uint32_t e) const { return m_endpoints[e]; }
    /// What DMA port `p` of endpoint `e` has been asked for: requests whose header it has presented.
    DmaSource::Statistics asked(std::uint32_t e, std::uint32_t p) const;
    const host::RootComplex& host() const { return m_host; }

private:
    /// Something that happens at a time.
    struct Step {
        time_fs at;
        std::function<void()> act;
    };

    void schedule(const Config& config);
    void go_to(time_fs t);
    void expect_next_step();
    void set_settings(time_fs t, std::uint32_t word);
    void set_resets(time_fs t, const endpoint::ResetSpan& reset, bool level);

    telemetry::Telemetry& m_component;
    std::uint32_t m_ports;
    host::RootComplex m_host;
    std::deque<DmaSource> m_sources;
    std::deque<endpoint::Endpoint> m_endpoints;
    std::unique_ptr<endpoint::System> m_system;
    std::deque<endpoint_telemetry::TelemetryFeed> m_feeds;
    std::function<void(time_fs)> m_watch;
    std::vector<endpoint::ResetSpan> m_resets;
    std::deque<Step> m_steps;  // those to come, in the order of time
};

}  // namespace tlmetry::card
