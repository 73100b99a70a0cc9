// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::testing {

/// The generics of the telemetry block with the defaults of its documentation. The reference model trusts its
/// bench: nothing is checked here.
struct TickingConfig {
    std::uint32_t pcie_endpoints = 1;
    std::uint32_t dma_ports = 1;
    std::uint32_t pcie_rq_mfb_regions = 2;
    std::uint32_t pcie_rc_mfb_regions = 2;
    std::uint32_t dma_up_mfb_regions = 2;
    std::uint32_t dma_down_mfb_regions = 2;
    std::uint32_t pcie_rq_mfb_region_bytes = 32;
    std::uint32_t pcie_rc_mfb_region_bytes = 32;
    std::uint32_t dma_up_mfb_region_bytes = 32;
    std::uint32_t dma_down_mfb_region_bytes = 32;
    std::uint32_t mfb_item_bytes = 4;
    std::uint32_t pcie_eof_pos_width = 3;
    std::uint32_t dma_eof_pos_width = 3;
    std::uint32_t cnt_width = 48;
    std::uint32_t drain_period = 4096;
    std::uint32_t tag_capacity = 256;
    std::uint32_t stfifo_capacity = 1024;
    std::string device = "AGILEX";  ///< changes nothing

    bool padding_documented = false;  ///< padded regions never carry data (the hardware lets them)
    bool memory_ones = false;         ///< every counter starts at all ones (the hardware starts at zero)
};

/// Pins of one observed bus: one bit of a mask and one EOF_POS field per region of the probe. The MVB pins
/// exist on the DMA side only; on the PCIe side they are ignored.
struct BusPins {
    std::uint64_t sof = 0;
    std::uint64_t eof = 0;
    std::vector<std::uint32_t> eof_pos;
    bool src_rdy = false;
    bool dst_rdy = false;
    std::uint64_t mvb_vld = 0;
    bool mvb_src_rdy = false;
    bool mvb_dst_rdy = false;
};

/// PCIe clock pins of one endpoint. Bus 0 is RQ, bus 1 is RC.
struct PciePins {
    bool reset = true;
    std::vector<BusPins> bus;
    std::uint32_t brake = 0;
    std::uint32_t stfifo_free = 0;
    std::uint32_t tag_free = 0;
    std::uint32_t mps = 0;
    std::uint32_t mrrs = 0;
    bool ext_tag = false;
    bool tag10 = false;
    bool rcb = false;
    bool link_up = false;
};

/// DMA clock pins of one endpoint. Bus 2*p is UP, bus 2*p+1 is DOWN of port p.
struct DmaPins {
    std::vector<BusPins> bus;
};

/// Pins of the register bus.
struct MiPins {
    bool reset = true;
    std::uint32_t dwr = 0;
    std::uint32_t addr = 0;
    std::uint32_t be = 0;
    bool rd = false;
    bool wr = false;
};

/// Smallest k with 2^k >= x.
constexpr std::uint32_t ceil_log2(std::uint64_t x) {
    std::uint32_t k = 0;
    while ((std::uint64_t{1} << k) < x)
        ++k;
    return k;
}

/// Everything a probe is built from.
struct TickingProbeShape {
    std::vector<std::uint32_t> real_regions;  ///< per bus
    std::vector<std::uint32_t> region_items;  ///< per bus
    std::uint32_t regions = 0;                ///< of every bus of the probe: the largest of real_regions
    std::uint32_t brakes = 0;
    std::uint32_t eof_pos_width = 0;
    std::uint32_t drain_period = 0;
    bool has_mvb = false;
    bool padding_documented = false;

    std::uint32_t buses() const { return static_cast<std::uint32_t>(real_regions.size()); }
    std::uint32_t channels() const { return 1 + buses() * (6 + regions) + brakes; }
    std::uint32_t groups() const { return (channels() + 7) / 8; }
    std::uint32_t fifo_depth() const { return 1U << ceil_log2(2 * groups() * 8); }
};

}  // namespace tlmetry::testing
