// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/generator/size.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::generator {

/// Which operations are reads.
enum class Mix {
    random,  ///< each by itself with the probability read_ppm
    groups,  ///< writes_per_group writes, then reads_per_group reads, again and again
};

/// Where the next operation lies. It always lies wholly inside the region.
enum class Pattern {
    random,      ///< every aligned place is equally likely
    sequential,  ///< the next aligned place after the end of the one before, reads and writes alike
    stride,      ///< stride_bytes after the start of the one before
};

/// What sets the times at which operations arrive.
enum class Rate {
    saturate,  ///< all are there at once: as fast as possible
    requests,  ///< requests_per_s
    payload,   ///< payload_bits_per_s, of reads and writes together
};

/// Distances between arrivals at a rate.
enum class Spacing {
    constant,     ///< always as the rate says, exact to the femtosecond at any time
    exponential,  ///< random with that mean, as of independent sources
};

/// What a DMA engine asks for. An operation (one descriptor) becomes one or several requests. Shares are in
/// millionths.
struct Config {
    // Reads and writes
    Mix mix = Mix::random;
    std::uint32_t read_ppm = 500'000;
    std::uint32_t writes_per_group = 1;
    std::uint32_t reads_per_group = 1;
    Size read_size;
    Size write_size;
    std::uint32_t no_snoop_ppm = 0;
    std::uint32_t relaxed_ordering_ppm = 0;

    // Addresses: base_address + a multiple of alignment_bytes + offset_bytes
    Pattern pattern = Pattern::random;
    std::uint64_t base_address = std::uint64_t{4} << 30;  ///< needs 64-bit addresses
    std::uint64_t region_bytes = std::uint64_t{64} << 20;
    std::uint64_t alignment_bytes = 4096;  ///< a power of two
    std::uint64_t offset_bytes = 0;
    std::uint64_t stride_bytes = 4096;

    // From operations to requests. Without splitting an operation is passed whole, legal or not.
    bool split = true;               ///< at MPS or MRRS and at 4 KiB boundaries
    std::uint32_t mps_bytes = 256;   ///< most that a write carries
    std::uint32_t mrrs_bytes = 512;  ///< most that a read asks for

    // Arrival times. The requests of an operation arrive together; the rate counts each of them.
    Rate rate = Rate::saturate;
    std::uint64_t requests_per_s = 1'000'000;
    std::uint64_t payload_bits_per_s = 1'000'000'000;
    Spacing spacing = Spacing::constant;
    std::uint32_t burst_requests = 0;  ///< requests between two pauses; 0: no pauses. Operations stay whole.
    time_fs burst_gap_fs = fs_per_us;  ///< pause, added to the distance that the rate sets
    time_fs start_fs = 0;
    time_fs stop_fs = never;         ///< nothing arrives then or later
    std::uint64_t max_requests = 0;  ///< ends the stream, if need be inside an operation; 0: no limit

    // How software closes the loop. The port that knows when an operation completes applies these: the next
    // operation starts when fewer than outstanding_max are under way, and not before gap_fs + gap_fs_per_byte
    // for each of its bytes after the end of the operation that made room. Arrival then means `not before`.
    std::uint32_t outstanding_max = 0;  ///< operations; 0: any number
    bool request_by_request = false;    ///< outstanding_max counts each request as an operation of its own
    time_fs gap_fs = 0;
    time_fs gap_fs_per_byte = 0;

    /// File with the operations, for replay (see TraceReader for its format). Mix, sizes, shares, addresses,
    /// rate and bursts then have no effect; start_fs is added to the times of the file.
    std::string trace_file;

    /// Throws UserError naming the parameter (after `section` and a point), its value and the rule it breaks.
    void validate(const std::string& section = "generator") const;

    /// The same is asked for, but for what is random.
    bool operator==(const Config& other) const;
};

/// Presets: operations of one size in both directions, as fast as possible.
Config only_reads(std::uint32_t bytes);
Config only_writes(std::uint32_t bytes);
Config half_and_half(std::uint32_t bytes);

/// The load of the reference report: 58.0 M requests/s, 25.86 % of them reads, writes of 198 B and reads of
/// 387 B on average with MPS 512 and MRRS 4096. No operation needs splitting. A host that cuts completions at
/// MPS boundaries answers a read with 2.32 completions of 167 B on average.
Config reference_load();

inline constexpr std::uint32_t million = 1'000'000;
inline constexpr std::uint32_t page_bytes = 4096;  ///< a request must not cross a boundary of this
inline constexpr std::uint32_t max_unsplit_bytes = 0xFFFF;

}  // namespace tlmetry::generator
