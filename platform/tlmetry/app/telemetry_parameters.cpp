// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/telemetry_parameters.hpp"

namespace tlmetry::app {

void TelemetryParameters::bind(config::Registry& registry) {
    using config::integer;
    using config::size;
    using telemetry::max_endpoints;
    using telemetry::max_regions;
    constexpr std::uint32_t natural = 0x7FFFFFFF;  // the highest value of a generic

    const auto region_size = size(1, 0xFFFF);
    const auto eof_width = integer(0, 16, "bits");
    const std::string eof_rule =
        "It must be the log2 of the items in one region of the side's two buses, of the larger if they "
        "differ.";
    const std::string narrow_bus =
        "The two buses of a side are measured together with the larger number of regions; padding tells what "
        "the "
        "regions show that the narrower one does not have.";

    auto& c = component;
    auto s = registry.section("telemetry",
                              "The telemetry component: its generics, in lower case, and its clocks.");
    s.add("pcie_endpoints", c.pcie_endpoints, integer(1, max_endpoints), "Monitored PCIe endpoints.");
    s.add("dma_ports", c.dma_ports, integer(1, 256), "DMA ports of each PCIe endpoint.");
    s.add("pcie_rq_mfb_regions", c.pcie_rq_mfb_regions, integer(1, max_regions),
          "MFB regions of the RQ bus, PTC to PCIe.", narrow_bus);
    s.add("pcie_rc_mfb_regions", c.pcie_rc_mfb_regions, integer(1, max_regions),
          "MFB regions of the RC bus, PCIe to PTC.", narrow_bus);
    s.add("dma_up_mfb_regions", c.dma_up_mfb_regions, integer(1, max_regions),
          "MFB regions of the UP bus, DMA to PTC.", narrow_bus);
    s.add("dma_down_mfb_regions", c.dma_down_mfb_regions, integer(1, max_regions),
          "MFB regions of the DOWN bus, PTC to DMA.", narrow_bus);
    s.add("pcie_rq_mfb_region_bytes", c.pcie_rq_mfb_region_bytes, region_size,
          "Size of one region of the RQ bus.");
    s.add("pcie_rc_mfb_region_bytes", c.pcie_rc_mfb_region_bytes, region_size,
          "Size of one region of the RC bus.");
    s.add("dma_up_mfb_region_bytes", c.dma_up_mfb_region_bytes, region_size,
          "Size of one region of the UP bus.");
    s.add("dma_down_mfb_region_bytes", c.dma_down_mfb_region_bytes, region_size,
          "Size of one region of the DOWN bus.");
    s.add("mfb_item_bytes", c.mfb_item_bytes, size(1, 255), "Size of one MFB item.",
          "Every region must hold a power of two of items.");
    s.add("pcie_eof_pos_width", c.pcie_eof_pos_width, eof_width, "Width of one EOF_POS field of RQ and RC.",
          eof_rule);
    s.add("dma_eof_pos_width", c.dma_eof_pos_width, eof_width, "Width of one EOF_POS field of UP and DOWN.",
          eof_rule);
    s.add("cnt_width", c.cnt_width, integer(33, 64, "bits"), "Width of the counters that software reads.");
    s.add("drain_period", c.drain_period, config::power_of_two(32, natural, "cycles"),
          "Time between two read-outs of the counters in the probes.",
          "It must be longer than a read-out takes: 8 cycles for each group of 8 channels, and 8 more.");
    s.add("tag_capacity", c.tag_capacity, integer(1, natural, "tags"), "PCIe tags the PTC can use at a time.",
          "It only sets the thresholds of the tag histogram: an eighth and a half of it.");
    s.add("stfifo_capacity", c.stfifo_capacity, integer(1, natural, "words"),
          "Words the storage FIFO of the PTC holds.",
          "It only sets the thresholds of the storage FIFO histogram: an eighth and a half of it.");
    s.add("device", c.device, config::text(), "Name of the FPGA; nothing depends on it.");
    s.add("padding", c.padding,
          config::choice<telemetry::Padding>(
              {{"as_built", telemetry::Padding::as_built}, {"documented", telemetry::Padding::documented}}),
          "What regions count that a bus narrower than its probe does not have.",
          "as_built: as the hardware does, a frame left open at the end of the real regions makes every "
          "other region "
          "count as carrying data. documented: those regions never carry data.");

    s.add("pcie_clock", pcie_clock_fs, config::list(config::clock()),
          "Clock of RQ and RC: for all endpoints, or each.");
    s.add("pcie_phase", pcie_phase_fs, config::list(config::time()),
          "First rising edge of the PCIe clock: for all endpoints, or each.");
    s.add("dma_clock", dma_clock_fs, config::clock(), "Clock of UP and DOWN.");
    s.add("dma_phase", dma_phase_fs, config::time(), "First rising edge of the DMA clock.");
    s.add("mi_clock", mi_clock_fs, config::clock(), "Clock of the MI bus and of the counter memory.");
    s.add("mi_phase", mi_phase_fs, config::time(), "First rising edge of the MI clock.");
}

void TelemetryParameters::validate() const {
    component.validate();
    pcie_clocks();
}

std::vector<ClockDomain> TelemetryParameters::pcie_clocks() const {
    const auto periods =
        config::expand(pcie_clock_fs, component.pcie_endpoints, "telemetry.pcie_clock", "endpoints");
    const auto phases =
        config::expand(pcie_phase_fs, component.pcie_endpoints, "telemetry.pcie_phase", "endpoints");
    std::vector<ClockDomain> clocks;
    for (std::size_t i = 0; i < periods.size(); ++i) {
        clocks.emplace_back(periods[i], phases[i]);
    }
    return clocks;
}

}  // namespace tlmetry::app
