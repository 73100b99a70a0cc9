// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/counts.hpp>
#include <tlmetry/account/experiment.hpp>
#include <tlmetry/account/prediction.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::account {

/// Where the bandwidth of a run went, counted and calculated.
struct Account {
    double seconds = 0;
    std::vector<EndpointCounts> counts;
    std::vector<Prediction> predictions;
    std::vector<std::uint32_t> tags_lowest;  ///< free tags; of each endpoint, empty if nobody knows
    IdleRead idle;

    /// The first identity that does not hold, with its endpoint; empty if all do.
    std::string broken_identity() const;
};

/// The account of `counts`, with what arithmetic and an idle card say about the configuration.
Account make_account(const device::SimulatedCard::Config& config, double seconds,
                     std::vector<EndpointCounts> counts, const driver::Measurement* telemetry);

const char* name_of(Limit limit);
/// What binds by arithmetic; "-" if that is not known.
const char* binding(const Prediction& prediction);

/// For people, up to 100 columns wide.
std::string account_text(const Account& account);
/// docs/json.md, Account.
std::string account_json(const Account& account);

/// Latencies of reads: when nothing else is under way, and in the run; by endpoint::ReadLatencies::Stage.
std::string latency_text(const std::vector<LatencyHistogram>& idle,
                         const std::vector<LatencyHistogram>& loaded);
/// docs/json.md, Latencies.
std::string latency_json(const std::vector<LatencyHistogram>& idle,
                         const std::vector<LatencyHistogram>& loaded);

}  // namespace tlmetry::account
