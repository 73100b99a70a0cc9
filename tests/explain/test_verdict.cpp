// SPDX-License-Identifier: BSD-3-Clause
// What each cause looks like in the counters, and what it does not look like.
#include "../sw/files.hpp"
#include "healthy.hpp"

#include <tlmetry/verdict/verdict.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace tlmetry;
using test::healthy;
using verdict::CauseId;

namespace {

using M = driver::Measurement;

/// Part of the cycles of the PCIe clock.
std::uint64_t pcie(const M& m, double share) {
    return static_cast<std::uint64_t>(share * static_cast<double>(m.endpoints[0].pcie_cycles));
}
std::uint64_t dma(const M& m, double share) {
    return static_cast<std::uint64_t>(share * static_cast<double>(m.endpoints[0].dma_cycles));
}

/// The DMA module always offers a header.
void always_asks(M& m) {
    driver::BusCounts& up = m.endpoints[0].buses[test::up_bus];
    up.mvb_stalled = m.endpoints[0].dma_cycles - up.mvb_items;
}

/// As `words` of its cycles and the shape of its frames so far.
void busy(driver::BusCounts& bus, std::uint64_t words) {
    const double factor = static_cast<double>(words) / static_cast<double>(bus.words);
    const auto scale = [&](std::uint64_t& count) {
        count = static_cast<std::uint64_t>(static_cast<double>(count) * factor);
    };
    scale(bus.transactions);
    scale(bus.mvb_items);
    scale(bus.items);
    bus.words = words;
    bus.regions.assign(bus.regions.size(), words);
}

std::vector<CauseId> found(const M& m, const verdict::LinkFacts& facts = {}) {
    std::vector<CauseId> result;
    for (const verdict::Finding& finding : verdict::rank(m, facts))
        result.push_back(finding.cause);
    return result;
}

using Causes = std::vector<CauseId>;

const verdict::LinkFacts gen4x16{{{4, 16}}, {}, 64, false};

}  // namespace

TEST_CASE("nothing holds a healthy measurement: its source has nothing to send") {
    const std::vector<verdict::Finding> all = verdict::rank(healthy(), {});
    REQUIRE(all.size() == 1);
    CHECK(all[0].cause == CauseId::source);
    // UP has words in 20 % and headers in 10 % of the cycles.
    CHECK(all[0].share == Approx(0.8));
    CHECK(all[0].share_of == verdict::of_dma_cycles);
}

TEST_CASE("a source that always asks and is held by nothing leaves nothing to say") {
    M m = healthy();
    always_asks(m);
    CHECK(found(m).empty());
}

