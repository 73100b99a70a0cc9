// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::generator {

__extension__ typedef unsigned __int128 Wide;

/// The upper 64 bits of a product.
inline std::uint64_t product_high(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(Wide{a} * b >> 64);
}

}  // namespace tlmetry::generator
