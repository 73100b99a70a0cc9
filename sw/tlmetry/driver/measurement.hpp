// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/layout.hpp>
#include <tlmetry/driver/telemetry.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::driver {

/// Counts of one bus; see the documentation of PCIE_TELEMETRY_MI, Channel numbering.
struct BusCounts {
    std::string name;
    std::uint64_t words = 0;
    std::uint64_t stalled = 0;  ///< cycles
    std::uint64_t transactions = 0;
    std::uint64_t mvb_items = 0;
    std::uint64_t mvb_stalled = 0;  ///< cycles
    std::uint64_t items = 0;
    std::vector<std::uint64_t> regions;  ///< cycles with data, of the regions that the bus really has
    std::uint32_t region_bytes = 0;
    bool pcie_clock = false;  ///< else the DMA clock
    bool has_mvb = false;
    bool dma_up = false;  ///< from the DMA module to the PTC: the bus that carries reads and writes
};

/// Cycles a resource spent in each band of its histogram, the lowest band first.
struct Histogram {
    std::vector<std::uint64_t> bands;
    bool pcie_clock = true;
};

/// Free units of a resource.
struct Level {
    std::uint32_t now = 0;
    std::uint32_t lowest = 0;
};

struct EndpointCounts {
    bool link_up = false;
    std::uint32_t mps = 0;   ///< bytes
    std::uint32_t mrrs = 0;  ///< bytes
    bool ext_tag = false;
    bool tag_10bit = false;
    std::uint32_t rcb = 0;  ///< bytes
    Level tags;
    Level stfifo;
    std::uint64_t pcie_cycles = 0;
    std::uint64_t dma_cycles = 0;
    std::vector<std::uint64_t> reasons;  ///< cycles each BRAKE signal was active
    std::vector<Histogram> histograms;   ///< of the PCIe clock probe, then of the DMA clock probe
    std::vector<BusCounts> buses;        ///< RQ, RC, then UP and DOWN of each DMA port

    std::uint64_t cycles(bool pcie_clock) const { return pcie_clock ? pcie_cycles : dma_cycles; }
};

/// What one report shows.
struct Measurement {
    Layout layout;
    std::optional<double> seconds;  ///< length of the interval; none for totals since the last clear
    bool cleared = false;           ///< the counters were cleared during the interval: totals since then
    Status status;
    std::vector<EndpointCounts> endpoints;
};

/// The traffic since the counters were last cleared.
Measurement totals(const Layout& layout, const Snapshot& snapshot);

/// The traffic between two snapshots: differences modulo 2^counter_width; levels and flags are those of the
/// second. Where cleared_between() holds, it is the totals of the second snapshot, without a length.
Measurement difference(const Layout& layout, const Snapshot& first, const Snapshot& second, double seconds);

/// The report of a recording: difference() of two snapshots, totals() of one.
Measurement evaluate(const Layout& layout, const Recording& recording);

/// True if the counters show that somebody cleared them between the two snapshots. It holds when
/// - a counter of elapsed cycles went back by more than a wrap explains: at clocks up to 2 GHz;
/// or
/// - a counter that steps at most once a cycle gained more than the cycles that elapsed (not judged while a
/// flag
///   says that deltas are missing).
/// A clear can stay unseen when every counter has overtaken its old value since.
bool cleared_between(const Layout& layout, const Snapshot& first, const Snapshot& second, double seconds);

}  // namespace tlmetry::driver
