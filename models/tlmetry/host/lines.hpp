// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/host/config.hpp>

#include <cstdint>

namespace tlmetry::host {

/// The cache lines that a request of `bytes` (1 or more) touches: memory, caches and snoops know whole lines
/// only.
struct Lines {
    std::uint32_t touched = 0;
    std::uint32_t partial = 0;  ///< of those, not covered: a write reads them first, to be merged

    Lines(std::uint64_t address, std::uint32_t bytes) {
        const std::uint32_t from = static_cast<std::uint32_t>(address) & (line_bytes - 1);
        const std::uint64_t to = std::uint64_t{from} + bytes;
        touched = static_cast<std::uint32_t>((to + line_bytes - 1) / line_bytes);
        partial = (from != 0 ? 1U : 0U) + (to % line_bytes != 0 ? 1U : 0U);
        if (partial > touched) partial = touched;
    }
};

}  // namespace tlmetry::host
