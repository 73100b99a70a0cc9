// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

namespace tlmetry::host {

/// What the root complex has done for one endpoint, or for all.
struct Statistics {
    std::uint64_t reads = 0;
    std::uint64_t reads_cached = 0;
    std::uint64_t reads_remote = 0;
    std::uint64_t reads_lost = 0;
    std::uint64_t read_latency_fs = 0;
    std::uint64_t read_wait_fs = 0;
    std::uint64_t writes = 0;
    std::uint64_t write_bytes = 0;
    std::uint64_t write_bytes_malformed = 0;
    std::uint64_t write_commit_fs = 0;
    std::uint64_t lines_snooped = 0;
    std::uint64_t lines_read = 0;
    std::uint64_t lines_cached = 0;
    std::uint64_t lines_merged = 0;
    std::uint64_t lines_written = 0;
    std::uint64_t iotlb_hits = 0;
    std::uint64_t iotlb_misses = 0;
};

/// How a statistic is shown.
struct StatisticField {
    const char* name;
    const char* unit;
    const char* description;
    std::uint64_t Statistics::*value;
};

inline constexpr std::array statistic_fields{
    StatisticField{"reads", "requests", "reads that arrived", &Statistics::reads},
    StatisticField{"reads_cached", "requests", "of those, answered from a cache", &Statistics::reads_cached},
    StatisticField{"reads_remote", "requests", "of those, answered by the memory of another node",
                   &Statistics::reads_remote},
    StatisticField{"reads_lost", "requests", "of those, never answered", &Statistics::reads_lost},
    StatisticField{"read_latency", "fs", "sum over answered reads, from the arrival to the first data",
                   &Statistics::read_latency_fs},
    StatisticField{"read_wait", "fs",
                   "part of read_latency that was spent waiting for translations, bandwidth, lines in flight "
                   "and reads in front",
                   &Statistics::read_wait_fs},
    StatisticField{"writes", "requests", "writes that arrived", &Statistics::writes},
    StatisticField{"write_bytes", "bytes", "payload of those writes", &Statistics::write_bytes},
    StatisticField{"write_bytes_malformed", "bytes", "payload of malformed writes, which are dropped",
                   &Statistics::write_bytes_malformed},
    StatisticField{"write_commit", "fs", "sum over writes, from the arrival to the commit",
                   &Statistics::write_commit_fs},
    StatisticField{"lines_snooped", "lines", "looked up in the caches, for reads and writes",
                   &Statistics::lines_snooped},
    StatisticField{"lines_read", "lines", "read from memory for reads", &Statistics::lines_read},
    StatisticField{"lines_cached", "lines", "taken from a cache for reads", &Statistics::lines_cached},
    StatisticField{"lines_merged", "lines", "read from memory to be merged with writes of parts of them",
                   &Statistics::lines_merged},
    StatisticField{"lines_written", "lines", "written to memory", &Statistics::lines_written},
    StatisticField{"iotlb_hits", "requests", "whose translation was in the IO-TLB", &Statistics::iotlb_hits},
    StatisticField{"iotlb_misses", "requests", "whose translation needed a walk through the page tables",
                   &Statistics::iotlb_misses},
};

}  // namespace tlmetry::host
