// SPDX-License-Identifier: BSD-3-Clause
// The study of the telemetry itself: how many deltas the MI clock carries.
#include "study.hpp"

#include <cmath>

using namespace tlmetry;
using namespace tlmetry::test;

namespace {

// Two buses of two regions in each domain, and in the PCIe domain six brakes and two histograms of four
// bands.
constexpr double pcie_channels = 1 + 2 * (6 + 2) + 6 + 2 * 4, dma_channels = 1 + 2 * (6 + 2);
constexpr double pcie_hz = 400e6, dma_hz = 200e6;
constexpr double cycles_per_delta = 3;  // of the MI clock
constexpr double fifo_deltas = 64 + 2;  // that the crossing of a PCIe probe holds

double deltas_per_s(double endpoints, double drain_period) {
    return endpoints * (pcie_channels * pcie_hz + dma_channels * dma_hz) / drain_period;
}

/// The accumulator stops for two cycles an entry in a snapshot.
double entries(double endpoints) {
    return std::exp2(std::ceil(std::log2(endpoints * (pcie_channels + dma_channels))));
}

/// The MI clock with which no delta is lost in a snapshot: of what two drains of the PCIe probes and one of
/// the DMA probes bring, only so much may be left when the third one comes that it finds room.
double snapshot_hz(double endpoints, double drain_period) {
    const double period_s = drain_period / pcie_hz;
    const double to_add = endpoints * (3 * pcie_channels + dma_channels - fifo_deltas);
    return (cycles_per_delta * to_add + 2 * entries(endpoints)) / (2 * period_s);
}

}  // namespace

TEST_CASE("drain period by endpoints and MI clock") {
    const Study study("drain_period");
    CHECK(deltas_per_s(16, 4096) == Approx(61.7e6).epsilon(0.001));
    std::string table = header({"endpoints", "deltas M/s", "of what can be added %", "lost M/s", "added M/s",
                                "a third of the MI clock", "added above it %"});
    std::map<std::pair<double, double>, std::array<double, 2>>
        most;  // endpoints without lasting loss, without any
    for (const Point& p : study.points()) {
        const double endpoints = p["telemetry.pcie_endpoints"], mi_hz = p["telemetry.mi_clock"];
        const double drain = p["telemetry.drain_period"], lost = p["telemetry.dropped_deltas"];
        const double made = deltas_per_s(endpoints, drain), capacity = mi_hz / cycles_per_delta;
        constexpr double warmup_s = 100e-6;
        const double lost_per_s = lost / (p["seconds"] + warmup_s);
        CAPTURE(endpoints, mi_hz, drain, lost);
        auto& [lasting, any] = most[{mi_hz, drain}];
        if (made > capacity) {
            CHECK(made - lost_per_s == Approx(capacity).epsilon(0.01));
            CHECK(p["report.lost_deltas"] == 1);
        } else {
            // Only a snapshot may cost some.
            CHECK(lost <= 20 * endpoints);
            if (mi_hz > 1.05 * std::max(cycles_per_delta * made, snapshot_hz(endpoints, drain)))
                CHECK(lost == 0);
            lasting = endpoints;
            if (lost == 0) any = endpoints;
        }
        if (mi_hz == 100e6 && drain == 4096 && endpoints >= 7)
            table += row({fixed(endpoints, 0), fixed(made / 1e6, 2), fixed(100 * made / capacity, 0),
                          fixed(lost_per_s / 1e6, lost_per_s < 0.1e6 ? 3 : 2),
                          fixed((made - lost_per_s) / 1e6, 2), fixed(capacity / 1e6, 2),
                          made > capacity ? percent_above(made - lost_per_s, capacity) : "-"});
    }
    study.expect_on_page(table);
    std::string carried =
        header({"MI clock MHz", "drain period", "all deltas fit", "simulated without lasting loss",
                "also in a snapshot", "simulated without any loss"});
    for (const auto& [key, endpoints] : most) {
        const auto& [mi_hz, drain] = key;
        double lasting = 0, any = 0;
        for (double e = 1; e <= 16; ++e) {
            if (cycles_per_delta * deltas_per_s(e, drain) <= mi_hz) lasting = e;
            if (lasting == e && snapshot_hz(e, drain) <= mi_hz) any = e;
        }
        CHECK(endpoints[0] == lasting);
        // Where the clock is hardly more than enough, FIFOs are not yet empty when the snapshot begins.
        CHECK(endpoints[1] <= any);
        CHECK(endpoints[1] >= any - 1);
        carried += row({fixed(mi_hz / 1e6, 0), fixed(drain, 0), fixed(lasting, 0), fixed(endpoints[0], 0),
                        fixed(any, 0), fixed(endpoints[1], 0)});
    }
    study.expect_on_page(carried);
}
