// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tlmetry::app {

/// The register map of the component as a table, fields included.
std::string list_registers();

/// The same as a JSON document with schema `tlmetry.register_map/1` (docs/json.md).
std::string list_registers_json();

}  // namespace tlmetry::app
