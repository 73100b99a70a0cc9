// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/tuning.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// A consumer that is ready in so many of so many cycles, evenly spread: in cycle c when
/// floor((c+1)*ready/of) > floor(c*ready/of).
struct Duty {
    std::uint32_t ready = 1;
    std::uint32_t of = 1;

    bool always() const { return ready == of; }
    /// The first ready cycle from `cycle` on.
    cycle_t next(cycle_t cycle) const {
        if (always()) return cycle;
        // The n-th ready cycle, from 1, is ceil(n*of/ready) - 1.
        const cycle_t n = cycle * ready / of + 1;
        return (n * of + ready - 1) / ready - 1;
    }
};

/// Buses of one endpoint: widths in regions, sizes in items of 4 bytes.
struct Buses {
    std::uint32_t up_regions = 2;
    std::uint32_t rq_regions = 2;
    std::uint32_t rc_regions = 2;
    std::uint32_t down_regions = 2;
    std::uint32_t up_region_items = 8;    ///< of UP and RQ
    std::uint32_t down_region_items = 8;  ///< of RC and DOWN
    std::uint32_t mvb_up_items = 2;       ///< headers in a word of the UP MVB
    std::uint32_t mvb_down_items = 2;     ///< tags that can come back in one cycle
    // Headers in band, in items.
    std::uint32_t rq_write_header = 0;
    std::uint32_t rq_read_header = 1;  ///< the whole frame of a read
    std::uint32_t rc_header = 0;
    bool one_start = false;  ///< on RQ and RC frames start in region 0 only
};

/// PCIE_TRANSACTION_CTRL: resources and the cycles of its pipelines (README.md).
struct Ptc {
    std::uint32_t sync_cycles = 3;
    std::uint32_t up_fifo_words = 512;
    std::uint32_t down_fifo_words = 512;
    std::uint32_t down_almost_full = 4;
    std::uint32_t up_cycles = 4;
    std::uint32_t header_cycles = 9;
    std::uint32_t payload_cycles = 12;
    std::uint32_t header_queue = 32;
    std::uint32_t storage_cycles = 13;
    std::uint32_t tags = 256;
    std::uint32_t storage_words = 1024;
    std::uint32_t word_bytes = 64;
    std::uint32_t completion_headers = 0;         ///< 0: not metered
    std::uint32_t completion_buffer_headers = 0;  ///< that the PCIe core holds; 0: any number
    std::uint32_t rx_cycles = 2;
    time_fs completion_timeout_fs = 50 * fs_per_ms;  ///< from the end of a read request on the link
    // Requests beyond these are malformed.
    std::uint32_t mps_bytes = 4096;
    std::uint32_t mrrs_bytes = 4096;
};

inline constexpr std::uint32_t credit_bytes = 16;  ///< of payload, for one data credit

struct Link {
    // Of one byte on the link in this direction, 2^-16 fs; 0: no time at all.
    std::uint64_t up_byte_time = 0;
    std::uint64_t down_byte_time = 0;
    std::uint32_t write_overhead = 24;  ///< bytes of a TLP that are not its payload
    std::uint32_t read_overhead = 24;
    std::uint32_t completion_overhead = 20;
    bool dword_padding = false;  ///< payload takes whole dwords, from the one with its first byte on
    /// Only a completion that starts at a multiple of Host::completion_bytes has an overhead: the well-known
    /// analytic model counts completions so, whatever the reads that asked for them.
    bool analytic_completions = false;
    std::uint32_t tx_buffer_bytes = 16384;
    // Transmissions of TLPs that arrive damaged: how many of 2^32, and which, by their numbers from 0.
    std::uint32_t up_errors = 0;
    std::uint32_t down_errors = 0;
    std::vector<std::uint64_t> up_damaged;
    std::vector<std::uint64_t> down_damaged;
    time_fs nak_latency_fs = 0;  ///< from the end of such a TLP until the transmitter knows
    /// A TLP is acknowledged, and a free credit told, by a DLLP so long after; `never`: there are none.
    time_fs dllp_interval_fs = never;
    time_fs tx_latency_fs = 0;
    time_fs propagation_fs = 0;
    // Credits that the host gives: its receive buffer, in TLPs and in 16 bytes of payload. 0: no end.
    std::uint32_t posted_headers = 0;
    std::uint32_t posted_data = 0;
    std::uint32_t nonposted_headers = 0;
    time_fs credit_update_latency_fs = 200 * fs_per_ns;  ///< until the endpoint knows that one is free again
    bool goes_down = false;                              ///< Endpoint::link_down() may be called; costs speed

    /// Bytes of a payload on the link.
    std::uint32_t payload(std::uint64_t address, std::uint32_t bytes) const {
        return dword_padding ? ((static_cast<std::uint32_t>(address) & 3) + bytes + 3) & ~3u : bytes;
    }
    bool has_credits() const { return posted_headers != 0 || posted_data != 0 || nonposted_headers != 0; }
};

struct Host {
    time_fs least_latency_fs = 500 * fs_per_ns;  ///< no read is ready earlier
    time_fs part_gap_fs = 0;
    std::uint32_t completion_bytes = 256;  ///< completions end at multiples of it
    std::uint32_t rcb = 64;
};

inline constexpr std::uint64_t most_cpu_rate = 10'000'000'000;  ///< packets a second

/// What the processor asks of the endpoint, apart from all DMA, evenly spread over the time.
struct Cpu {
    std::uint64_t writes_per_s = 0;
    std::uint32_t write_bytes = 64;
    std::uint64_t reads_per_s = 0;
    std::uint32_t read_bytes = 8;
    time_fs read_latency_fs = 200 * fs_per_ns;  ///< in the device, from the request to its completion
    time_fs read_timeout_fs = 50 * fs_per_ms;   ///< after which one that has been lost is given up
    std::uint64_t window = 0xE000'0000;         ///< address of window_bytes that it walks through
    static constexpr std::uint64_t window_bytes = 16 << 20;
    // Of reads, which no other endpoint behind the same root port may use.
    std::uint32_t first_tag = 0;
    std::uint32_t tags = most_tags;
    static constexpr std::uint32_t most_tags = 32;

    bool any() const { return writes_per_s != 0 || reads_per_s != 0; }
};

/// The buffers of a root port, which pass packets on in batches.
struct Batching {
    time_fs timeout_fs = fs_per_us;  ///< that a packet waits for its buffer to reach the watermark
    time_fs batch_time_fs = 0;       ///< at least from one batch of a buffer to the next
};

struct Config {
    std::uint64_t seed = 1;  ///< of errors on the link
    std::uint32_t ports = 1;
    Buses buses;
    Ptc ptc;
    Link link;
    Host host;
    Cpu cpu;
    Tuning tuning;
    Batching batching;
    Duty rq;
    Duty down_mfb;
    Duty down_mvb;

    /// Throws UserError naming the parameter, its value and the rule it breaks.
    void validate() const;
};

}  // namespace tlmetry::endpoint
