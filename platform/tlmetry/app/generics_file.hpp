// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/telemetry_parameters.hpp>
#include <tlmetry/config/registry.hpp>

#include <string>

namespace tlmetry::app {

/// Sets generics from a JSON file: an object with their upper-case names, or one that has it under `generics`
/// (any other key is then left alone, but for `mem_init_ones`, which starts the counter memory at all ones).
/// Throws UserError naming file and key.
void load_generics(config::Registry& registry, telemetry::Config& component, const std::string& path);

}  // namespace tlmetry::app
