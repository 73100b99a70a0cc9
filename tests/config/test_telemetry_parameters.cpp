// SPDX-License-Identifier: BSD-3-Clause
#include "sample.hpp"

#include <tlmetry/app/telemetry_parameters.hpp>
#include <tlmetry/config/ini.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::config;

namespace {

struct Fixture {
    Fixture() { parameters.bind(registry); }
    void set(const std::string& ini) { registry.set(parse_ini("[telemetry]\n" + ini, "a.ini")); }
    std::string refusal() {
        return error_of([&] { parameters.validate(); });
    }

    app::TelemetryParameters parameters;
    Registry registry;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "every generic of the component is a parameter with its default") {
    const auto value = [&](const std::string& key) {
        const Parameter* parameter = registry.find("telemetry." + key);
        return parameter ? parameter->default_text : "missing";
    };
    CHECK(value("pcie_endpoints") == "1");
    CHECK(value("dma_ports") == "1");
    CHECK(value("pcie_rq_mfb_regions") == "2");
    CHECK(value("pcie_rc_mfb_regions") == "2");
    CHECK(value("dma_up_mfb_regions") == "2");
    CHECK(value("dma_down_mfb_regions") == "2");
    CHECK(value("pcie_rq_mfb_region_bytes") == "32B");
    CHECK(value("pcie_rc_mfb_region_bytes") == "32B");
    CHECK(value("dma_up_mfb_region_bytes") == "32B");
    CHECK(value("dma_down_mfb_region_bytes") == "32B");
    CHECK(value("mfb_item_bytes") == "4B");
    CHECK(value("pcie_eof_pos_width") == "3");
    CHECK(value("dma_eof_pos_width") == "3");
    CHECK(value("cnt_width") == "48");
    CHECK(value("drain_period") == "4096");
    CHECK(value("tag_capacity") == "256");
    CHECK(value("stfifo_capacity") == "1024");
    CHECK(value("device") == "AGILEX");
    CHECK(value("padding") == "as_built");
    CHECK(value("pcie_clock") == "400MHz");
    CHECK(value("dma_clock") == "200MHz");
    CHECK(value("mi_clock") == "100MHz");
    CHECK(registry.parameters().size() == 25);
    CHECK(refusal() == "");
}

TEST_CASE_METHOD(Fixture, "each key reaches the generic of its own name") {
    set("pcie_rq_mfb_regions = 1\npcie_rc_mfb_regions = 3\ndma_up_mfb_regions = 4\ndma_down_mfb_regions = 5\n"
        "pcie_rq_mfb_region_bytes = 64\npcie_rc_mfb_region_bytes = 16\n"
        "dma_up_mfb_region_bytes = 8\ndma_down_mfb_region_bytes = 128\n"
        "pcie_eof_pos_width = 4\ndma_eof_pos_width = 5\ntag_capacity = 512\nstfifo_capacity = 2048\n"
        "dma_clock = 250MHz\ndma_phase = 1ps\nmi_clock = 125MHz\nmi_phase = 2ps\n");
    const telemetry::Config& c = parameters.component;
    CHECK(c.pcie_rq_mfb_regions == 1);
    CHECK(c.pcie_rc_mfb_regions == 3);
    CHECK(c.dma_up_mfb_regions == 4);
    CHECK(c.dma_down_mfb_regions == 5);
    CHECK(c.pcie_rq_mfb_region_bytes == 64);
    CHECK(c.pcie_rc_mfb_region_bytes == 16);
    CHECK(c.dma_up_mfb_region_bytes == 8);
    CHECK(c.dma_down_mfb_region_bytes == 128);
    CHECK(c.pcie_eof_pos_width == 4);
    CHECK(c.dma_eof_pos_width == 5);
    CHECK(c.tag_capacity == 512);
    CHECK(c.stfifo_capacity == 2048);
    CHECK(parameters.dma_clock().time_of(1) == 4'001'000);
    CHECK(parameters.mi_clock().time_of(1) == 8'002'000);
    CHECK(refusal() == "");
}

TEST_CASE_METHOD(Fixture, "one PCIe clock stands for all endpoints, or each has its own") {
    set("pcie_endpoints = 2\npcie_clock = 250MHz, 400MHz\npcie_phase = 1ns\n");
    const auto clocks = parameters.pcie_clocks();
    REQUIRE(clocks.size() == 2);
    CHECK(clocks[0].time_of(1) == 5'000'000);
    CHECK(clocks[1].time_of(1) == 3'500'000);

    set("pcie_endpoints = 3\n");
    CHECK(refusal() ==
          "telemetry.pcie_clock: expected one value, or one for each of the 3 endpoints, found 2 values");
    set("pcie_endpoints = 1\n");
    CHECK(refusal() == "telemetry.pcie_clock: expected one value, found 2 values");
}

TEST_CASE_METHOD(Fixture, "rules of the component are checked") {
    set("pcie_eof_pos_width = 4\n");
    CHECK(refusal().find("telemetry.pcie_eof_pos_width: ") == 0);
}
