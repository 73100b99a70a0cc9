// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::telemetry {

/// What a bus narrower than its probe shows on the regions it does not have (see docs/telemetry.md).
enum class Padding {
    as_built,    ///< as the hardware: an open frame makes padded regions count
    documented,  ///< as the documentation says: padded regions never carry data
};

/// The generics of PCIE_TELEMETRY_MI, in the order and with the defaults of its documentation. Limits follow
/// from validate(); widths and counts are plain numbers, sizes are bytes.
struct Config {
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
    std::string device = "AGILEX";  ///< only names the FPGA; nothing depends on it

    Padding padding = Padding::as_built;

    /// Content of every counter word before the first delta: all ones instead of zero. The hardware starts at
    /// zero; tests use ones to make every sum wrap.
    bool memory_starts_at_ones = false;

    /// Throws UserError naming the parameter, its value and the rule it breaks.
    void validate() const;

    /// One sentence for each legal value that a register field is too narrow for (the hardware truncates it).
    std::vector<std::string> warnings() const;
};

/// Smallest k with 2^k >= x, for x >= 1.
std::uint32_t clog2(std::uint64_t x);

/// Sizes of one probe, all derived from its buses, regions and brakes.
struct ProbeShape {
    std::uint32_t buses = 0;
    std::uint32_t regions = 0;
    std::uint32_t brakes = 0;    ///< BRAKE pins and histogram bands together
    std::uint32_t channels = 0;  ///< 1 + buses*(6+regions) + brakes
    std::uint32_t groups = 0;
    std::uint32_t sweep_cycles = 0;
    std::uint32_t fifo_depth = 0;

    ProbeShape() = default;
    ProbeShape(std::uint32_t buses, std::uint32_t regions, std::uint32_t brakes);

    /// Largest value of a counter in the probe, all ones: clog2(drain_period * max_step + 1) bits, where
    /// max_step is the most that one cycle adds. The first window after a reset is longer than a drain
    /// period, so that a busy bus can overflow it; later ones cannot.
    static std::uint64_t counter_mask(std::uint64_t drain_period, std::uint64_t max_step);

    /// Index of the first channel of a bus; see BusChannel for what follows.
    std::uint32_t bus_base(std::uint32_t bus) const { return 1 + bus * (6 + regions); }
    std::uint32_t brake_base() const { return 1 + buses * (6 + regions); }
};

/// Channels of one bus, relative to ProbeShape::bus_base(). Region r follows at `region0 + r`.
namespace bus_channel {
inline constexpr std::uint32_t words = 0;
inline constexpr std::uint32_t stalled = 1;
inline constexpr std::uint32_t transactions = 2;
inline constexpr std::uint32_t mvb_items = 3;
inline constexpr std::uint32_t mvb_stalled = 4;
inline constexpr std::uint32_t items = 5;
inline constexpr std::uint32_t region0 = 6;
}  // namespace bus_channel

inline constexpr std::uint32_t slots_per_drain = 8;
inline constexpr std::uint32_t brake_pins = 6;  ///< PCIE_PTC_BRAKE
inline constexpr std::uint32_t histogram_bands =
    4;  ///< of the free tags, then of the free storage FIFO words
inline constexpr std::uint32_t histograms = 2;
inline constexpr std::uint32_t max_endpoints = 16;
inline constexpr std::uint32_t max_regions = 64;  ///< of this model: a mask of regions is one 64-bit integer

/// Sizes of the whole component.
struct Layout {
    ProbeShape pcie;
    ProbeShape dma;
    std::uint32_t channels_per_endpoint = 0;
    std::uint32_t entries = 0;  ///< counters in one copy of the memory, a power of two

    explicit Layout(const Config& config);
};

}  // namespace tlmetry::telemetry
