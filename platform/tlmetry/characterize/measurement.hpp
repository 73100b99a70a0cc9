// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/experiment.hpp>
#include <tlmetry/account/prediction.hpp>
#include <tlmetry/base/latency_histogram.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::characterize {

using Card = device::SimulatedCard::Config;

/// A card whose traffic is to be measured in a steady state.
struct Point {
    Card card;
    bool latencies = false;
    bool equal_requests = true;  ///< all ports ask for requests of one size, or writes and reads of one each
};

/// What became of it. Rates are those of all endpoints.
struct Measurement {
    double seconds = 0;
    std::uint32_t endpoints = 1;
    account::EndpointCounts counts;  ///< sum over the endpoints
    account::Prediction prediction;  ///< of the first endpoint
    account::IdleLatency idle;
    std::vector<LatencyHistogram> latencies;  ///< by endpoint::ReadLatencies::Stage, if asked for

    double read_gbytes() const;
    double write_gbytes() const;
    double gbytes() const { return read_gbytes() + write_gbytes(); }
    /// TLPs: behind the splitting at MPS, MRRS and 4 KiB.
    double requests_per_s() const;
    /// Bytes of useful payload a second that the links could carry if they carried such TLPs and nothing
    /// else.
    double header_bound_gbytes() const;
    double percent_of_header_bound() const;
    double predicted_gbytes() const;
    /// Per request that arrived at the host.
    double per_request(std::uint64_t host::Statistics::*count) const;
};

/// Deterministic, whatever else is measured. Throws UserError like run_experiment().
Measurement measure(const Point& point);

}  // namespace tlmetry::characterize
