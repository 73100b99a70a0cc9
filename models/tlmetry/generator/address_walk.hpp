// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/generator/config.hpp>
#include <tlmetry/generator/wide.hpp>

#include <cstdint>

namespace tlmetry::generator {

/// The addresses of the operations of a valid configuration, one after the other.
class AddressWalk {
public:
    explicit AddressWalk(const Config& config)
        : m_pattern(config.pattern),
          m_first(config.base_address + config.offset_bytes),
          m_room(config.region_bytes - config.offset_bytes),
          m_stride(config.stride_bytes),
          m_alignment_mask(config.alignment_bytes - 1) {
        while ((std::uint64_t{1} << m_alignment_bits) != config.alignment_bytes)
            ++m_alignment_bits;
    }

    /// Address of the next operation, which has `bytes` bytes; 64 random bits choose it where it is random.
    std::uint64_t next(std::uint32_t bytes, std::uint64_t bits) {
        return random() ? next_random(bytes, bits) : next_in_row(bytes);
    }

    bool random() const { return m_pattern == Pattern::random; }
    std::uint64_t next_random(std::uint32_t bytes, std::uint64_t bits) const {
        const std::uint64_t places = ((m_room - bytes) >> m_alignment_bits) + 1;
        return m_first + (product_high(bits, places) << m_alignment_bits);
    }
    std::uint64_t next_in_row(std::uint32_t bytes) {
        const std::uint64_t last = m_room - bytes;  // largest place that fits
        const std::uint64_t place = m_next > last ? 0 : m_next;
        m_next = m_pattern == Pattern::stride ? place + m_stride
                                              : (place + bytes + m_alignment_mask) & ~m_alignment_mask;
        return m_first + place;
    }

private:
    Pattern m_pattern;
    std::uint64_t m_first;  // address of place 0
    std::uint64_t m_room;   // bytes from there to the end of the region
    std::uint64_t m_stride;
    std::uint64_t m_alignment_mask;
    unsigned m_alignment_bits = 0;
    std::uint64_t m_next = 0;  // place of the next operation unless random
};

}  // namespace tlmetry::generator
