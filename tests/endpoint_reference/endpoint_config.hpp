// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>

namespace tlmetry::reference {

/// A fraction, e.g. of the cycles in which a bus is ready.
struct Duty {
    std::int64_t num = 1;
    std::int64_t den = 1;
};

/// Every parameter of models/tlmetry/endpoint/README.md. P is the PCIe clock, D the DMA clock; times in fs.
struct EndpointConfig {
    std::int64_t p_period_fs = 4'000'000;
    std::int64_t p_phase_fs = 0;
    std::int64_t d_period_fs = 5'000'000;
    std::int64_t d_phase_fs = 0;
    int sync_cycles = 3;

    int ports = 1;
    int mvb_up_items = 2;
    int mvb_down_items = 4;

    int item_bytes = 4;
    int up_regions = 2;
    int rq_regions = 2;
    int up_region_items = 8;  ///< of UP and RQ
    int rc_regions = 4;
    int down_regions = 4;
    int down_region_items = 4;  ///< of RC and DOWN
    bool one_start = false;     ///< on RQ and RC

    int rq_header_items_write = 4;
    int rq_header_items_read = 4;  ///< a read is a frame of exactly these
    int rc_header_items = 3;

    int up_fifo_words = 512;
    int down_fifo_words = 512;
    int down_almost_full = 4;

    int up_cycles = 4;
    int header_cycles = 9;
    int payload_cycles = 12;
    int header_queue = 32;
    int storage_cycles = 13;
    int rx_cycles = 0;

    int tags = 256;
    int word_bytes = 64;
    int storage_words = 1024;
    int completion_headers = 0;  ///< 0: not metered
    int completion_buffer = 0;   ///< headers in the PCIe core; 0: infinite
    int rcb = 64;
    int completion_max = 256;  ///< parts of a completion end at multiples of it

    std::int64_t tx_buffer_bytes = std::int64_t{1} << 40;
    std::int64_t up_fs_per_byte = 0;  ///< 0: infinitely fast
    std::int64_t down_fs_per_byte = 0;
    int write_overhead_bytes = 24;
    int read_overhead_bytes = 24;
    int completion_overhead_bytes = 20;
    bool whole_dwords = false;  ///< payload on the link
    std::int64_t tx_latency_fs = 0;
    std::int64_t propagation_fs = 0;
    int posted_headers = 0;  ///< credits of the host; 0: infinite
    int posted_data = 0;
    int nonposted_headers = 0;
    std::int64_t credit_update_fs = 0;
    std::int64_t dllp_interval_fs = 0;  ///< 0: no DLLPs
    std::int64_t dllp_lag_fs = 0;       ///< of those from the host
    std::set<std::int64_t> up_damaged;  ///< numbers of transmissions
    std::set<std::int64_t> down_damaged;
    std::int64_t nak_latency_fs = 0;
    std::int64_t completion_timeout_fs = 50'000'000'000'000;

    bool ordered = true;
    std::int64_t part_gap_fs = 0;

    Duty rq_duty;
    Duty down_mfb_duty;
    Duty down_mvb_duty;
};

/// One request of the DMA side.
struct Request {
    int port = 0;
    std::int64_t arrival_fs = 0;
    std::uint64_t address = 0;
    int length = 0;  ///< bytes
    bool read = false;
};

}  // namespace tlmetry::reference