TEST_CASE("tags, their ports, and a host that is late") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_tag] = pcie(m, 0.5);
    m.endpoints[0].reasons[verdict::tag_not_ready] = pcie(m, 0.6);
    m.endpoints[0].histograms[0].bands = {pcie(m, 0.9), pcie(m, 0.1), 0, 0};
    m.endpoints[0].tags = {0, 0};

    SECTION("a pool that is nearly empty has nothing to show at its ports either") {
        // 10 million reads and 256 tags: 25 us from grant to return. The driver of the sink is not to blame.
        const auto all = verdict::rank(m, {});
        REQUIRE(all.size() == 1);
        CHECK(all[0].cause == CauseId::host_latency);
        CHECK(all[0].share == Approx(0.6));
    }
    SECTION("a short round trip needs more tags") {
        m.endpoints[0].buses[test::up_bus].mvb_items += 60'000'000;
        m.endpoints[0].buses[test::up_bus].mvb_stalled -= 60'000'000;
        const auto all = verdict::rank(m, {});
        REQUIRE(all.size() == 1);
        CHECK(all[0].cause == CauseId::tags);
        CHECK_THAT(all[0].evidence, Catch::Contains("3.6"));  // 256 tags by 70 million reads
    }
    SECTION("ports that show no tag of many are another matter") {
        m.endpoints[0].reasons[verdict::no_tag] = 0;
        m.endpoints[0].histograms[0].bands = {0, 0, pcie(m, 0.2), pcie(m, 0.8)};
        m.endpoints[0].tags = {200, 100};
        CHECK(found(m) == Causes{CauseId::tag_ports});
    }
    SECTION("with a full bus in front of the DMA module the tags are only late") {
        busy(m.endpoints[0].buses[test::down_bus], dma(m, 0.99));
        m.endpoints[0].histograms[0].bands = {pcie(m, 0.9), pcie(m, 0.1), 0, 0};
        const auto all = verdict::rank(m, {});
        REQUIRE(all.size() == 1);
        CHECK(all[0].cause == CauseId::down_full);
        CHECK_THAT(all[0].evidence, Catch::Contains("\"no free PCIe tag\" 50.00 %"));
    }
    SECTION("a bus that has time left does not explain what is missing most of the time") {
        busy(m.endpoints[0].buses[test::down_bus], dma(m, 0.92));
        const auto all = verdict::rank(m, {});
        REQUIRE(all.size() == 2);
        CHECK(all[0].cause == CauseId::tags);
        CHECK(all[0].share == Approx(0.6));
        CHECK(all[1].cause == CauseId::down_full);
        CHECK_THAT(all[1].evidence, !Catch::Contains("no free PCIe tag"));
        m.endpoints[0].reasons[verdict::no_tag] = pcie(m, 0.4);
        m.endpoints[0].reasons[verdict::tag_not_ready] = 0;
        CHECK(found(m) == Causes{CauseId::down_full});
    }
    SECTION("nor is a read late for its tag's port then") {
        busy(m.endpoints[0].buses[test::down_bus], dma(m, 0.99));
        m.endpoints[0].histograms[0].bands = {0, 0, pcie(m, 0.2), pcie(m, 0.8)};
        CHECK(found(m) == Causes{CauseId::down_full});
    }
}

TEST_CASE("storage FIFO, or the sink behind it") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_room] = pcie(m, 0.6);

    SECTION("a FIFO that is emptied all the time is too small") {
        m.endpoints[0].reasons[verdict::mfb_held] = pcie(m, 0.005);
        CHECK(found(m) == Causes{CauseId::storage});
    }
    SECTION("a sink that holds it half as often is the cause") {
        m.endpoints[0].reasons[verdict::mvb_held] = pcie(m, 0.31);
        const auto all = verdict::rank(m, {});
        REQUIRE(all.size() == 1);
        CHECK(all[0].cause == CauseId::slow_sink);
        CHECK(all[0].share == Approx(0.6));
    }
    SECTION("one that holds it now and then is another cause") {
        m.endpoints[0].reasons[verdict::mvb_held] = pcie(m, 0.2);
        CHECK(found(m) == Causes{CauseId::storage, CauseId::slow_sink});
    }
    SECTION("DOWN that is never idle and not full is held by its sink") {
        driver::BusCounts& down = m.endpoints[0].buses[test::down_bus];
        down.stalled = m.endpoints[0].dma_cycles - down.words;
        CHECK(found(m) == Causes{CauseId::slow_sink});
    }
    SECTION("DOWN that moves a word in every cycle is full") {
        busy(m.endpoints[0].buses[test::down_bus], dma(m, 1));
        CHECK(found(m) == Causes{CauseId::down_full});
    }
}

TEST_CASE("the DOWN bus that counts is the one of all ports with the least time left") {
    M m = healthy();
    m.layout.dma_ports = 2;
    std::vector<driver::BusCounts>& buses = m.endpoints[0].buses;
    buses.push_back(buses[test::up_bus]);
    buses.push_back(buses[test::down_bus]);
    for (const std::size_t full : {std::size_t{test::down_bus}, test::down_bus + std::size_t{2}}) {
        M one = m;
        busy(one.endpoints[0].buses[full], dma(m, 0.99));
        CHECK(found(one).front() == CauseId::down_full);
    }
}

