// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// A read from its grant to the header of its last completion. Its place is its tag.
struct Read {
    std::uint64_t address = 0;  ///< of the first byte that is not completed by the host
    std::uint32_t length = 0;   ///< bytes from there on
    std::uint32_t port = 0;
    bool outstanding = false;   ///< granted, and neither done nor lost
    std::uint32_t words = 0;    ///< reserved in the storage FIFO and not returned
    std::uint32_t entries = 0;  ///< of completion headers, likewise
    std::uint64_t number = 0;   ///< in the order of grants
    cycle_t granted = 0;        ///< P
    time_fs sent = 0;           ///< end of the request on the link
    std::uint64_t request = 0;  ///< number of the request at its port
};

/// By tag.
using Reads = std::vector<Read>;

}  // namespace tlmetry::endpoint
