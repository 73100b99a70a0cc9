// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/config.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>

namespace tlmetry::telemetry {

namespace {

[[noreturn]] void refuse(const char* parameter, std::uint64_t value, const std::string& rule) {
    throw UserError(std::string("telemetry.") + parameter + ": expected " + rule + ", found " +
                    std::to_string(value));
}

void require_range(const char* parameter, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
    if (value < low || value > high) {
        refuse(parameter, value, "a value from " + std::to_string(low) + " to " + std::to_string(high));
    }
}

bool is_power_of_two(std::uint64_t x) {
    return x != 0 && (x & (x - 1)) == 0;
}

/// The checks of one bus: its regions and its region size.
void check_bus(const Config& c, const char* regions_name, std::uint32_t regions, const char* bytes_name,
               std::uint32_t bytes) {
    require_range(regions_name, regions, 1, max_regions);
    if (bytes < c.mfb_item_bytes || bytes % c.mfb_item_bytes != 0) {
        refuse(bytes_name, bytes, "a multiple of mfb_item_bytes (" + std::to_string(c.mfb_item_bytes) + ")");
    }
    if (!is_power_of_two(bytes / c.mfb_item_bytes)) {
        refuse(bytes_name, bytes,
               "a power of two of items of " + std::to_string(c.mfb_item_bytes) + " bytes");
    }
    require_range(bytes_name, bytes, 1, 0xFFFF);
}

void check_eof_pos_width(const Config& c, const char* name, std::uint32_t width, std::uint32_t larger_bytes) {
    const std::uint32_t needed = clog2(larger_bytes / c.mfb_item_bytes);
    if (width != needed) {
        refuse(name, width,
               std::to_string(needed) + ", the log2 of the " +
                   std::to_string(larger_bytes / c.mfb_item_bytes) + " items of the larger region");
    }
}

void check_sweep(const Config& c, const char* probe, const ProbeShape& shape) {
    if (shape.sweep_cycles >= c.drain_period) {
        refuse("drain_period", c.drain_period,
               "more than the " + std::to_string(shape.sweep_cycles) + " cycles in which the " + probe +
                   " probe reads out its " + std::to_string(shape.channels) + " channels");
    }
}

}  // namespace

std::uint32_t clog2(std::uint64_t x) {
    std::uint32_t k = 0;
    while (k < 63 && (std::uint64_t{1} << k) < x)
        ++k;
    return k;
}

ProbeShape::ProbeShape(std::uint32_t buses_, std::uint32_t regions_, std::uint32_t brakes_)
    : buses(buses_),
      regions(regions_),
      brakes(brakes_),
      channels(1 + buses * (6 + regions) + brakes),
      groups((channels + slots_per_drain - 1) / slots_per_drain),
      sweep_cycles(slots_per_drain * (groups + 1)),
      fifo_depth(1u << clog2(std::uint64_t{2} * groups * slots_per_drain)) {}

std::uint64_t ProbeShape::counter_mask(std::uint64_t drain_period, std::uint64_t max_step) {
    return (std::uint64_t{1} << clog2(drain_period * max_step + 1)) - 1;
}

Layout::Layout(const Config& c)
    : pcie(2, std::max(c.pcie_rq_mfb_regions, c.pcie_rc_mfb_regions),
           brake_pins + histograms * histogram_bands),
      dma(2 * c.dma_ports, std::max(c.dma_up_mfb_regions, c.dma_down_mfb_regions), 0),
      channels_per_endpoint(pcie.channels + dma.channels),
      entries(1u << clog2(std::uint64_t{c.pcie_endpoints} * channels_per_endpoint)) {}

void Config::validate() const {
    require_range("pcie_endpoints", pcie_endpoints, 1, max_endpoints);
    // More ports than this cannot fit the counter window, whatever the other generics are.
    require_range("dma_ports", dma_ports, 1, 256);
    require_range("mfb_item_bytes", mfb_item_bytes, 1, 255);
    check_bus(*this, "pcie_rq_mfb_regions", pcie_rq_mfb_regions, "pcie_rq_mfb_region_bytes",
              pcie_rq_mfb_region_bytes);
    check_bus(*this, "pcie_rc_mfb_regions", pcie_rc_mfb_regions, "pcie_rc_mfb_region_bytes",
              pcie_rc_mfb_region_bytes);
    check_bus(*this, "dma_up_mfb_regions", dma_up_mfb_regions, "dma_up_mfb_region_bytes",
              dma_up_mfb_region_bytes);
    check_bus(*this, "dma_down_mfb_regions", dma_down_mfb_regions, "dma_down_mfb_region_bytes",
              dma_down_mfb_region_bytes);
    check_eof_pos_width(*this, "pcie_eof_pos_width", pcie_eof_pos_width,
                        std::max(pcie_rq_mfb_region_bytes, pcie_rc_mfb_region_bytes));
    check_eof_pos_width(*this, "dma_eof_pos_width", dma_eof_pos_width,
                        std::max(dma_up_mfb_region_bytes, dma_down_mfb_region_bytes));
    require_range("cnt_width", cnt_width, 33, 64);
    if (!is_power_of_two(drain_period)) refuse("drain_period", drain_period, "a power of two");
    require_range("tag_capacity", tag_capacity, 1, 0x7FFFFFFF);
    require_range("stfifo_capacity", stfifo_capacity, 1, 0x7FFFFFFF);

    const Layout layout(*this);
    check_sweep(*this, "PCIe", layout.pcie);
    check_sweep(*this, "DMA", layout.dma);
    const std::uint64_t window = std::uint64_t{pcie_endpoints} * layout.channels_per_endpoint * 8;
    if (window > 0x8000) {
        refuse("pcie_endpoints", pcie_endpoints,
               "counters of all endpoints that fit the counter window of 32768 bytes (here " +
                   std::to_string(window) + ")");
    }
}

std::vector<std::string> Config::warnings() const {
    std::vector<std::string> result;
    const auto truncated = [&](const std::string& what, std::uint64_t value, std::uint32_t bits,
                               const char* reg) {
        if (value >> bits != 0) {
            result.push_back(what + " = " + std::to_string(value) + " does not fit the " +
                             std::to_string(bits) + " bits of " + reg + " and reads as " +
                             std::to_string(value & ((std::uint64_t{1} << bits) - 1)));
        }
    };
    const Layout layout(*this);
    truncated("telemetry.drain_period", drain_period, 16, "CFG_DRAIN");
    truncated("telemetry.tag_capacity", tag_capacity, 16, "CFG_CAPACITY");
    truncated("telemetry.stfifo_capacity", stfifo_capacity, 16, "CFG_CAPACITY");
    truncated("the number of channels of the PCIe probe", layout.pcie.channels, 8, "CFG_PCIE");
    truncated("the number of channels of the DMA probe", layout.dma.channels, 8, "CFG_DMA");
    truncated("the number of counters of an endpoint", layout.channels_per_endpoint, 8, "CFG_LAYOUT");
    truncated("the number of buses of the DMA probe", layout.dma.buses, 8, "CFG_DMA");
    truncated("telemetry.dma_ports", dma_ports, 8, "CFG_TOPOLOGY");
    return result;
}

}  // namespace tlmetry::telemetry
