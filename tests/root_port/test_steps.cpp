// SPDX-License-Identifier: BSD-3-Clause
// What root ports do depends on nothing but their time.
#include "root_port/tapped.hpp"

#include <tlmetry/base/random.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using endpoint::RootPortTx;
using endpoint::TuneEvent;
using test::in_order;
using test::same;
using test::Setup;
using test::Tapped;

namespace {

/// Everything at once, and everything that can happen to it, at times of no clock.
Setup eventful() {
    Setup setup = test::two_endpoints();
    setup.card.endpoint.link.propagation_fs = 130 * fs_per_ns;
    setup.card.endpoint.ptc.completion_timeout_fs = 30 * fs_per_us;
    setup.card.link.generation = 3;
    setup.card.link.lanes = 4;
    setup.card.up_error_ppb = setup.card.down_error_ppb = 2'000'000;
    setup.card.endpoint.link.nak_latency_fs = 300 * fs_per_ns;
    endpoint::Cpu& cpu = setup.card.endpoint.cpu;
    cpu.writes_per_s = 7'000'000;
    cpu.reads_per_s = 9'000'000;
    cpu.read_timeout_fs = 20 * fs_per_us;
    setup.card.endpoint.tuning.levels = {2, 0, 1, 1, 1};
    setup.card.endpoint.batching = {700 * fs_per_ns, 3 * fs_per_ns};
    constexpr time_fs odd = 1'234'567;
    setup.card.timeline = {
        {20 * fs_per_us + odd, card::TuneChange{TuneEvent::qos_tx_cpl, 0}, "tune"},
        {25 * fs_per_us + odd, card::TuneChange{TuneEvent::rx_alloc_buf_level, 2}, "tune"},
        {30 * fs_per_us + odd, card::LinkDown{3 * fs_per_us}, "down"},
        {50 * fs_per_us, card::TuneChange{TuneEvent::tx_alloc_buf_level, 0}, "tune"},
        {60 * fs_per_us + odd, card::LinkChange{3, 2}, "slow"},
        {70 * fs_per_us + odd, card::Reset{2 * fs_per_us}, "reset"},
        {80 * fs_per_us, card::TuneChange{TuneEvent::rx_alloc_buf_level, 0}, "tune"},
        {90 * fs_per_us + odd, card::Reset{fs_per_us, endpoint::ResetDomain::dma}, "reset"}};
    return setup;
}

}  // namespace

TEST_CASE("steps change nothing of what a root port does") {
    const Setup setup = eventful();
    constexpr time_fs end = 120 * fs_per_us;
    Tapped whole(setup);
    whole.advance(end);
    CHECK(in_order(whole.tlps));
    CHECK(whole.card.unbalanced().empty());
    for (const time_fs step : {time_fs{1'000'003}, 37 * fs_per_ns + 11, 777 * fs_per_ns}) {
        Tapped stepped(setup);
        for (time_fs t = step; t < end; t += step) {
            stepped.advance(t);
            REQUIRE(stepped.card.unbalanced() == "");
        }
        stepped.advance(end);
        CHECK(same(stepped.tlps, whole.tlps));
        CHECK(stepped.counters() == whole.counters());
        for (std::uint32_t e = 0; e < 2; ++e) {
            const endpoint::Endpoint& a = stepped.card.endpoint(e);
            const endpoint::Endpoint& b = whole.card.endpoint(e);
            CHECK(a.statistics().reads_done == b.statistics().reads_done);
            CHECK(a.cpu().statistics().reads_done == b.cpu().statistics().reads_done);
            CHECK(a.cpu().statistics().reads_lost == b.cpu().statistics().reads_lost);
            CHECK(a.root_port_rx().statistics().wait_fs == b.root_port_rx().statistics().wait_fs);
            CHECK(a.link_up().statistics().all_bytes == b.link_up().statistics().all_bytes);
            CHECK(a.link_down().statistics().all_bytes == b.link_down().statistics().all_bytes);
        }
    }
    for (std::uint32_t e = 0; e < 2; ++e) {
        const endpoint::Endpoint& endpoint = whole.card.endpoint(e);
        CHECK(endpoint.cpu().statistics().reads_done > 100);
        CHECK(endpoint.cpu().statistics().reads_lost > 0);
        CHECK(endpoint.statistics().reads_done > 100);
        CHECK(endpoint.statistics().writes > 100);
        CHECK(endpoint.root_port_tx().statistics(RootPortTx::completion).lost > 0);
    }
}

