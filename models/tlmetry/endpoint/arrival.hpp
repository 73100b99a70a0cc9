// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <algorithm>
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

// Bits of its flags: the field Attr[1:0] of the TLP header.
inline constexpr std::uint8_t no_snoop = 1;
inline constexpr std::uint8_t relaxed_ordering = 2;

/// Cache lines, in which memory is read, written and snooped.
inline constexpr std::uint32_t line_bytes = 64;

/// A read that has come to the host.
struct ReadArrival {
    time_fs at = 0;
    std::uint32_t tag = 0;
};

/// What requests that have come to the host add up to, all of them well-formed.
struct RequestSum {
    std::uint64_t writes = 0;
    std::uint64_t write_bytes = 0;
    std::uint64_t lines_written = 0;
    std::uint64_t lines_merged = 0;  ///< of them, those that are not covered
    std::uint64_t lines_read = 0;    ///< by reads
    std::uint64_t lines_snooped = 0;
    time_fs last_write = -1;  ///< when the last of them came

    RequestSum& operator+=(const RequestSum& other) {
        writes += other.writes;
        write_bytes += other.write_bytes;
        lines_written += other.lines_written;
        lines_merged += other.lines_merged;
        lines_read += other.lines_read;
        lines_snooped += other.lines_snooped;
        last_write = std::max(last_write, other.last_write);
        return *this;
    }
};

}  // namespace tlmetry::endpoint
