// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/arrival.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::host {

/// How the latency of reads is distributed.
enum class Latency {
    constant,   ///< latency_fs
    uniform,    ///< every femtosecond from latency_low_fs to latency_high_fs is equally likely
    normal,     ///< mean latency_fs, cut below latency_low_fs and six deviations off the mean
    histogram,  ///< the latencies of latency_file, as often as it counts them
};

/// Root complex and host memory. Shares are in millionths; a limit of 0 is none.
struct Config {
    // Latency of a read from its arrival at the root port to its first data, with nothing else in the way
    Latency latency = Latency::constant;
    time_fs latency_fs = 500 * fs_per_ns;
    time_fs latency_low_fs = 400 * fs_per_ns;
    time_fs latency_high_fs = 600 * fs_per_ns;
    time_fs latency_deviation_fs = 50 * fs_per_ns;
    std::string latency_file;  ///< see read_histogram()

    // Where the data of a read is: in a cache, in the memory of another node, else in local memory
    std::uint32_t cache_ppm = 0;
    std::uint32_t remote_ppm = 0;
    time_fs cache_added_fs = 0;  ///< on top of the latency; a cache may be faster
    time_fs memory_added_fs = 0;
    time_fs remote_added_fs = 0;

    /// No data of a read is ready before all data of the read in front of it, of the same endpoint.
    bool ordered = false;

    // Reading line by line, each root port by itself
    std::uint32_t lines_in_flight = 0;         ///< lines of 64 B being read at a time; 0: any number
    time_fs line_service_fs = 10 * fs_per_ns;  ///< that a line is in flight

    // Address translation, one for all endpoints
    std::uint32_t iotlb_entries =
        0;  ///< translations held, the least recently used one goes; 0: no translation
    std::uint32_t iotlb_page_bytes = 4096;    ///< a power of two
    time_fs iotlb_miss_fs = 330 * fs_per_ns;  ///< of a walk through the page tables
    std::uint32_t iotlb_walks = 0;            ///< at a time; 0: any number

    // Bandwidth of the memory for all endpoints, in lines of 64 B that are read or written
    std::uint64_t memory_bytes_per_s = 0;  ///< reads and writes together
    std::uint32_t read_weight = 1;         ///< while both wait, they get memory_bytes_per_s
    std::uint32_t write_weight = 1;        ///< in this proportion
    std::uint64_t memory_read_bytes_per_s = 0;
    std::uint64_t memory_write_bytes_per_s = 0;

    // Posted writes
    time_fs commit_latency_fs = 100 * fs_per_ns;  ///< from the arrival of a write to its commit
    time_fs write_cost_fs = 0;  ///< a write without relaxed ordering commits so long after those before it

    // Reads whose completion never comes
    std::uint32_t lost_ppb = 0;             ///< of 10^9, each by itself
    std::vector<std::uint64_t> lost_reads;  ///< numbers in the order of arrival from all endpoints, from 0

    /// Throws UserError naming the parameter (after `section` and a point), its value and the rule it breaks.
    void validate(const std::string& section = "host") const;
};

using endpoint::line_bytes;
inline constexpr std::uint32_t million = 1'000'000;

}  // namespace tlmetry::host