TEST_CASE("nor do they on random cards") {
    std::uint64_t answered = 0;
    std::uint64_t completed = 0;
    for (int round = 0; round < 300; ++round) {
        Random random(static_cast<std::uint64_t>(round), "cards");
        const auto below = [&](std::uint64_t n) { return random.next() % n; };
        const auto level = [&] { return static_cast<std::uint32_t>(below(3)); };
        const auto time = [&](time_fs most) {
            return static_cast<time_fs>(below(static_cast<std::uint64_t>(most)));
        };
        Setup setup = test::two_endpoints();
        setup.generics.dma_ports = 1;
        card::Config& c = setup.card;
        const auto size = static_cast<std::uint32_t>(1 + below(256));
        c.traffic[0] = below(3) == 0 ? generator::only_reads(size) : generator::half_and_half(size);
        if (below(2) == 0) c.traffic[0].outstanding_max = static_cast<std::uint32_t>(1 + below(20));
        c.link.generation = static_cast<std::uint32_t>(1 + below(5));
        c.link.lanes = 1u << below(5);
        c.link.dllp = below(2) == 0 ? pcie::DllpMode::spec : pcie::DllpMode::off;
        c.endpoint.link.propagation_fs = time(300 * fs_per_ns);
        c.endpoint.ptc.completion_timeout_fs = 20 * fs_per_us;
        if (below(3) == 0) c.endpoint.host.part_gap_fs = time(50 * fs_per_ns);
        if (below(3) == 0) c.endpoint.link.posted_headers = static_cast<std::uint32_t>(1 + below(30));
        if (below(3) == 0) c.endpoint.link.nonposted_headers = static_cast<std::uint32_t>(1 + below(30));
        if (below(3) == 0) c.up_error_ppb = c.down_error_ppb = 20'000'000;
        c.endpoint.link.nak_latency_fs = time(fs_per_us);
        if (below(3) != 0) c.endpoint.cpu.writes_per_s = 1 + below(50'000'000);
        if (below(3) != 0) c.endpoint.cpu.reads_per_s = 1 + below(50'000'000);
        c.endpoint.cpu.read_bytes = 1u << below(8);
        c.endpoint.cpu.write_bytes = 1u << below(8);
        c.endpoint.cpu.read_latency_fs = time(fs_per_us);
        c.endpoint.cpu.read_timeout_fs = 1 + time(10 * fs_per_us);
        c.endpoint.tuning.levels = {level(), level(), level(), level(), level()};
        c.endpoint.batching = {time(2 * fs_per_us), below(2) == 0 ? 0 : time(20 * fs_per_ns)};
        for (time_fs at = time(10 * fs_per_us); at < 40 * fs_per_us; at += time(20 * fs_per_us)) {
            ++at;
            if (below(2) == 0) {
                c.timeline.push_back(
                    {at, card::TuneChange{static_cast<TuneEvent>(below(ptt::tune_events.size())), level()}});
            } else if (below(2) == 0) {
                c.timeline.push_back({at, card::LinkDown{1 + time(2 * fs_per_us)}});
                at += 2 * fs_per_us;
            } else {
                c.timeline.push_back({at, card::Reset{fs_per_us + time(fs_per_us)}});
                at += 2 * fs_per_us;
            }
        }
        constexpr time_fs end = 50 * fs_per_us;
        CAPTURE(round);
        Tapped whole(setup);
        whole.advance(end);
        CHECK(in_order(whole.tlps));
        Tapped stepped(setup);
        for (time_fs t = 0; (t += 1 + time(fs_per_us)) < end;) {
            stepped.advance(t);
            REQUIRE(stepped.card.unbalanced() == "");
        }
        stepped.advance(end);
        REQUIRE(same(stepped.tlps, whole.tlps));
        REQUIRE(stepped.counters() == whole.counters());
        for (std::uint32_t e = 0; e < 2; ++e) {
            answered += whole.card.endpoint(e).cpu().statistics().reads_done;
            completed += whole.card.endpoint(e).statistics().reads_done;
            CHECK(stepped.card.endpoint(e).native_bytes_up() == whole.card.endpoint(e).native_bytes_up());
            CHECK(stepped.card.endpoint(e).native_bytes_down() == whole.card.endpoint(e).native_bytes_down());
        }
    }
    CHECK(answered > 1000);
    CHECK(completed > 1000);
}
