// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tlmetry::config {

/// Reads the JSON object in the file `path`; `kind` is as in read_file(). Throws UserError naming the file,
/// when it cannot be read or is something else, and when an object has a key twice: the parser would keep the
/// last value and say nothing.
nlohmann::ordered_json read_json_object(const std::string& kind, const std::string& path);

/// The same of a text; messages begin with `place`.
nlohmann::ordered_json parse_json_object(const std::string& place, const std::string& text);

}  // namespace tlmetry::config
