// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// A request that has come to the host.
struct Arrival {
    time_fs at = 0;
    std::uint64_t address = 0;
    std::uint32_t length = 0;
    std::uint16_t tag = 0;  ///< of reads
    bool read = false;
    bool malformed = false;  ///< beyond MPS, MRRS or a 4 KiB boundary
    std::uint8_t flags = 0;
};

}  // namespace tlmetry::endpoint
