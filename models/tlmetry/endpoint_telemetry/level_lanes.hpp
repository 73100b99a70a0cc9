// SPDX-License-Identifier: BSD-3-Clause
// What Level has done by code that is compiled for a better processor than the rest: plain structures, as no
// inline function may be compiled for both.
#pragma once

#include <tlmetry/endpoint/logs.hpp>

#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint_telemetry::level_lanes {

/// Falls that go side by side.
inline constexpr std::size_t width = 8;

/// Where a level is, and where it has been.
struct Position {
    std::int64_t value;
    std::int64_t lowest;
    std::int64_t highest;
    const endpoint::Step* rise;  ///< the next
};

/// Passes `count` falls, a multiple of the width, and the rises up to the last of them: of those in one cycle
/// rises come first. Behind the last rise stands one that never comes. On a processor with AVX-512.
void pass(const endpoint::Step* falls, std::size_t count, Position& position);

}  // namespace tlmetry::endpoint_telemetry::level_lanes
