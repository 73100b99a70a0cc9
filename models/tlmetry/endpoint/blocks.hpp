// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::endpoint {

inline constexpr std::uint32_t item_bytes = 4;

constexpr std::uint32_t items_of(std::uint32_t bytes) {
    return (bytes + item_bytes - 1) / item_bytes;
}

/// Blocks of a power of two of something, from 0 on: regions of items, words and RCB blocks of bytes.
class Blocks {
public:
    explicit Blocks(std::uint32_t size)
        : m_shift(static_cast<std::uint32_t>(__builtin_ctz(size))), m_mask(size - 1) {}

    std::uint32_t size() const { return m_mask + 1; }
    /// That [start, start + length) touches.
    std::uint32_t touched(std::uint64_t start, std::uint32_t length) const {
        return ((static_cast<std::uint32_t>(start) & m_mask) + length + m_mask) >> m_shift;
    }
    /// That [start, start + length) reaches the end of.
    std::uint32_t ended(std::uint64_t start, std::uint32_t length) const {
        return ((static_cast<std::uint32_t>(start) & m_mask) + length) >> m_shift;
    }
    /// That hold `length` from the start of one on.
    std::uint32_t count(std::uint32_t length) const { return (length + m_mask) >> m_shift; }
    /// Place of the last of `length` in its block.
    std::uint32_t last(std::uint32_t length) const { return (length - 1) & m_mask; }

private:
    std::uint32_t m_shift;
    std::uint32_t m_mask;
};

}  // namespace tlmetry::endpoint
