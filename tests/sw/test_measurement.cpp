// SPDX-License-Identifier: BSD-3-Clause
#include "fake_component.hpp"

#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/report/report.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using Catch::Contains;
using test::Shape;

namespace {

/// Two snapshots of one component, with every counter zero until told.
struct Pair {
    explicit Pair(const Shape& s = {}) : shape(s), layout(shape.registers(), "dev") {
        for (driver::Snapshot* snapshot : {&first, &second}) {
            snapshot->registers = shape.registers();
            snapshot->counters.resize(layout.counters);
        }
    }
    /// Sets one counter at the start and at the end.
    void set(std::size_t index, std::uint64_t start, std::uint64_t end) {
        first.counters.at(index) = start;
        second.counters.at(index) = end;
    }
    bool cleared(double seconds = 1) const { return driver::cleared_between(layout, first, second, seconds); }
    driver::EndpointCounts endpoint(double seconds = 1) const {
        return driver::difference(layout, first, second, seconds).endpoints.at(0);
    }

    Shape shape;
    driver::Layout layout;
    driver::Snapshot first;
    driver::Snapshot second;
};

constexpr std::size_t dma = 31;  // first counter of the DMA clock probe in the default shape
constexpr std::uint64_t top = std::uint64_t{1} << 48;

}  // namespace

TEST_CASE("every counter finds its place") {
    Shape shape;
    shape.endpoints = 2;
    shape.dma_ports = 2;
    shape.pcie_regions = 3;
    shape.dma_regions = 1;
    shape.reasons = 5;
    shape.bands = 2;
    shape.pcie_histograms = 1;
    shape.dma_histograms = 1;
    Pair pair(shape);
    for (std::size_t i = 0; i < pair.second.counters.size(); ++i)
        pair.second.counters[i] = 1000 + i;
    pair.second.registers[0x44] = 0x3D1;
    pair.second.registers[0x84] = 0x00050006;
    const driver::Measurement m = driver::totals(pair.layout, pair.second);
    REQUIRE(m.endpoints.size() == 2);
    const driver::EndpointCounts& e = m.endpoints[1];
    const std::uint64_t pcie = 1000 + 57, dma0 = pcie + 26;  // 26 = 1 + 2*9 + 5 + 2, then 31 = 1 + 4*7 + 2
    CHECK(e.pcie_cycles == pcie);
    CHECK(e.dma_cycles == dma0);
    CHECK(e.reasons == std::vector<std::uint64_t>{pcie + 19, pcie + 20, pcie + 21, pcie + 22, pcie + 23});
    REQUIRE(e.histograms.size() == 2);
    CHECK(e.histograms[0].bands == std::vector<std::uint64_t>{pcie + 24, pcie + 25});
    CHECK(e.histograms[0].pcie_clock);
    CHECK(e.histograms[1].bands == std::vector<std::uint64_t>{dma0 + 29, dma0 + 30});
    CHECK_FALSE(e.histograms[1].pcie_clock);
    REQUIRE(e.buses.size() == 6);
    const driver::BusCounts& rc = e.buses[1];
    CHECK(rc.name == "PCIe -> PTC (RC)");
    CHECK(rc.words == pcie + 10);
    CHECK(rc.stalled == pcie + 11);
    CHECK(rc.transactions == pcie + 12);
    CHECK(rc.mvb_items == pcie + 13);
    CHECK(rc.mvb_stalled == pcie + 14);
    CHECK(rc.items == pcie + 15);
    CHECK(rc.regions == std::vector<std::uint64_t>{pcie + 16, pcie + 17, pcie + 18});
    const driver::BusCounts& down1 = e.buses[5];
    CHECK(down1.name == "PTC -> DMA1 (DOWN)");
    CHECK(down1.words == dma0 + 22);
    CHECK(down1.regions == std::vector<std::uint64_t>{dma0 + 28});
    CHECK(e.mps == 256);
    CHECK(e.mrrs == 512);
    CHECK(e.rcb == 128);
    CHECK(e.link_up);
    CHECK(e.tags.now == 6);
    CHECK(e.tags.lowest == 5);
    CHECK_THAT(report::format_text(m), Contains("resource 1") && Contains("no free PCIe tag"));
}