TEST_CASE("words for all ports leave the storage FIFO one after another") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_room] = pcie(m, 0.9);
    m.layout.dma_ports = 3;
    m.layout.pcie.regions = m.layout.rc.regions = 4;
    std::vector<driver::BusCounts>& buses = m.endpoints[0].buses;
    buses[test::rc_bus].regions.resize(4, buses[test::rc_bus].words);
    for (int more = 0; more < 2; ++more) {
        buses.push_back(buses[test::up_bus]);
        buses.push_back(buses[test::down_bus]);
    }
    const auto each_moves = [&](double share) {
        for (std::size_t bus = test::down_bus; bus < buses.size(); bus += 2)
            busy(buses[bus], dma(m, share));
    };
    each_moves(0.59);
    CHECK(found(m) == Causes{CauseId::storage});
    each_moves(0.61);
    CHECK(found(m) == Causes{CauseId::output_full});
    SECTION("frames that fill half of it may share a word") {
        for (std::size_t bus = test::down_bus; bus < buses.size(); bus += 2)
            buses[bus].items /= 2;
        CHECK(found(m) == Causes{CauseId::storage});
    }
    SECTION("nothing is cut where DOWN is as wide as RC") {
        m.layout.pcie.regions = m.layout.rc.regions = 2;
        buses[test::rc_bus].regions.resize(2);
        CHECK(found(m) == Causes{CauseId::storage});
    }
}

TEST_CASE("completion headers, unless completions wait for RC") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_header] = pcie(m, 0.97);
    CHECK(found(m) == Causes{CauseId::completion_headers});
    busy(m.endpoints[0].buses[test::rc_bus], pcie(m, 0.95));
    CHECK(found(m) == Causes{CauseId::completion_headers, CauseId::rc_full});
    busy(m.endpoints[0].buses[test::rc_bus], pcie(m, 0.99));
    CHECK(found(m) == Causes{CauseId::rc_full});
}

TEST_CASE("buses are full from 90 % of their cycles on") {
    for (const auto& [bus, cause] :
         {std::pair(test::rq_bus, CauseId::rq_full), std::pair(test::up_bus, CauseId::up_full)}) {
        M m = healthy();
        always_asks(m);
        driver::BusCounts& counts = m.endpoints[0].buses[bus];
        const std::uint64_t cycles = m.endpoints[0].cycles(counts.pcie_clock);
        busy(counts, cycles * 89 / 100);
        CHECK(found(m).empty());
        busy(counts, cycles * 91 / 100);
        CHECK(found(m).front() == cause);
    }
}

TEST_CASE("an endpoint that is not ready: unknown, full, stopped, or trained down") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].buses[test::rq_bus].stalled = pcie(m, 0.5);

    // Headers may cost something only when the link may be full.
    const auto unknown = verdict::rank(m, {});
    REQUIRE(unknown.size() == 2);
    CHECK(unknown[0].cause == CauseId::link_held);
    CHECK(unknown[1].cause == CauseId::headers);
    // 2560 MB of payload and 20 million headers of 24 B
    CHECK(unknown[1].share == Approx(0.5 * 480 / 3040));

    CHECK(found(m, gen4x16) == Causes{CauseId::link_waits});
    // 3.04 GB/s of 3.15
    CHECK(found(m, {{{3, 4}}, {}, 64, false}).front() != CauseId::link_waits);
    const auto narrow = found(m, {{{3, 4}}, {{3, 8}}, 64, false});
    CHECK(narrow.front() == CauseId::trained_down);
    CHECK(std::count(narrow.begin(), narrow.end(), CauseId::link_held) == 0);
}

