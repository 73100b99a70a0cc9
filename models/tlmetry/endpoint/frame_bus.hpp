// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/logs.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// Division by a number of regions, which is nearly always a power of two.
class Regions {
public:
    explicit Regions(std::uint32_t count) : m_count(count), m_shift(0) {
        while ((1u << m_shift) < count)
            ++m_shift;
        m_power = (1u << m_shift) == count;
    }
    std::uint32_t count() const { return m_count; }
    std::uint32_t words(std::uint32_t regions) const {
        return m_power ? regions >> m_shift : regions / m_count;
    }
    /// Words that `regions` regions touch when the first is in place `first`.
    std::uint32_t touched(std::uint32_t first, std::uint32_t regions) const {
        return words(first + regions + m_count - 1);
    }
    std::uint32_t place(std::uint32_t region) const {
        return m_power ? region & (m_count - 1) : region % m_count;
    }

private:
    std::uint32_t m_count;
    std::uint32_t m_shift;
    bool m_power;
};

/// The word of a bus that is presented last: frames may still join it.
struct OpenWord {
    cycle_t presented = -1;
    cycle_t moved = -1;
    std::uint32_t used = 0;  ///< regions, 0 before the first word
};

}  // namespace tlmetry::endpoint
