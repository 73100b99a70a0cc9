// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/batch_means.hpp>
#include <tlmetry/account/counts.hpp>
#include <tlmetry/account/prediction.hpp>
#include <tlmetry/account/statistics.hpp>
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

/// How a card is measured.
struct Method {
    time_fs warmup_fs = 0;
    time_fs duration_fs = 0;  ///< at least
    bool latencies = false;
    /// From duration_fs on until the confidence interval of the useful rate is no wider to each side than
    /// this part of the rate, or longest_fs is over; 0: for duration_fs.
    double precision = 0;
    time_fs longest_fs = 0;
};

/// What became of a card.
struct Outcome {
    double seconds = 0;
    /// Of each endpoint; empty without requests of its own.
    std::vector<EndpointCounts> counts;
    driver::Measurement telemetry;
    /// One stage each, of all endpoints; empty unless asked for.
    std::vector<LatencyHistogram> latencies;
    /// Over the whole run.
    std::vector<Statistic> statistics;
    /// Useful rate of all endpoints, bytes per second; without batches unless a precision is asked for.
    Confidence confidence;
};

/// Simulates a card without a kernel and measures it as `method` says. Throws UserError like SimulatedCard
/// and the driver. `go_on` is asked every now and then, from the thread of the caller: if it says no,
/// device::Interrupted is thrown.
Outcome run_experiment(const device::SimulatedCard::Config& config, const Method& method,
                       const std::function<bool()>& go_on = {});

/// The same card with one read operation under way at a time, of those that its traffic makes. Without reads
/// in its traffic the times are 0. `reads` are measured at least.
struct IdleLatency {
    IdleRead read;
    std::vector<LatencyHistogram> stages;  ///< by endpoint::ReadLatencies::Stage
};
IdleLatency idle_latency(const device::SimulatedCard::Config& config, std::uint64_t reads = 1000);

}  // namespace tlmetry::account
