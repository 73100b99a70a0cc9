// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/traffic/bus_source.hpp>
#include <tlmetry/traffic/config.hpp>
#include <tlmetry/traffic/signal_sources.hpp>
#include <tlmetry/traffic/word_table.hpp>

#include <cstdint>
#include <deque>

namespace tlmetry::traffic {

/// Legal activity on every pin that a telemetry component observes, each bus, brake and level by itself. It
/// stands in for the traffic of a real design; see Config for what can be set.
class RandomActivity {
public:
    /// PCIE_STATUS shows `settings`. The component asks for what it needs to know; it must not be looked at
    /// after this object's end. Throws UserError like Config::validate().
    RandomActivity(const Config& config, std::uint32_t settings, std::uint64_t seed,
                   telemetry::Telemetry& component);
    RandomActivity(const RandomActivity&) = delete;
    RandomActivity& operator=(const RandomActivity&) = delete;

private:
    /// One bus of one probe.
    class BusFeed : public BusSink {
    public:
        BusFeed(telemetry::Probe& probe, std::uint32_t bus, const telemetry::BusShape& shape,
                BusSource source);
        void tell(time_fs t) { m_source.tell(m_probe.clock().first_at_or_after(t), *this); }
        void mfb(cycle_t from, const telemetry::MfbPins& pins) override;
        void mvb(cycle_t from, const telemetry::MvbWord& word) override;

    private:
        telemetry::Probe& m_probe;
        std::uint32_t m_bus;
        WordTable m_words;
        BusSource m_source;
    };
    struct EndpointFeed {
        telemetry::Probe& probe;
        telemetry::EndpointStatus& status;
        BrakeSource brakes;
        LevelSource levels;
        void tell(cycle_t end);
    };

    std::deque<BusFeed> m_buses;
    std::deque<EndpointFeed> m_endpoints;
};

}  // namespace tlmetry::traffic
