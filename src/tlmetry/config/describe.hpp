// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>

#include <string>
#include <string_view>

namespace tlmetry::config {

/// All there is to know about one parameter; or, for a section, the beginning of names or nothing, the
/// default and the meaning of each parameter. Lines have text_width columns. Throws UserError when nothing
/// has this name.
std::string help_text(const Registry& registry, std::string_view name);

/// The sections and what they are about.
std::string list_sections(const Registry& registry);

/// The values as a JSON document with schema `tlmetry.config/1`: under `parameters` one object per section.
/// Integers and booleans are JSON values, quantities are texts as in a configuration file, lists are arrays.
std::string dump_json(const Registry& registry);

}  // namespace tlmetry::config
