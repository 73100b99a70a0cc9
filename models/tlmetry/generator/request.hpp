// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/request.hpp>

#include <cstdint>

namespace tlmetry::generator {

/// Bits of Request::flags. The first two are the field Attr[1:0] of the TLP header.
namespace flag {
inline constexpr std::uint8_t no_snoop = 1;
inline constexpr std::uint8_t relaxed_ordering = 2;
inline constexpr std::uint8_t last = 4;  ///< the request ends its operation
}  // namespace flag

/// One memory read or write as a DMA engine hands it to its port. The requests of one operation arrive
/// together.
using endpoint::Request;

}  // namespace tlmetry::generator
