// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/trace/violations.hpp>

#include <cstdint>
#include <optional>

namespace tlmetry::trace {

/// Settings of the device that are not in its TLPs.
struct DeviceLimits {
    std::optional<std::uint32_t> mps;   ///< bytes
    std::optional<std::uint32_t> mrrs;  ///< bytes
};

/// Checks what a TLP alone shows.
void check_tlp(const ptt::TracedTlp& tlp, const DeviceLimits& limits, ViolationLog& log);

/// The bytes that a read asks for: from the first to the last enabled one, at least one.
struct ReadRange {
    std::uint64_t begin;
    std::uint32_t bytes;
};
ReadRange range_of_read(const tlp::Header& header);

}  // namespace tlmetry::trace
