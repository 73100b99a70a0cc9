// SPDX-License-Identifier: BSD-3-Clause
#include "fake_component.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/driver/layout.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using test::Shape;

namespace {

/// The message about a component with one register changed; empty if it is accepted.
std::string refusal(std::uint32_t offset, std::uint32_t value, Shape shape = {}) {
    driver::RegisterValues registers = shape.registers();
    registers[offset] = value;
    try {
        driver::Layout(registers, "dev");
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the layout follows every generic") {
    Shape shape;
    shape.endpoints = 3;
    shape.dma_ports = 5;
    shape.pcie_regions = 7;
    shape.dma_regions = 1;
    shape.reasons = 2;
    shape.bands = 3;
    shape.pcie_histograms = 4;
    shape.dma_histograms = 1;
    shape.counter_width = 64;
    const driver::Layout layout(shape.registers(), "dev");
    CHECK(layout.endpoints == 3);
    CHECK(layout.dma_ports == 5);
    CHECK(layout.counter_width == 64);
    CHECK(layout.pcie.reasons == 2);
    CHECK(layout.pcie.histograms == 4);
    CHECK(layout.pcie.brake_channel() == 1 + 2 * 13);
    CHECK(layout.pcie.channels == 1 + 2 * 13 + 2 + 12);
    CHECK(layout.dma.buses == 10);
    CHECK(layout.dma.reasons == 0);
    CHECK(layout.dma.histograms == 1);
    CHECK(layout.dma.channels == 1 + 10 * 7 + 3);
    CHECK(layout.counters == 512);
}

TEST_CASE("more channels than a register field holds are understood") {
    Shape shape;
    shape.dma_ports = 16;
    shape.dma_regions = 4;
    REQUIRE(shape.dma_channels() == 321);
    const driver::Layout layout(shape.registers(), "dev");
    CHECK(layout.dma.channels == 321);
    CHECK(layout.counters_per_endpoint() == 352);
}

TEST_CASE("registers that contradict the limits or each other are refused by name") {
    CHECK(refusal(0x08, 0x00020101) == "");
    CHECK(refusal(0x08, 0x00020100) == "dev: CFG_TOPOLOGY.ENDPOINTS is 0 (PCIe endpoints), expected 1..16");
    CHECK(refusal(0x08, 0x00020111) == "dev: CFG_TOPOLOGY.ENDPOINTS is 17 (PCIe endpoints), expected 1..16");
    CHECK(refusal(0x08, 0x00020001) ==
          "dev: CFG_TOPOLOGY.DMA_PORTS is 0 (DMA ports per endpoint), expected 1..255");
    CHECK(refusal(0x08, 0x00020201) == "dev: CFG_DMA.BUSES is 2 (buses of the probe), expected 4");
    CHECK(refusal(0x08, 0x00020104) ==
          "dev: CFG_LAYOUT.COUNTERS is 64 (counters in the window, a power of two), expected at least the "
          "192 that "
          "the probes count and at most the 4096 that fit behind CNT_BASE");
    CHECK(refusal(0x0C, 0x30000040) ==
          "dev: CFG_LAYOUT.CNT_WIDTH is 0 (width of a counter in bits), expected 33..64");
    CHECK(refusal(0x0C, 0x30200040) ==
          "dev: CFG_LAYOUT.CNT_WIDTH is 32 (width of a counter in bits), expected 33..64");
    CHECK(refusal(0x0C, 0x30210040) == "");
    CHECK(refusal(0x0C, 0x30400040) == "");
    CHECK(refusal(0x0C, 0x30410040) ==
          "dev: CFG_LAYOUT.CNT_WIDTH is 65 (width of a counter in bits), expected 33..64");
    CHECK(refusal(0x0C, 0x3030FFFF).find("dev: CFG_LAYOUT.COUNTERS is 65535 ") == 0);
    CHECK(refusal(0x0C, 0x30301000) == "");
    CHECK(refusal(0x0C, 0x30301001).find("dev: CFG_LAYOUT.COUNTERS is 4097 ") == 0);
    CHECK(refusal(0x0C, 0x30300030) == "");
    CHECK(refusal(0x0C, 0x3030002F).find("dev: CFG_LAYOUT.COUNTERS is 47 ") == 0);
    CHECK(refusal(0x0C, 0x2F300040) ==
          "dev: CFG_LAYOUT.PER_ENDPOINT is 47 (counters per endpoint), expected 48");
    CHECK(refusal(0x10, 0x0E020220) == "dev: CFG_PCIE.CHANNELS is 32 (channels of the probe), expected 31");
    CHECK(refusal(0x10, 0x0E02031F) == "dev: CFG_PCIE.BUSES is 3 (buses of the probe), expected 2");
    CHECK(refusal(0x10, 0x0E00021F) == "dev: CFG_PCIE.REGIONS is 0 (regions of the probe), expected 1..255");
    CHECK(refusal(0x10, 0x0702021F) ==
          "dev: CFG_PCIE.BRAKES is 7 (BRAKE signals of the probe, histogram bands included), expected at "
          "least the "
          "8 bands of its histograms");
    CHECK(refusal(0x14, 0x00020212) == "dev: CFG_DMA.CHANNELS is 18 (channels of the probe), expected 17");
    CHECK(refusal(0x18, 0x00001000) ==
          "dev: CFG_DRAIN.ITEM_BYTES is 0 (bytes per MFB item), expected 1..255");
    CHECK(refusal(0x18, 0x00040000) == "");
    CHECK(refusal(0x1C, 0x8004) ==
          "dev: CNT_BASE is 0x00008004, expected a multiple of 8 in 0x00000100..0x0000fff8");
    CHECK(refusal(0x1C, 0x00F8).find("dev: CNT_BASE is 0x000000f8") == 0);
    CHECK(refusal(0x1C, 0x4000) == "");
    CHECK(refusal(0x2C, 0x02020203) == "dev: CFG_REGIONS.RQ is 3 (regions of the RQ bus), expected 1..2");
    CHECK(refusal(0x2C, 0x02020002) == "dev: CFG_REGIONS.RC is 0 (regions of the RC bus), expected 1..2");
    CHECK(refusal(0x2C, 0x02030202) == "dev: CFG_REGIONS.UP is 3 (regions of the UP buses), expected 1..2");
    CHECK(refusal(0x2C, 0x00020202) ==
          "dev: CFG_REGIONS.DOWN is 0 (regions of the DOWN buses), expected 1..2");
    CHECK(refusal(0x34, 0xFFFFFFFF).find("dev: CFG_PCIE.BRAKES is 14 ") == 0);
}

TEST_CASE("every register may hold anything without harm") {
    const driver::RegisterValues registers = Shape().registers();
    for (const auto& [offset, original] : registers)
        for (const std::uint32_t value :
             {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x00FF00FFu, 0xFF00FF00u}) {
            driver::RegisterValues changed = registers;
            changed[offset] = value;
            try {
                const driver::Layout layout(changed, "dev");
                CHECK(layout.endpoints * layout.counters_per_endpoint() <= layout.counters);
                CHECK(layout.counters <= 4096);
            } catch (const UserError& error) {
                CHECK(std::string(error.what()).find("dev: ") == 0);
            }
        }
}

TEST_CASE("a missing register is named") {
    driver::RegisterValues registers = Shape().registers();
    registers.erase(0x2C);
    CHECK_THROWS_WITH(driver::Layout(registers, "dev"), "dev: register CFG_REGIONS (0x002c) is missing");
}
