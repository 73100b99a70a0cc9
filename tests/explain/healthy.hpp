// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/measurement.hpp>

namespace tlmetry::test {

/// A second of a Gen4 x16 card with one endpoint and one DMA port: 10 million writes of 256 B and as many
/// reads of 512 B, each answered by two completions of 256 B. Nothing contradicts itself and nothing is
/// short.
inline driver::Measurement healthy() {
    constexpr std::uint64_t million = 1'000'000;
    driver::Measurement m;
    m.layout.endpoints = 1;
    m.layout.dma_ports = 1;
    m.layout.counter_width = 48;
    m.layout.item_bytes = 4;
    m.layout.drain_period = 4096;
    m.layout.bands = 4;
    m.layout.tag_capacity = 256;
    m.layout.stfifo_capacity = 1024;
    m.layout.pcie.buses = m.layout.dma.buses = 2;
    m.layout.pcie.regions = m.layout.dma.regions = 2;
    m.layout.pcie.reasons = 6;
    m.layout.pcie.histograms = 2;
    m.layout.rq = m.layout.rc = m.layout.up = m.layout.down = {2, 32};
    m.seconds = 1;

    driver::EndpointCounts e;
    e.link_up = true;
    e.mps = 256;
    e.mrrs = 512;
    e.ext_tag = true;
    e.rcb = 64;
    e.tags = {250, 200};
    e.stfifo = {1000, 800};
    e.pcie_cycles = 400 * million;
    e.dma_cycles = 200 * million;
    e.reasons.assign(6, 0);
    e.histograms = {{{0, 0, 0, 400 * million}, true}, {{0, 0, 0, 400 * million}, true}};
    const auto bus = [](const char* name, bool pcie) {
        driver::BusCounts b;
        b.name = name;
        b.region_bytes = 32;
        b.pcie_clock = pcie;
        b.has_mvb = !pcie;
        return b;
    };
    // A write takes four words of two regions, a read one region of a word.
    driver::BusCounts rq = bus("PTC -> PCIe (RQ)", true);
    rq.words = 50 * million;
    rq.transactions = 20 * million;
    rq.items = 650 * million;
    rq.regions = {50 * million, 40 * million};
    driver::BusCounts rc = bus("PCIe -> PTC (RC)", true);
    rc.words = 80 * million;
    rc.transactions = 20 * million;
    rc.items = 1280 * million;
    rc.regions = {80 * million, 80 * million};
    driver::BusCounts up = bus("DMA0 -> PTC (UP)", false);
    up.dma_up = true;
    up.words = 40 * million;
    up.transactions = 10 * million;
    up.mvb_items = 20 * million;
    up.items = 640 * million;
    up.regions = {40 * million, 40 * million};
    driver::BusCounts down = bus("PTC -> DMA0 (DOWN)", false);
    down.words = 80 * million;
    down.transactions = 20 * million;
    down.mvb_items = 20 * million;
    down.items = 1280 * million;
    down.regions = {80 * million, 80 * million};
    e.buses = {rq, rc, up, down};
    m.endpoints = {e};
    return m;
}

/// Places of the buses of healthy().
enum Bus : std::size_t { rq_bus, rc_bus, up_bus, down_bus };

}  // namespace tlmetry::test
