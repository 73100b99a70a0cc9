// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace tlmetry::app {

/// The value of the option --jobs; as many as processors if it is empty. Throws UserError.
std::uint32_t parse_jobs(const std::string& text);

}  // namespace tlmetry::app
