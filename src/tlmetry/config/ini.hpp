// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::config {

/// Reads the text of a configuration file; `file` names it in error messages.
///
///     # A comment. In a line with a value it begins at " #" or " ;".
///     [telemetry]
///     drain_period = 1024
///     device = "a text with # or blanks at its ends; \" \\ and \n stand for quote, backslash and line break"
///
/// Throws UserError naming file and line for a line of another form and for a key given twice.
/// (Boost's parser of such files forgets line numbers, so errors could not name them.)
std::vector<Assignment> parse_ini(std::string_view text, const std::string& file);

/// Reads a configuration file. Throws UserError when it cannot be read, too.
std::vector<Assignment> read_ini(const std::string& path);

/// Reads a file and sets its parameters.
void load_ini(Registry& registry, const std::string& path);

/// A complete configuration file with all values as they are now, each with its documentation, that reads
/// back identically.
std::string dump_ini(const Registry& registry);

}  // namespace tlmetry::config
