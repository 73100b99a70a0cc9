// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/cascade.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/card/config.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tlmetry::account {

/// What a request of one endpoint is on average, reads and writes together.
struct RequestMix {
    double read_share = 0;
    double write_payload = 0;  ///< bytes
    double read_payload = 0;   ///< bytes
    double completions = 0;
    double up_bytes = 0;    ///< of TLPs on the link
    double down_bytes = 0;  ///< of TLPs on the link
    double words = 0;       ///< of the storage FIFO
    double entries = 0;     ///< of completion headers
    // Words of the buses, each as full as its frames let it be.
    double up_words = 0, rq_words = 0, rc_words = 0, down_words = 0;
    double operations = 0;
    double requests = std::numeric_limits<double>::infinity();  ///< that there are at all
    // Of the host's memory; merged: read for writes of parts of them.
    double read_lines = 0, write_lines = 0, merged_lines = 0;
};

/// Of the requests that the DMA ports of endpoint `e` would make, so many of each. Throws UserError like
/// RequestStream, and where there are none at all.
RequestMix request_mix(const card::Config& config, const telemetry::Config& component, std::uint64_t seed,
                       std::uint32_t e, std::size_t sample = 60'000);

/// What can limit the requests of an endpoint.
enum class Limit : std::size_t {
    link_up,
    link_down,
    tags,
    space,    ///< words of the storage FIFO
    headers,  ///< completion headers
    up_bus,
    rq_bus,
    rc_bus,
    down_bus,
    output,   ///< of the storage FIFO: a word of DOWN a cycle, whichever port it is for
    credits,  ///< of the host
    host,     ///< bandwidth of its memory, lines in flight
    demand,   ///< what is asked for
};
inline constexpr std::size_t limits = 13;

/// What arithmetic says of one endpoint in a steady state, without waves and queues.
struct Prediction {
    RequestMix mix;
    /// False: the ports of the endpoint ask for different things, or the processor asks, too.
    bool known = true;
    /// Requests per second that each would allow by itself; infinite where it limits nothing.
    std::array<double, limits> rate{};
    double requests_per_s = 0;  ///< the least of them
    Limit binds = Limit::demand;
    Cascade up, down;
};

/// Times of a read when no other one is under way.
struct IdleRead {
    double hold_s = 0;   ///< from grant to release of its tag
    double whole_s = 0;  ///< from its header at the DMA port to its last completion there
};

/// Of all endpoints, which share the memory of the host; `mixes` has one for each. Requests that come to an
/// end are spread over `seconds`.
std::vector<Prediction> predict(const card::Config& config, const telemetry::Config& component,
                                const telemetry::Clocks& clocks, const std::vector<RequestMix>& mixes,
                                const IdleRead& idle, double seconds);

}  // namespace tlmetry::account
