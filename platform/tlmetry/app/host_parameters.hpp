// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/host/config.hpp>

namespace tlmetry::app {

/// Binds `host.*`: root complex and host memory.
void bind_host(config::Registry& registry, host::Config& config);

}  // namespace tlmetry::app
