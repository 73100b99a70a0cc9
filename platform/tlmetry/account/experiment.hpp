// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/counts.hpp>
#include <tlmetry/account/prediction.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/endpoint/read_latencies.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace tlmetry::account {

/// Latencies of the reads of all endpoints of a card.
class LatencyWatch {
public:
    /// The card must not be advanced after this object's end.
    LatencyWatch(card::Card& card, std::uint32_t tags);

    /// Counts reads whose header is presented at `from` or later.
    void start(time_fs from);
    const endpoint::ReadLatencies& endpoint(std::uint32_t e) const { return m_endpoints[e]; }
    std::uint32_t endpoints() const { return static_cast<std::uint32_t>(m_endpoints.size()); }
    /// One stage of all endpoints.
    LatencyHistogram total(endpoint::ReadLatencies::Stage stage) const;

private:
    std::deque<endpoint::ReadLatencies> m_endpoints;
};

/// How a stage is shown.
struct StageName {
    const char* name;
    const char* key;
};
inline constexpr std::array<StageName, endpoint::ReadLatencies::stages> stage_names{
    {{"crossing to the PCIe clock", "crossing"},
     {"waiting for the grant", "grant"},
     {"RQ and link to the host", "link"},
     {"host", "host"},
     {"back to the DMA port", "return"},
     {"whole", "whole"}}};

/// What became of a card with traffic of its own.
struct Outcome {
    double seconds = 0;
    std::vector<EndpointCounts> counts;
    driver::Measurement telemetry;
    /// One stage each, of all endpoints; empty unless asked for.
    std::vector<LatencyHistogram> latencies;
};

/// Simulates a card without a kernel for `warmup`, and measures it for `duration`. Throws UserError like
/// SimulatedCard and the driver.
/// `go_on` is asked every now and then, from the thread of the caller: if it says no, device::Interrupted is
/// thrown.
Outcome run_experiment(const device::SimulatedCard::Config& config, time_fs warmup, time_fs duration,
                       bool latencies, const std::function<bool()>& go_on = {});

/// The same card with one read operation under way at a time, of those that its traffic makes. Without reads
/// in its traffic the times are 0. `reads` are measured at least.
struct IdleLatency {
    IdleRead read;
    std::vector<LatencyHistogram> stages;  ///< by endpoint::ReadLatencies::Stage
};
IdleLatency idle_latency(const device::SimulatedCard::Config& config, std::uint64_t reads = 1000);

}  // namespace tlmetry::account
