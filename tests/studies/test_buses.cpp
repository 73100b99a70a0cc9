// SPDX-License-Identifier: BSD-3-Clause
// Studies of what buses carry: DMA ports against a link, and regions against small frames.
#include "study.hpp"

#include <cmath>

using namespace tlmetry;
using namespace tlmetry::test;

TEST_CASE("DMA ports against Gen5 x16") {
    const Study study("dma_ports");
    constexpr double region = 32, dma_hz = 200e6, up_regions = 2, pcie_regions = 4, payload = 512;
    Comparison comparison;
    for (const Point& p : study.points()) {
        const double pcie_hz = p["telemetry.pcie_clock"], ports = p["telemetry.dma_ports"];
        const double down_regions = p["telemetry.dma_down_mfb_regions"];
        const bool reads = p["traffic.read_share"] != 0;
        const double core = pcie_regions * region * pcie_hz;
        const Limit limit = reads ? least({{"DOWN", ports * down_regions * region * dma_hz},
                                           {"RC", core},
                                           {"cut", down_regions * region * pcie_hz},
                                           {"link", link_rate(gen5_x16, payload, completion_overhead)}})
                                  : least({{"UP", ports * up_regions * region * dma_hz},
                                           {"RQ", core},
                                           {"link", link_rate(gen5_x16, payload, request_overhead)}});
        const std::string what = reads ? "reads, DOWN of " + fixed(down_regions, 0) : "writes";
        comparison.add(fixed(pcie_hz / 1e6, 0) + " MHz, " + what, fixed(ports, 0), p["useful_rate"], limit);
    }
    study.expect_on_page(comparison.rates("PCIe clock \\ ports"));
    study.expect_on_page(comparison.deviations());
}

TEST_CASE("regions against small frames") {
    const Study study("regions");
    constexpr double up_hz = 200e6, rq_hz = 400e6, down_regions = 4, word = 64, item = 4;
    Comparison comparison;
    std::map<double, std::map<double, double>> reported;
    for (const Point& p : study.points()) {
        const double regions = p["telemetry.dma_up_mfb_regions"],
                     region = p["telemetry.dma_up_mfb_region_bytes"];
        const double headers = p["card.mvb_up_items"], size = p["traffic.write_size.bytes"];
        const double rq_regions = p["telemetry.pcie_rq_mfb_regions"];
        const bool one_start = p.text("card.one_start") == "true";
        const double taken = std::ceil(size / region);
        const double dwords = item * std::ceil(size / item);
        Limit limit =
            least({{"UP", up_hz * regions / taken},
                   {"headers", up_hz * headers},
                   {"RQ", rq_hz * (one_start ? 1 / std::ceil(taken / rq_regions) : rq_regions / taken)},
                   {"link", link_rate(gen5_x16, dwords, request_overhead) / dwords}});
        limit.value *= size;
        comparison.add(fixed(regions, 0) + " x " + fixed(region, 0) + " B, " + fixed(headers, 0) +
                           (headers == 1 ? " header" : " headers") + (one_start ? ", one start" : ""),
                       fixed(size, 0) + " B", p["up.useful_rate"], limit);
        if (one_start || headers != regions) continue;
        // A frame that is left open at the end of a word counts in the regions that UP does not have and DOWN
        // has.
        const double words = std::ceil(taken / regions);
        const double mean =
            item * p["report.endpoint0.dma0.up.items"] / p["report.endpoint0.dma0.up.transactions"];
        reported[size][regions] = mean;
        const bool whole_words = std::fmod(size, word) == 0;
        if (regions >= down_regions)
            CHECK(mean == Approx(dwords).epsilon(0.01));
        else if (whole_words || size < region)
            CHECK(mean == Approx(dwords + (words - 1) * (down_regions - regions) * region).epsilon(0.01));
    }
    study.expect_on_page(comparison.rates("UP \\ frames of"));
    study.expect_on_page(comparison.deviations());
    std::string table = header({"frames of", "1 region", "2 regions", "4 regions", "8 regions"});
    for (const double size : {32.0, 64.0, 128.0, 256.0})
        table += row({fixed(size, 0) + " B", fixed(reported[size][1], 0), fixed(reported[size][2], 0),
                      fixed(reported[size][4], 0), fixed(reported[size][8], 0)});
    study.expect_on_page(table);
}
