// SPDX-License-Identifier: BSD-3-Clause
// Every check speaks up for what it is there for, and for nothing else.
#include "../sw/files.hpp"
#include "healthy.hpp"

#include <tlmetry/verdict/sanity.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace tlmetry;
using test::healthy;

namespace {

using Change = std::function<void(driver::Measurement&)>;

struct Case {
    const char* id;
    bool wrong;
    const char* part;  ///< of the sentence
    Change change;
    verdict::LinkFacts facts = {};
};

constexpr std::uint64_t slack = 2 * 4096;

const std::vector<Case>& cases() {
    using M = driver::Measurement;
    static const std::vector<Case> all = {
        {"lost_deltas", true, "lost", [](M& m) { m.status.lost_deltas = true; }},
        {"readout_overrun", true, "read-out", [](M& m) { m.status.readout_overrun = true; }},
        {"busy", true, "under way", [](M& m) { m.status.busy = true; }},
        {"cleared", false, "cleared during",
         [](M& m) {
             m.cleared = true;
             m.seconds.reset();
         }},
        {"no_interval", false, "totals", [](M& m) { m.seconds.reset(); }},
        {"backwards", true, "1 counter (first: PCIe -> PTC (RC)) went backwards",
         [](M& m) { m.endpoints[0].buses[test::rc_bus].words = (std::uint64_t{1} << 48) - 5; }},
        {"link_down", false, "link is down.", [](M& m) { m.endpoints[0].link_up = false; }},
        {"zero_counters", true, "No PCIe clock cycle was counted though the link is up",
         [](M& m) {
             driver::EndpointCounts& e = m.endpoints[0];
             e.pcie_cycles = 0;
             for (driver::Histogram& histogram : e.histograms)
                 histogram.bands.assign(4, 0);
             for (const std::size_t bus : {test::rq_bus, test::rc_bus}) {
                 e.buses[bus].words = e.buses[bus].transactions = e.buses[bus].items = 0;
                 e.buses[bus].regions.assign(2, 0);
             }
         }},
        {"short_interval", false,
         "Only 60000 DMA clock cycles: the counters are read out every 4096 cycles, so "
         "that a count may be 6.83 % off",
         [](M& m) {
             driver::EndpointCounts& e = m.endpoints[0];
             e.dma_cycles = 60'000;
             for (const std::size_t bus : {test::up_bus, test::down_bus}) {
                 driver::BusCounts& b = e.buses[bus];
                 b.words = b.transactions = b.mvb_items = b.items = 100;
                 b.regions.assign(2, 100);
             }
         }},
        {"clock", true, "PCIe clock comes out at 4.000 MHz",
         [](M& m) {
             m.seconds = 100;
             m.endpoints[0].dma_cycles = 20'000'000'000;
         }},
        {"bus_cycles", true, "DMA0 -> PTC (UP): cycles with a word and stalled cycles make",
         [](M& m) {
             driver::BusCounts& up = m.endpoints[0].buses[test::up_bus];
             up.stalled = m.endpoints[0].dma_cycles - up.words + slack + 1;
         }},
        {"bus_cycles", true, "PTC -> DMA0 (DOWN): stalled cycles of the MVB",
         [](M& m) {
             m.endpoints[0].buses[test::down_bus].mvb_stalled = m.endpoints[0].dma_cycles + slack + 1;
         }},
        {"regions", true, "region 1",
         [](M& m) {
             driver::BusCounts& rc = m.endpoints[0].buses[test::rc_bus];
             rc.regions[1] = rc.words + slack + 1;
         }},
        {"frames", true, "90016385 frames in 90000000 regions",
         [](M& m) {
             driver::BusCounts& rq = m.endpoints[0].buses[test::rq_bus];
             rq.transactions = rq.regions[0] + rq.regions[1] + 2 * slack + 1;
         }},
        {"frames", true, "headers of 20000000 requests",
         [](M& m) {
             driver::BusCounts& up = m.endpoints[0].buses[test::up_bus];
             up.transactions = up.mvb_items + 2 * slack + 1;
         }},
        {"items", true, "items in 160000000 regions of 8",
         [](M& m) {
             driver::BusCounts& down = m.endpoints[0].buses[test::down_bus];
             down.items = (down.regions[0] + down.regions[1] + 2 * slack) * 8 + 1;
         }},
        {"narrow_bus", false, "PTC -> DMA0 (DOWN): the hardware counts items that do not exist",
         [](M& m) {
             driver::BusCounts& down = m.endpoints[0].buses[test::down_bus];
             down.regions.pop_back();
             down.items /= 2;
         }},
        {"reason_cycles", true, "Reason 3 was on in",
         [](M& m) { m.endpoints[0].reasons[3] = m.endpoints[0].pcie_cycles + slack + 1; }},
        {"histogram", true, "histogram 1 make",
         [](M& m) { m.endpoints[0].histograms[1].bands[3] += slack + 1; }},
        {"histogram", true, "histogram 0 make",
         [](M& m) { m.endpoints[0].histograms[0].bands[3] -= slack + 1; }},
        {"marks_unset", false, "it reads 2047", [](M& m) { m.endpoints[0].tags.lowest = 0x7ff; }},
        {"marks_unset", false, "it reads 65535", [](M& m) { m.endpoints[0].stfifo.lowest = 0xffff; }},
        {"level_order", true, "100 now, but 200 as the lowest", [](M& m) { m.endpoints[0].tags.now = 100; }},
        {"level_capacity", true, "257 of 256", [](M& m) { m.endpoints[0].tags.now = 257; }},
        {"level_histogram", false, "never below 200",
         [](M& m) {
             m.endpoints[0].histograms[0].bands = {100'000'000, 0, 0, 300'000'000};
         }},
        {"link_rate", true, "5.520 GB/s went from the host", [](M&) {}, {{{4, 2}}, {}, 64, false}},
        {"trained_down", false, "Gen4 x8 and could do Gen4 x16", [](M&) {}, {{{4, 8}}, {{4, 16}}, 64, false}},
    };
    return all;
}

std::vector<verdict::Doubt> doubts(const Case& c) {
    driver::Measurement m = healthy();
    c.change(m);
    return verdict::check(m, c.facts);
}

}  // namespace

