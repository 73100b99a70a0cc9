// SPDX-License-Identifier: BSD-3-Clause
// What LinkDirection::Row says by code that is compiled for a better processor than the rest: plain
// structures, as no inline function may be compiled for both.
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint::link_lanes {

/// Times of cycles.
struct Clock {
    time_fs start;
    time_fs period;
};

/// When a TLP is at the host.
struct AtHost {
    time_fs at;
};

/// TLPs that are sent one behind the other, with DLLPs among them. All arrays can be read, and `at_host`
/// written, up to a multiple of eight.
struct Row {
    std::size_t count;
    const std::int64_t* offered;  ///< cycles: DLLPs go first that are due then
    const std::int64_t* moved;    ///< cycles: the TLPs are ready then
    const std::int64_t* bytes;
    Clock offers;
    Clock moves;
    time_fs from;  ///< as of LinkDirection::Row, and so are
    time_fs free;
    std::int64_t byte_time;
    std::int64_t dllp_bytes;
    int fraction_bits;
    const time_fs* due;  ///< of DLLPs, in order; behind the last stands one that is never due
    time_fs to_host;     ///< from the end of a TLP on the link
    AtHost* at_host;
    std::size_t dllps;  ///< how many have been sent
};

/// Sends it, on a processor with AVX-512. False: a DLLP comes so late that a TLP may have to wait for its
/// time, and nothing is known.
bool send(Row& row);

}  // namespace tlmetry::endpoint::link_lanes
