// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/timeline.hpp>
#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/generator/config.hpp>
#include <tlmetry/host/config.hpp>
#include <tlmetry/pcie/link_settings.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::card {

/// A card with its links, its host and the traffic of its DMA ports. All endpoints are alike. How many there
/// are, their ports, buses and clocks are those of the telemetry component that watches them.
struct Config {
    /// What follows from the rest is filled in by endpoint_config(): ports, regions and their sizes, the
    /// rates and overheads of the link, and of the host all but part_gap_fs.
    endpoint::Config endpoint;
    pcie::LinkSettings link;
    // What both ends of the link could do; 0: no more than it does. Nothing in the models depends on it.
    std::uint32_t capable_generation = 0;
    std::uint32_t capable_lanes = 0;
    bool extended_tags = true;  ///< 8-bit tags; without them there are 32
    bool tags_10bit = false;
    bool link_up = true;            ///< a port asks for nothing while it is not
    bool through_switch = false;    ///< all endpoints are behind a switch at one root port
    time_fs switch_latency_fs = 0;  ///< that it adds in each direction
    host::Config host;
    bool combine_completions = true;   ///< completions of up to MPS; else one for each RCB block
    std::uint32_t up_error_ppb = 0;    ///< TLPs that arrive damaged and are sent again, of 10^9
    std::uint32_t down_error_ppb = 0;  ///< the same of completions
    /// What DMA ports ask for, each with random numbers of its own: one for all ports, or one for each (those
    /// of endpoint 0, then of endpoint 1, ...). MPS and MRRS are those of the link.
    std::vector<generator::Config> traffic{1};
    Timeline timeline;  ///< what changes during the run

    /// Throws UserError naming the parameter, its value and the rule it breaks.
    void validate(const telemetry::Config& component) const;
};

/// What one endpoint of such a card is made from. `least_latency_fs`: no read is ready earlier after its
/// arrival at the host.
endpoint::Config endpoint_config(const Config& config, const telemetry::Config& component,
                                 time_fs least_latency_fs);

Topology topology(const Config& config, const telemetry::Config& component);

/// One of a card's DMA ports.
struct DmaPort {
    std::uint32_t endpoint = 0;
    std::uint32_t number = 0;  ///< at its endpoint

    /// Names its random numbers.
    std::string name() const {
        return "endpoint" + std::to_string(endpoint) + ".dma" + std::to_string(number);
    }
};
/// What it asks for, with the limits of the link; nothing on a link that is not up.
generator::Config port_traffic(const Config& config, const telemetry::Config& component, DmaPort port);

/// Where the processor finds an endpoint: the address of the Cpu::window_bytes that it accesses.
std::uint64_t window_of(const Config& config, std::uint32_t endpoint);

/// The link after a change of its speed.
pcie::LinkSettings link_after(const Config& config, const LinkChange& change);
/// Time of one byte on such a link, in the steps of endpoint::Link.
std::uint64_t link_byte_time(const pcie::LinkSettings& link);

/// PCIE_STATUS: what the link has been set to.
std::uint32_t settings_word(const Config& config);

inline constexpr std::uint32_t item_bytes = 4;  ///< of all buses
inline constexpr std::uint32_t tags_without_extended = 32;
inline constexpr std::uint32_t tags_8bit = 256;
inline constexpr std::uint32_t tags_10bit = 1024;

}  // namespace tlmetry::card
