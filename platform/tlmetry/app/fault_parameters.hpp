// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/device/faults.hpp>

namespace tlmetry::app {

/// Binds `faults.*`.
void bind_faults(config::Registry& registry, device::Faults& faults);

}  // namespace tlmetry::app
