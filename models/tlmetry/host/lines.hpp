// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/host/config.hpp>

#include <algorithm>
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
        // Rounded up, a part of a line is one. No branch: sizes are as good as random.
        const std::uint32_t behind = static_cast<std::uint32_t>(to) & (line_bytes - 1);
        const std::uint32_t parts =
            (from + line_bytes - 1) / line_bytes + (behind + line_bytes - 1) / line_bytes;
        partial = std::min(parts, touched);
    }
};

}  // namespace tlmetry::host
