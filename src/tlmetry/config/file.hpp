// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace tlmetry::config {

/// Largest file of settings; a recording is none.
inline constexpr std::size_t max_file_bytes = std::size_t{16} << 20;

/// The content of the file `path`; `kind` says in error messages what it is ("map file"). Throws UserError
/// when it cannot be opened or read, or is larger than max_file_bytes, as an endless device is.
std::string read_file(const std::string& kind, const std::string& path);

}  // namespace tlmetry::config
