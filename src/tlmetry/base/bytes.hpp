// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry {

/// The word of four bytes in address order: the first byte is the lowest.
inline std::uint32_t word_of(const std::uint8_t* bytes) {
    return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
           std::uint32_t{bytes[3]} << 24;
}

/// Puts a word into four bytes in address order.
inline void put_word(std::uint32_t word, std::uint8_t* bytes) {
    for (unsigned i = 0; i < 4; ++i)
        bytes[i] = static_cast<std::uint8_t>(word >> (8 * i));
}

}  // namespace tlmetry
