// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tlmetry::verdict {

/// A generation and a number of lanes.
struct LinkSpeed {
    std::uint32_t generation = 0;
    std::uint32_t lanes = 0;

    /// "Gen4 x16"
    std::string name() const;

    /// GB/s of one direction, before and after the encoding.
    double line_gbytes() const;
    double data_gbytes() const;
};

/// What the telemetry does not know of the link, given by who asks.
struct LinkFacts {
    std::optional<LinkSpeed> trained;  ///< what the link runs at
    std::optional<LinkSpeed> capable;  ///< what both ends could do
    std::uint32_t address_bits = 64;   ///< of requests: 64 makes headers of four dwords, 32 of three
    bool ecrc = false;

    /// True if the link runs below what both ends could do.
    bool trained_down() const;

    /// Bytes of a request besides its payload, and of a completion: framing, header and digest.
    std::uint32_t request_overhead() const;
    std::uint32_t completion_overhead() const;
};

}  // namespace tlmetry::verdict
