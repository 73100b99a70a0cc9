// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/config.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::endpoint {

namespace {

void require(bool ok, const char* name, std::uint64_t value, const char* expected) {
    if (!ok) {
        throw UserError(std::string(name) + ": expected " + expected + ", found " + std::to_string(value));
    }
}

/// `why`: what else makes the range what it is.
void require_range(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most,
                   const std::string& why = "") {
    if (value < least || value > most) {
        throw UserError(std::string(name) + ": expected " + std::to_string(least) + " to " +
                        std::to_string(most) + why + ", found " + std::to_string(value));
    }
}

std::string with(const char* name, std::uint64_t value) {
    return " with " + (name + (" = " + std::to_string(value)));
}

bool power_of_two(std::uint64_t value) {
    return value != 0 && (value & (value - 1)) == 0;
}

void check(const char* name, Duty duty) {
    require(duty.of != 0 && duty.ready != 0 && duty.ready <= duty.of, name, duty.ready,
            "a share above 0 and not above 1");
}

}  // namespace

void Config::validate() const {
    constexpr std::uint64_t max_regions = 64;
    constexpr std::uint64_t max_words = 1 << 20;
    constexpr std::uint64_t max_cycles = 1000;
    require_range("telemetry.dma_ports", ports, 1, 16);
    require_range("telemetry.dma_up_mfb_regions", buses.up_regions, 1, max_regions);
    require_range("telemetry.pcie_rq_mfb_regions", buses.rq_regions, 1, max_regions);
    require_range("telemetry.pcie_rc_mfb_regions", buses.rc_regions, 1, max_regions);
    require_range("telemetry.dma_down_mfb_regions", buses.down_regions, 1, max_regions);
    require(power_of_two(buses.up_region_items) && buses.up_region_items <= 4096, "up_region_items",
            buses.up_region_items, "a power of two up to 4096");
    require(power_of_two(buses.down_region_items) && buses.down_region_items <= 4096, "down_region_items",
            buses.down_region_items, "a power of two up to 4096");
    require(buses.rc_regions <= buses.down_regions || buses.rc_regions % buses.down_regions == 0,
            "telemetry.pcie_rc_mfb_regions", buses.rc_regions,
            "not more than telemetry.dma_down_mfb_regions, or a multiple of it");
    require_range("card.mvb_up_items", buses.mvb_up_items, 1, 16);
    require(power_of_two(buses.mvb_down_items) && buses.mvb_down_items <= max_regions, "card.mvb_down_items",
            buses.mvb_down_items, "a power of two up to 64");
    require_range("card.rq_write_header", buses.rq_write_header, 0, 16);
    require_range("card.rq_read_header", buses.rq_read_header, 1, 16);
    require_range("card.rc_header", buses.rc_header, 0, 16);
    require_range("ptc.sync_cycles", ptc.sync_cycles, 1, 16);
    require_range("ptc.down_fifo_words", ptc.down_fifo_words, 2, max_words);
    require_range("ptc.down_almost_full", ptc.down_almost_full, 0, ptc.down_fifo_words - 1,
                  with("ptc.down_fifo_words", ptc.down_fifo_words));
    require_range("ptc.up_cycles", ptc.up_cycles, 0, max_cycles);
    require_range("ptc.header_cycles", ptc.header_cycles, 1, max_cycles);
    require_range("ptc.payload_cycles", ptc.payload_cycles, 1, max_cycles);
    require_range("ptc.header_queue", ptc.header_queue, 1, max_words);
    require_range("ptc.storage_cycles", ptc.storage_cycles, 0, max_cycles);
    require_range("ptc.completion_buffer_headers", ptc.completion_buffer_headers, 0, max_words);
    require_range("ptc.rx_cycles", ptc.rx_cycles, 0, max_cycles);
    require_range("ptc.tags", ptc.tags, buses.mvb_up_items, 1024,
                  with("card.mvb_up_items", buses.mvb_up_items));
    require(power_of_two(ptc.word_bytes) && ptc.word_bytes <= 4096, "ptc.word_bytes", ptc.word_bytes,
            "a power of two up to 4096");
    // The largest group must be granted some time, and the payload of all its writes wait before that.
    const std::uint64_t largest_read = 4096;
    const std::uint64_t up_word_bytes = std::uint64_t{4} * buses.up_region_items * buses.up_regions;
    require_range("ptc.up_fifo_words", ptc.up_fifo_words, buses.mvb_up_items * (4096 / up_word_bytes + 1) + 1,
                  max_words,
                  with("card.mvb_up_items", buses.mvb_up_items) + " and words of " +
                      std::to_string(up_word_bytes) + " bytes on UP");
    require_range("ptc.storage_words", ptc.storage_words,
                  buses.mvb_up_items * (largest_read / ptc.word_bytes + 1) + 1, max_words,
                  with("card.mvb_up_items", buses.mvb_up_items) +
                      " and ptc.word_bytes = " + std::to_string(ptc.word_bytes));
    require(host.rcb == 64 || host.rcb == 128, "link.rcb", host.rcb, "64 or 128");
    if (ptc.completion_headers != 0) {
        require_range(
            "ptc.completion_headers", ptc.completion_headers,
            buses.mvb_up_items * (largest_read / host.rcb + 1), max_words,
            with("card.mvb_up_items", buses.mvb_up_items) + " and link.rcb = " + std::to_string(host.rcb));
    }
    require(power_of_two(host.completion_bytes) && host.completion_bytes <= 4096, "completion_bytes",
            host.completion_bytes, "a power of two up to 4096");
    require_range("link.tx_buffer", link.tx_buffer_bytes, 1, 1 << 24);
    require(ptc.completion_timeout_fs > 0, "ptc.completion_timeout", 0, "a time above 0");
    require(link.nak_latency_fs >= 0 && link.tx_latency_fs >= 0 && link.propagation_fs >= 0 &&
                host.least_latency_fs >= 0 && host.part_gap_fs >= 0,
            "latency", 0, "times that are not negative");
    require(link.dllp_interval_fs > 0, "link.dllp_interval", 0, "a time above 0");
    constexpr std::uint32_t max_credits = 1 << 20;
    require_range("link.posted_header_credits", link.posted_headers, 0, max_credits);
    require_range("link.nonposted_header_credits", link.nonposted_headers, 0, max_credits);
    if (link.posted_data != 0) {
        const std::uint32_t largest_write = (ptc.mps_bytes + credit_bytes - 1) / credit_bytes;
        require_range("link.posted_data_credits", link.posted_data, largest_write, max_credits,
                      with("link.mps", ptc.mps_bytes));
    }
    require(link.credit_update_latency_fs >= 0, "link.credit_update_latency", 0,
            "a time that is not negative");
    require(!link.has_credits() || link.propagation_fs + link.credit_update_latency_fs > 0,
            "link.credit_update_latency", 0,
            "a time above 0 where credits are finite and propagation takes none");
    require(power_of_two(cpu.write_bytes) && cpu.write_bytes <= ptc.mps_bytes, "cpu.write_size",
            cpu.write_bytes, "a power of two not above link.mps");
    require(power_of_two(cpu.read_bytes) && cpu.read_bytes <= std::min(ptc.mps_bytes, ptc.mrrs_bytes),
            "cpu.read_size", cpu.read_bytes, "a power of two not above link.mps and link.mrrs");
    // An interval of less than a femtosecond would be none.
    require_range("cpu.write_rate", cpu.writes_per_s, 0, most_cpu_rate);
    require_range("cpu.read_rate", cpu.reads_per_s, 0, most_cpu_rate);
    require(cpu.read_latency_fs >= 0 && cpu.read_timeout_fs > 0, "cpu.read_latency", 0,
            "times that are not negative");
    for (std::size_t k = 0; k < ptt::tune_events.size(); ++k)
        require_range((std::string("tune.") + ptt::tune_events[k].name).c_str(), tuning.levels[k], 0,
                      ptt::highest_level);
    require(batching.timeout_fs >= 0 && batching.batch_time_fs >= 0, "tune.timeout", 0,
            "times that are not negative");
    check("card.rq_ready", rq);
    check("card.down_mfb_ready", down_mfb);
    check("card.down_mvb_ready", down_mvb);
}

}  // namespace tlmetry::endpoint
