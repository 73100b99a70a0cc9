// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/generator/config.hpp>
#include <tlmetry/traffic/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::app {

/// Where the activity on the observed buses comes from.
enum class TrafficKind {
    requests,  ///< of the DMA ports of a modelled card
    pins,      ///< every bus, brake and level by itself, at random
    idle,      ///< nothing moves
};

/// The parameters `traffic.*`: the kind, and what DMA ports ask for.
struct TrafficParameters {
    TrafficKind kind = TrafficKind::requests;
    generator::Config common;
    // One value for all ports, or one for each: those of endpoint 0, then of endpoint 1, ...
    std::vector<std::uint32_t> read_ppm{500'000};
    std::vector<std::uint32_t> read_bytes{256};
    std::vector<std::uint32_t> write_bytes{256};
    std::vector<std::uint64_t> requests_per_s{1'000'000};
    std::vector<std::uint64_t> payload_bits_per_s{1'000'000'000};
    std::vector<std::uint32_t> outstanding{0};
    std::vector<time_fs> start_fs{0};
    std::vector<time_fs> stop_fs{never};

    /// The registry refers to this object, which must outlive it.
    void bind(config::Registry& registry);

    /// What each of so many ports asks for. Throws UserError for a list of another length.
    std::vector<generator::Config> ports(std::size_t count) const;
};

/// Binds `pins.*`: random activity on the pins.
void bind_pins(config::Registry& registry, traffic::Config& config);

}  // namespace tlmetry::app
