// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/config.hpp>
#include <tlmetry/config/registry.hpp>

#include <string>

namespace tlmetry::app {

/// Binds `card.*`, `ptc.*` and `link.*`.
void bind_card(config::Registry& registry, std::string& shape, card::Config& config);

/// Gives every parameter that nobody has set the value that follows from card.shape, and from the parameters
/// it depends on. To be called once, when all files and options are read.
void apply_shape(config::Registry& registry);

}  // namespace tlmetry::app
