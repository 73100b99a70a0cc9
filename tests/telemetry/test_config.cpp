// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <string>

using namespace tlmetry;
using telemetry::Config;

namespace {

/// What validate() says about the defaults after a change; empty if it accepts.
std::string refusal(const std::function<void(Config&)>& change) {
    Config config;
    change(config);
    try {
        config.validate();
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

bool names(const std::string& message, const std::string& parameter, const std::string& value) {
    return message.find("telemetry." + parameter) == 0 && message.find("found " + value) != std::string::npos;
}

}  // namespace

TEST_CASE("the documented defaults are accepted without a warning") {
    CHECK(refusal([](Config&) {}).empty());
    CHECK(Config{}.warnings().empty());
}

TEST_CASE("sizes follow from the generics") {
    Config config;
    config.pcie_endpoints = 2;
    config.dma_ports = 2;
    const telemetry::Layout layout(config);
    CHECK(layout.pcie.channels == 31);
    CHECK(layout.dma.channels == 33);
    CHECK(layout.channels_per_endpoint == 64);
    CHECK(layout.entries == 128);
    CHECK(layout.pcie.groups == 4);
    CHECK(layout.pcie.sweep_cycles == 40);
    CHECK(layout.pcie.fifo_depth == 64);
    CHECK(layout.dma.groups == 5);
    CHECK(layout.dma.fifo_depth == 128);
}

TEST_CASE("what the hardware cannot be built with is refused in one sentence that names it") {
    CHECK(names(refusal([](Config& c) { c.pcie_endpoints = 0; }), "pcie_endpoints", "0"));
    CHECK(names(refusal([](Config& c) { c.pcie_endpoints = 17; }), "pcie_endpoints", "17"));
    CHECK(names(refusal([](Config& c) { c.dma_ports = 0; }), "dma_ports", "0"));
    CHECK(names(refusal([](Config& c) { c.pcie_rq_mfb_regions = 0; }), "pcie_rq_mfb_regions", "0"));
    CHECK(names(refusal([](Config& c) { c.dma_down_mfb_regions = 65; }), "dma_down_mfb_regions", "65"));
    CHECK(names(refusal([](Config& c) { c.pcie_rc_mfb_region_bytes = 2; }), "pcie_rc_mfb_region_bytes", "2"));
    CHECK(names(refusal([](Config& c) { c.dma_up_mfb_region_bytes = 30; }), "dma_up_mfb_region_bytes", "30"));
    CHECK(names(refusal([](Config& c) { c.dma_up_mfb_region_bytes = 24; }), "dma_up_mfb_region_bytes", "24"));
    CHECK(names(refusal([](Config& c) { c.mfb_item_bytes = 0; }), "mfb_item_bytes", "0"));
    CHECK(names(refusal([](Config& c) { c.cnt_width = 32; }), "cnt_width", "32"));
    CHECK(names(refusal([](Config& c) { c.cnt_width = 65; }), "cnt_width", "65"));
    CHECK(names(refusal([](Config& c) { c.drain_period = 3000; }), "drain_period", "3000"));
    CHECK(names(refusal([](Config& c) { c.drain_period = 0; }), "drain_period", "0"));
    CHECK(names(refusal([](Config& c) { c.pcie_eof_pos_width = 4; }), "pcie_eof_pos_width", "4"));
    CHECK(names(refusal([](Config& c) { c.dma_eof_pos_width = 2; }), "dma_eof_pos_width", "2"));
}

TEST_CASE("a drain period must be longer than the sweep") {
    // The PCIe probe of the defaults sweeps 40 cycles.
    CHECK(names(refusal([](Config& c) { c.drain_period = 32; }), "drain_period", "32"));
    CHECK(refusal([](Config& c) { c.drain_period = 64; }).empty());
}

TEST_CASE("counters of all endpoints must fit the window") {
    // 16 endpoints of 31 + (1 + 2*p*8) channels: 13 ports are 240 channels, 14 are 256.
    CHECK(refusal([](Config& c) { c.pcie_endpoints = 16, c.dma_ports = 14; }).empty());
    CHECK(names(refusal([](Config& c) { c.pcie_endpoints = 16, c.dma_ports = 15; }), "pcie_endpoints", "16"));
}

TEST_CASE("legal values that a register field cannot hold are warned about once each") {
    Config config;
    config.drain_period = 65536;
    config.tag_capacity = 70'000;
    REQUIRE_NOTHROW(config.validate());
    const auto warnings = config.warnings();
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].find("telemetry.drain_period = 65536") == 0);
    CHECK(warnings[0].find("reads as 0") != std::string::npos);
    CHECK(warnings[1].find("reads as 4464") != std::string::npos);
}

namespace {

std::string clock_refusal(const Config& config, const ClockDomain& mi, const ClockDomain& dma,
                          const ClockDomain& pcie) {
    const telemetry::Clocks clocks{mi, dma, {pcie}};
    try {
        const telemetry::Telemetry model(config, clocks);
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("clocks and drains that leave the range of time are refused") {
    const ClockDomain usual(10 * fs_per_ns, 0);
    const ClockDomain slow(fs_per_s + 1, 0);
    CHECK(clock_refusal({}, usual, usual, usual).empty());
    CHECK(clock_refusal({}, ClockDomain(fs_per_s, 0), usual, usual).empty());
    CHECK(clock_refusal({}, slow, usual, usual).find("telemetry.mi_clock") == 0);
    CHECK(clock_refusal({}, usual, slow, usual).find("telemetry.dma_clock") == 0);
    CHECK(clock_refusal({}, usual, usual, slow).find("telemetry.pcie_clock") == 0);
    CHECK(clock_refusal({}, ClockDomain(10, 4600 * fs_per_s), usual, usual).find("telemetry.mi_clock") == 0);
    Config config;
    config.drain_period = 1u << 30;
    CHECK(clock_refusal(config, usual, usual, usual).empty());
    CHECK(
        clock_refusal(config, usual, usual, ClockDomain(100 * fs_per_ns, 0)).find("telemetry.drain_period") ==
        0);
}
