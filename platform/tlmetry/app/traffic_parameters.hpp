// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/generator/config.hpp>
#include <tlmetry/traffic/config.hpp>

namespace tlmetry::app {

/// Where the activity on the observed buses comes from.
enum class TrafficKind {
    requests,  ///< of the DMA ports of a modelled card
    pins,      ///< every bus, brake and level by itself, at random
    idle,      ///< nothing moves
};

/// Binds `traffic.*`: the kind, and what a DMA port asks for.
void bind_traffic(config::Registry& registry, TrafficKind& kind, generator::Config& config);

/// Binds `pins.*`: random activity on the pins.
void bind_pins(config::Registry& registry, traffic::Config& config);

}  // namespace tlmetry::app
