// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/error.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::generator {

/// Throws UserError naming the parameter, the range and the value found outside of it.
inline void require_within(const std::string& parameter, std::uint64_t value, std::uint64_t low,
                           std::uint64_t high, const std::string& unit) {
    if (value >= low && value <= high) return;
    throw UserError(parameter + ": expected " + std::to_string(low) + " to " + std::to_string(high) + " " +
                    unit + ", found " + std::to_string(value));
}

}  // namespace tlmetry::generator
