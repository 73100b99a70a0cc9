// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "endpoint_reference/endpoint_config.hpp"

#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/system.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::test {

/// A reset, or a link that is down.
struct Interruption {
    bool reset = true;
    endpoint::ResetDomain domain = endpoint::ResetDomain::both;  ///< of a reset
    std::int64_t from_fs = 0;
    std::int64_t until_fs = 0;
};

/// An endpoint and what is asked of it, for both models.
struct Scenario {
    endpoint::Config config;
    reference::EndpointConfig reference;
    std::vector<reference::Request> requests;  ///< in the order of arrival at each port
    std::vector<std::int64_t> latencies_fs;    ///< of reads by their page; negative: it is lost
    std::vector<std::int64_t> holds_fs;  ///< that requests stay in the receive buffer of the host, by page
    std::vector<Interruption> interruptions;  ///< in order
    std::int64_t cycles = 0;                  ///< of the PCIe clock
    bool wide = false;                        ///< little of what is finite binds
};

Scenario random_scenario(std::uint64_t seed);

/// Latencies and times in the receive buffer by page; reads become ready in their order where the scenario
/// says so.
class ListedHost : public endpoint::HostModel {
public:
    explicit ListedHost(const Scenario& scenario)
        : m_latencies(scenario.latencies_fs),
          m_holds(scenario.holds_fs),
          m_ordered(scenario.reference.ordered) {}
    time_fs read(std::uint32_t, const endpoint::Arrival& arrival) override {
        const time_fs latency = m_latencies[arrival.address / 4096 % m_latencies.size()];
        if (latency < 0) return never;
        const time_fs ready = arrival.at + latency;
        m_last = m_ordered ? std::max(m_last, ready) : ready;
        return m_last;
    }
    void write(std::uint32_t, const endpoint::Arrival&) override {}
    time_fs freed(std::uint32_t, const endpoint::Arrival& arrival) override {
        return arrival.at + m_holds[arrival.address / 4096 % m_holds.size()];
    }

private:
    const std::vector<std::int64_t>& m_latencies;
    const std::vector<std::int64_t>& m_holds;
    bool m_ordered;
    time_fs m_last = 0;
};

/// Runs both models; empty when all pins agree in every cycle, else where they first differ.
struct Verdict {
    std::string difference;
    std::uint64_t cycles = 0;
    std::uint32_t brakes = 0;  ///< that were on in some cycle
    bool rq_stalled = false;
    bool up_stalled = false;
    bool down_stalled = false;
    std::uint64_t unbound = 0;   ///< requests that took the engine's short way
    std::uint64_t planned = 0;   ///< of them, those that were planned
    std::uint64_t lagged = 0;    ///< turns behind which completions waited
    bool may_plan = false;       ///< this processor makes plans for such an endpoint
    bool credits_short = false;  ///< a TLP waited for credits
    bool retried = false;        ///< TLPs arrived damaged in both directions
    bool padded = false;         ///< payload took whole dwords on a link that takes time
    bool dllps = false;          ///< there were DLLPs in both directions
    bool overflowed = false;     ///< completions found no room in the PCIe core
    bool timed_out = false;      ///< a read ended by its timeout
    bool lost_on_link = false;   ///< something was lost on a link that went down
    bool headers_cut = false;    ///< completions that ended together had their headers in several words
    bool reset_alone[2] = {};    ///< of the PCIe, DMA clock without the other
};
Verdict compare(const Scenario& scenario, std::uint64_t seed);

}  // namespace tlmetry::test