TEST_CASE("differences wrap at the width of the counters") {
    Pair pair;
    pair.set(0, top - 100, 300);
    pair.set(1, top - 1, 41);
    CHECK_FALSE(pair.cleared());
    CHECK(pair.endpoint().pcie_cycles == 400);
    CHECK(pair.endpoint().buses[0].words == 42);

    Shape wide;
    wide.counter_width = 64;
    Pair widest(wide);
    widest.set(6, ~std::uint64_t{0}, 1);
    CHECK(widest.endpoint().buses[0].transactions == 0);
    CHECK(widest.endpoint().buses[0].items == 2);

    Shape narrow;
    narrow.counter_width = 33;
    Pair narrowest(narrow);
    narrowest.set(6, (std::uint64_t{1} << 33) - 1, 1);
    CHECK(narrowest.endpoint().buses[0].items == 2);
}

TEST_CASE("elapsed cycles that went back further than a wrap explains are a clear") {
    Pair pair;
    pair.set(0, 500'000'000, 100'000'000);
    pair.set(dma, 250'000'000, 50'000'000);
    pair.set(1, 1000, 20);
    CHECK(pair.cleared());
    const driver::Measurement m = driver::difference(pair.layout, pair.first, pair.second, 1.0);
    CHECK(m.cleared);
    CHECK_FALSE(m.seconds);
    CHECK(m.endpoints[0].pcie_cycles == 100'000'000);
    CHECK(m.endpoints[0].buses[0].words == 20);
    CHECK_THAT(
        report::format_text(m),
        Contains(
            "Totals since the last clear\n\n  !! COUNTERS CLEARED during the interval - these are the totals "
            "since then\n\nPCIe endpoint 0\n"));
    CHECK_THAT(report::format_json(m), Contains("\"cleared\": true"));
}

TEST_CASE("a clear is seen on the DMA clock alone") {
    Pair pair;
    pair.set(dma, 10, 9);
    CHECK(pair.cleared());
}

TEST_CASE("a wrap within two cycles a nanosecond is a wrap, beyond it a clear") {
    Pair pair;
    pair.set(0, top - 1, 1'999'999'999 + 4 * 4096);
    CHECK_FALSE(pair.cleared());
    pair.set(0, top - 1, 2'000'000'000 + 4 * 4096);
    CHECK(pair.cleared());
}

TEST_CASE("more stalled cycles than cycles are a clear, transactions are not judged") {
    Pair pair;
    pair.set(0, 1000, 2000);
    pair.set(2, 5, 5 + 1000 + 4 * 4096);
    CHECK_FALSE(pair.cleared());
    pair.set(2, 5, 6 + 1000 + 4 * 4096);
    CHECK(pair.cleared());
    SECTION("unless deltas were lost") {
        pair.second.registers[0x24] = 2;
        CHECK_FALSE(pair.cleared());
    }
    SECTION("unless a read-out was overrun") {
        pair.first.registers[0x24] = 4;
        CHECK_FALSE(pair.cleared());
    }
    SECTION("transactions and items step more than once a cycle") {
        pair.set(2, 0, 0);
        pair.set(3, 0, 1'000'000);
        pair.set(4, 0, 1'000'000);
        pair.set(6, 0, 1'000'000);
        CHECK_FALSE(pair.cleared());
        pair.set(8, 0, 1'000'000);  // region 1
        CHECK(pair.cleared());
    }
    SECTION("reasons and bands step once") {
        pair.set(2, 0, 0);
        pair.set(30, 0, 1'000'000);
        CHECK(pair.cleared());
    }
}

TEST_CASE("where no clear is seen the report says nothing of it") {
    Pair pair;
    pair.set(0, 0, 1000);
    const driver::Measurement m = driver::difference(pair.layout, pair.first, pair.second, 1.0);
    CHECK_FALSE(m.cleared);
    CHECK_THAT(report::format_json(m), !Contains("cleared"));
}