TEST_CASE("a link that is full from the host") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_tag] = pcie(m, 0.9);
    // 5.12 GB/s and 20 million headers of 20 B are 5.52 GB/s.
    const verdict::LinkFacts gen3x8{{{3, 8}}, {}, 64, false};  // 7.877 GB/s
    CHECK(found(m, gen3x8) == Causes{CauseId::tags});
    driver::BusCounts& down = m.endpoints[0].buses[test::down_bus];
    busy(down, down.words * 14 / 10);
    const auto all = verdict::rank(m, gen3x8);
    REQUIRE(all.size() == 2);
    CHECK(all[0].cause == CauseId::link_down_full);
    CHECK(all[0].share == Approx(1.4 * 5.52 / 7.877).epsilon(0.001));
    CHECK_THAT(all[0].evidence, Catch::Contains("\"no free PCIe tag\" 90.00 %"));
    CHECK(all[1].cause == CauseId::headers);
    CHECK(all[1].share == Approx(all[0].share * 20 / 276));
}

TEST_CASE("completions cut at every RCB") {
    M m = healthy();
    always_asks(m);
    driver::BusCounts& down = m.endpoints[0].buses[test::down_bus];
    down.mvb_items = down.transactions = 80'000'000;  // 64 B each, eight of a read
    const auto all = verdict::rank(m, {});
    REQUIRE(all.size() == 1);
    CHECK(all[0].cause == CauseId::small_completions);
    CHECK(all[0].share == Approx(0.2 * 20 / 84));  // of the words of RC
    SECTION("cost nothing while the link is far from full") {
        CHECK(found(m, gen4x16).empty());
    }
    SECTION("of small reads nothing else can be made") {
        m.endpoints[0].buses[test::up_bus].mvb_items += 70'000'000;
        m.endpoints[0].buses[test::up_bus].mvb_stalled -= 70'000'000;
        CHECK(found(m).empty());
    }
}

TEST_CASE("a link that is down is all there is to say") {
    M m = healthy();
    m.endpoints[0].link_up = false;
    CHECK(found(m) == Causes{CauseId::link_down});
}

TEST_CASE("what takes less than 1 % of the time is not worth a word") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_header] = pcie(m, 0.0099);
    CHECK(found(m).empty());
    m.endpoints[0].reasons[verdict::no_header] = pcie(m, 0.0101);
    CHECK(found(m) == Causes{CauseId::completion_headers});
}

TEST_CASE("larger shares come first, and an endpoint that nothing holds comes last") {
    M m = healthy();
    m.layout.endpoints = 2;
    m.endpoints.push_back(m.endpoints[0]);
    m.endpoints[1].reasons[verdict::no_header] = pcie(m, 0.3);
    m.endpoints[1].reasons[verdict::no_room] = pcie(m, 0.4);
    const auto all = verdict::rank(m, {});
    REQUIRE(all.size() == 4);
    CHECK(all[0].cause == CauseId::source);
    CHECK(all[0].endpoint == 1);
    CHECK(all[1].cause == CauseId::storage);
    CHECK(all[2].cause == CauseId::completion_headers);
    CHECK(all[3].endpoint == 0);
}

TEST_CASE("what is known exactly takes the place of what the counters suggest") {
    M m = healthy();
    always_asks(m);
    m.endpoints[0].reasons[verdict::no_header] = pcie(m, 0.3);
    verdict::Finding exact{CauseId::completion_headers, 0, 0.2, verdict::of_pcie_cycles, "counted"};
    verdict::Finding further{CauseId::headers, 0, 0.9, verdict::of_link_time, "counted as well"};
    const auto all = verdict::rank(m, {}, {exact, further});
    REQUIRE(all.size() == 2);
    CHECK(all[0].cause == CauseId::headers);
    CHECK(all[1].cause == CauseId::completion_headers);
    CHECK(all[1].share == 0.2);
    CHECK(all[1].evidence == "counted");
}

TEST_CASE("the page about explain lists every cause with its owner and parameters") {
    const std::string page = test::read_file(TLMETRY_DOCS "/explain.md");
    std::set<std::string_view> owners;
    for (const verdict::Cause& cause : verdict::causes()) {
        CAPTURE(cause.id);
        CHECK(page.find("| `" + std::string(cause.id) + "` | " + std::string(cause.name) + " | " +
                        std::string(cause.owner) + " |") != std::string::npos);
        owners.insert(cause.owner);
    }
    CHECK(owners.size() == 7);
}
