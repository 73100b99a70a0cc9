// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/config.hpp>
#include <tlmetry/config/registry.hpp>

namespace tlmetry::app {

/// Binds `cpu.*`, what the processor asks of the endpoints, and `tune.*`, the levels and buffers of their
/// root ports.
void bind_cpu(config::Registry& registry, endpoint::Cpu& cpu);
void bind_tune(config::Registry& registry, card::Config& config);

}  // namespace tlmetry::app
