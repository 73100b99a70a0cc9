// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Fields of header dwords that change from TLP to TLP, at their places.
namespace tlmetry::tlp::field {

inline constexpr std::uint32_t four_dwords = 1U << 29;  ///< of Fmt, in DW0

/// `bits` bits of `value` from bit `lowest` on.
constexpr std::uint32_t placed(std::uint32_t value, unsigned lowest, unsigned bits) {
    return (value & ((1U << bits) - 1)) << lowest;
}

// DW0.
constexpr std::uint32_t upper_tag(std::uint32_t tag) {
    return placed(tag >> 9U, 23, 1) | placed(tag >> 8U, 19, 1);
}
constexpr std::uint32_t length(std::uint32_t dwords) {
    return placed(dwords, 0, 10);
}
/// Attr[1:0]: relaxed ordering, no snoop.
constexpr std::uint32_t attributes(std::uint32_t bits) {
    return placed(bits, 12, 2);
}

// DW1 of requests, DW2 of completions.
constexpr std::uint32_t lower_tag(std::uint32_t tag) {
    return placed(tag, 8, 8);
}
// DW1 of requests.
constexpr std::uint32_t byte_enables(std::uint32_t first, std::uint32_t last) {
    return placed(last, 4, 4) | placed(first, 0, 4);
}
// DW1 of completions.
constexpr std::uint32_t byte_count(std::uint32_t bytes) {
    return placed(bytes, 0, 12);
}
// DW2 of completions.
constexpr std::uint32_t lower_address(std::uint32_t address) {
    return placed(address, 0, 7);
}

}  // namespace tlmetry::tlp::field
