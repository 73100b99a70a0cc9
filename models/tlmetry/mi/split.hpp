// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace tlmetry::mi {

inline constexpr std::uint32_t word_bytes = 4;

/// One 32-bit access out of a transfer: the bytes [offset, offset + count) of the transfer's data, beginning
/// in lane `lane` of the word at `address`.
struct WordAccess {
    std::uint64_t address;  ///< of the word, a multiple of 4
    std::uint32_t offset;
    std::uint32_t lane;
    std::uint32_t count;
    std::uint8_t enables;  ///< lanes to transfer, never 0
};

/// A transfer in the terms of the TLM-2.0 generic payload: byte i of the data belongs to the address
/// `address + i mod streaming_width` and is transferred if enables is null or enables[i mod enable_length] is
/// not 0.
struct Transfer {
    std::uint64_t address;
    std::uint32_t length;
    std::uint32_t streaming_width;  ///< not 0
    const std::uint8_t* enables;
    std::uint32_t enable_length;  ///< not 0 where enables is not null

    /// Number of bytes from `address` on that the transfer can touch.
    std::uint32_t span() const { return std::min(length, streaming_width); }
};

/// Calls `access(WordAccess)` for each MI access of a transfer, in the order of its data. Words of which no
/// byte is enabled need no access.
template <typename F>
void split(const Transfer& t, F&& access) {
    const std::uint32_t width = t.span();
    for (std::uint32_t row = 0; row < t.length;) {
        const std::uint32_t row_bytes = std::min(width, t.length - row);
        for (std::uint32_t i = 0; i < row_bytes;) {
            const std::uint64_t address = t.address + i;
            const auto lane = static_cast<std::uint32_t>(address % word_bytes);
            const std::uint32_t count = std::min(word_bytes - lane, row_bytes - i);
            std::uint32_t enables = ((1U << count) - 1U) << lane;
            if (t.enables != nullptr) {
                for (std::uint32_t j = 0; j < count; ++j) {
                    if (t.enables[(row + i + j) % t.enable_length] == 0) enables &= ~(1U << (lane + j));
                }
            }
            if (enables != 0) {
                access(WordAccess{address - lane, row + i, lane, count, static_cast<std::uint8_t>(enables)});
            }
            i += count;
        }
        row += row_bytes;
    }
}

}  // namespace tlmetry::mi
