// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <endian.h>

#include <cstdint>
#include <cstring>

namespace tlmetry {

/// The word of four bytes in address order: the first byte is the lowest.
inline std::uint32_t word_of(const std::uint8_t* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return le32toh(word);
}

/// Puts a word into four bytes in address order.
inline void put_word(std::uint32_t word, std::uint8_t* bytes) {
    word = htole32(word);
    std::memcpy(bytes, &word, sizeof word);
}

}  // namespace tlmetry
