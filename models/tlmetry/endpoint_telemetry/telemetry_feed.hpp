// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/endpoint.hpp>
#include <tlmetry/endpoint_telemetry/log_feed.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>

namespace tlmetry::endpoint_telemetry {

/// Lets the telemetry component see one endpoint: counts what happened on its buses, and takes it out of its
/// logs.
///
///     component.on_look([&](time_fs t) { system.advance(t); feed.commit(t); });
///
/// Resets and accesses between two commits are served by that hook. Windows that are counted but not looked
/// at take memory, so look (Telemetry::advance_to) every few drain periods.
class TelemetryFeed {
public:
    /// Endpoint `endpoint_index` of the component, which nobody has looked at yet. Clocks and buses of both
    /// must be the same; both must live as long as this. Throws UserError where buses disagree, or where tags
    /// or storage words do not fit the status pins.
    TelemetryFeed(endpoint::Endpoint& endpoint, telemetry::Telemetry& component,
                  std::uint32_t endpoint_index);

    /// PCIE_STATUS shows `word` from the first PCIe edge after `t` on. Times must not go back, nor behind a
    /// commit.
    void settings(time_fs t, std::uint32_t word) { m_feed.settings(t, word); }

    /// Up to the next commit(), at `t`, the endpoint may log sums: nobody else looks at the logs.
    void sum_frames(time_fs t) { m_endpoint.sum_frames(m_feed.pcie_looks(t), m_feed.dma_looks(t)); }
    /// For others who want to see what happens: to be looked at before each commit().
    EndpointLogs logs() const;

    /// Counts all cycles whose edge is before `t`. The endpoint must have gone that far. No reset may change
    /// before `t` any more, other than through the hook. Throws std::logic_error if the component has looked
    /// further than the last commit.
    void commit(time_fs t);

private:
    endpoint::Endpoint& m_endpoint;
    LogFeed m_feed;
};

}  // namespace tlmetry::endpoint_telemetry
