// SPDX-License-Identifier: BSD-3-Clause
// What UpPlan has found by code that is compiled for a better processor than the rest: plain structures, as
// no inline function may be compiled for both.
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/request.hpp>

#include <cstddef>
#include <cstdint>

namespace tlmetry::endpoint::up_plan {

/// Runs of requests that go forward together.
inline constexpr std::size_t runs = 8;
/// A run begins so many requests early.
inline constexpr std::size_t early = 32;
/// Lengths of runs are multiples of it.
inline constexpr std::size_t block = 8;

/// What is found of each request.
enum Row : std::size_t {
    presented_row,  ///< D cycle of its header
    granted_row,    ///< P
    available_row,  ///< P, to RQ
    start_row,      ///< P, of its start on RQ
    moved_row,      ///< P, of its last word there
    bytes_row,      ///< on the link
    up_moved_row,   ///< D, of the last word on UP
    used_row,       ///< regions in the last word on RQ, and from bit 32 on in that on UP
    // Sums from the beginning of a run on:
    needs_row,
    lines_row,
    payload_row,
    up_fields_row,
    up_sums_row,
    rq_fields_row,
    rq_sums_row,
    row_count
};

// Places of the numbers of used_row.
inline constexpr int up_used_shift = 32;
// Those of needs_row, bytes on the link from bit 0 on; and of up_sums_row and rq_sums_row, items in last
// regions from bit 0 on.
inline constexpr int words_shift = 32;
inline constexpr int entries_shift = 48;
inline constexpr int merged_shift = 16;  // lines_row: lines of writes from bit 0 on
inline constexpr int read_shift = 32;
inline constexpr int snooped_shift = 48;
inline constexpr int opened_shift = 20;
inline constexpr int touched_shift = 40;

/// A bus of a power of two of regions.
struct Bus {
    std::int64_t regions;
    std::int64_t skipped;  // mask of the rest of a word that a frame has ended in
    int shift;             // of regions
    int field_bits;
    std::int64_t ones;  // one in each field of a region
};
/// What crosses in a D cycle is seen in P cycle (cycle * factor + offset) >> shift.
struct ToPcie {
    std::int64_t factor = 1;
    std::int64_t offset = 0;
    int shift = 0;
};
/// All sizes and distances on the way.
struct Rules {
    bool groups_join;  // requests that have arrived meanwhile go in the same group
    time_fs dma_start;
    time_fs dma_period;
    Bus up;
    ToPcie to_pcie;
    cycle_t up_cycles;
    cycle_t header_cycles;
    cycle_t payload_cycles;
    cycle_t most_cycles;
    Bus rq;
    int region_shift;  // of the items of a region
    int storage_shift;
    int rcb_shift;
    std::int64_t read_header;
    std::int64_t write_header;
    std::int64_t read_overhead;
    std::int64_t write_overhead;
    std::int64_t padding;  // 3: TLPs carry whole dwords, else 0
    std::int64_t mps;
    std::int64_t mrrs;
};

/// What is to be found, and what comes out of it.
struct Job {
    const Request* requests;
    std::size_t run;      // requests of each run
    cycle_t first_cycle;  // D, before all arrivals
    std::int64_t* rows[row_count];

    /// Where a run is: everything that the next request depends on.
    enum : std::size_t {
        mvb_free,
        up_moved,
        up_used,
        last_grant,
        last_headers,
        rq_moved,
        rq_used,
        positions
    };
    std::int64_t start[positions];        ///< what the first run begins with
    std::int64_t begin[positions][runs];  ///< what the others have come to by their own first request
    std::int64_t end[positions][runs];
    std::int64_t bad[runs];  ///< first request of a run that cannot be planned; its length: none
};

/// Finds it, on a processor with AVX-512.
void find(const Rules& rules, Job& job);

}  // namespace tlmetry::endpoint::up_plan