TEST_CASE("nothing is said of a healthy measurement, with its link or without") {
    CHECK(verdict::check(healthy(), {}).empty());
    CHECK(verdict::check(healthy(), {{{4, 16}}, {{4, 16}}, 64, false}).empty());
}

TEST_CASE("every check finds what it is there for, and nothing else does") {
    for (const Case& c : cases()) {
        CAPTURE(c.id, c.part);
        const std::vector<verdict::Doubt> found = doubts(c);
        REQUIRE(!found.empty());
        // Both directions of a link may be too fast at once.
        for (const verdict::Doubt& doubt : found)
            CHECK(doubt.id == c.id);
        CHECK(found.back().wrong == c.wrong);
        CHECK_THAT(found.back().sentence, Catch::Contains(c.part));
    }
}

TEST_CASE("counters that are as far apart as read-outs make them are no contradiction") {
    driver::Measurement m = healthy();
    driver::EndpointCounts& e = m.endpoints[0];
    driver::BusCounts& up = e.buses[test::up_bus];
    up.stalled = e.dma_cycles - up.words + slack;
    e.buses[test::rc_bus].regions[1] = e.buses[test::rc_bus].words + slack;
    e.reasons[3] = e.pcie_cycles + slack;
    e.histograms[0].bands[3] += slack;
    e.histograms[1].bands[3] -= slack;
    CHECK(verdict::check(m, {}).empty());
}

TEST_CASE("a link may be exceeded by what was counted before and behind the interval") {
    // 5.52 GB/s from the host; 3.938 GB/s are what Gen4 x2 carries.
    driver::Measurement m = healthy();
    const verdict::LinkFacts gen4x2{{{4, 2}}, {}, 64, false};
    m.endpoints[0].dma_cycles = 200'000;  // 4 % off
    for (const auto& [seconds, said] :
         {std::pair(5.52 / 3.9385 / 1.039, false), std::pair(5.52 / 3.9385 / 1.042, true)}) {
        m.seconds = seconds;
        CAPTURE(seconds);
        bool found = false;
        for (const verdict::Doubt& doubt : verdict::check(m, gen4x2))
            found |= doubt.id == "link_rate";
        CHECK(found == said);
    }
}

TEST_CASE("a full capacity of all ones is a level like any other") {
    driver::Measurement m = healthy();
    m.layout.stfifo_capacity = 65535;
    m.endpoints[0].stfifo = {65535, 65535};
    CHECK(verdict::check(m, {}).empty());
}

TEST_CASE("a drain period of 0 stands for 65536") {
    driver::Measurement m = healthy();
    m.layout.drain_period = 0;
    m.endpoints[0].histograms[0].bands[3] += 2 * 65536;
    CHECK(verdict::check(m, {}).empty());
    m.endpoints[0].histograms[0].bands[3] += 1;
    CHECK(verdict::check(m, {}).size() == 1);
}

TEST_CASE("missing deltas are said once, not of each counter that no longer goes with another") {
    driver::Measurement m = healthy();
    m.status.lost_deltas = true;
    m.endpoints[0].histograms[0].bands[3] = 0;
    CHECK(verdict::check(m, {}).size() == 1);
}

TEST_CASE("the page about explain lists every check") {
    const std::string page = test::read_file(TLMETRY_DOCS "/explain.md");
    std::set<std::string> ids;
    for (const Case& c : cases())
        ids.insert(c.id);
    CHECK(ids.size() == 23);
    for (const std::string& id : ids) {
        CAPTURE(id);
        CHECK(page.find("| `" + id + "` |") != std::string::npos);
    }
}
