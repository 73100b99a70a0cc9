// SPDX-License-Identifier: BSD-3-Clause
// What changes during a run: latencies, speed of the link, links that go down, resets.
#include "run.hpp"

#include <tlmetry/base/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace tlmetry;
using endpoint::ResetDomain;
using test::Run;
using test::Setup;

namespace {

constexpr std::uint32_t link_up = 0x200;
constexpr time_fs drained = 10 * fs_per_ms;

Setup reads_only() {
    Setup setup;
    setup.card.traffic[0] = generator::only_reads(256);
    setup.card.traffic[0].outstanding_max = 8;
    return setup;
}

card::Event latency_at(const Setup& setup, time_fs at, time_fs latency) {
    card::HostChange change{setup.card.host};
    change.host.latency = host::Latency::constant;
    change.host.latency_fs = latency;
    return {at, change, "a change"};
}

std::string refusal(const Setup& setup) {
    try {
        const Run run(setup);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

/// Everything that was asked for has come to an end, nothing is missing.
void check_all_has_ended(Run& run, time_fs now, std::uint64_t requests) {
    for (std::uint32_t e = 0; e < run.card.endpoints(); ++e) {
        CAPTURE(e);
        const endpoint::Endpoint::Statistics& s = run.card.endpoint(e).statistics();
        std::uint64_t asked = 0;
        for (std::uint32_t p = 0; p < run.component.config().dma_ports; ++p)
            asked += run.card.asked(e, p).requests;
        CHECK(asked == requests);
        CHECK(asked == s.reads + s.writes + s.requests_reset);
        CHECK(s.reads == s.reads_done + s.reads_timed_out + s.reads_reset);
        CHECK(s.writes == run.card.host().statistics(e).writes + s.writes_dropped);
        CHECK(run.component.peek(now, 0x80 + 4 * e) % 65536 == 256);
        CHECK(run.component.peek(now, 0xC0 + 4 * e) % 65536 == 1024);
        CHECK((run.component.peek(now, 0x40 + 4 * e) & link_up) != 0);
    }
}

/// Two endpoints with everything that can happen to them, at times of no clock.
Setup eventful(std::uint32_t ports, bool closed) {
    Setup setup = test::two_endpoints();
    setup.generics.dma_ports = ports;
    setup.card.endpoint.link.propagation_fs = 200 * fs_per_ns;
    setup.card.endpoint.ptc.completion_timeout_fs = 30 * fs_per_us;
    setup.card.traffic[0].max_requests = 2300;
    if (closed) {
        setup.card.traffic[0].outstanding_max = 7;
        setup.card.traffic[0].gap_fs = 200 * fs_per_ns;
    } else {
        setup.card.traffic[0].rate = generator::Rate::requests;
        setup.card.traffic[0].requests_per_s = 20'000'000;
    }
    constexpr time_fs odd = 1'234'567;
    setup.card.timeline = {{40 * fs_per_us + odd, card::LinkDown{9 * fs_per_us}, "down"},
                           {10 * fs_per_us + odd, card::LinkChange{3, 8}, "slow"},
                           {70 * fs_per_us, card::Reset{2 * fs_per_us + odd}, "reset"},
                           latency_at(setup, 20 * fs_per_us + odd, 2 * fs_per_us),
                           {80 * fs_per_us + odd, card::Reset{100 * fs_per_ns, ResetDomain::pcie}, "reset"},
                           {82 * fs_per_us + odd, card::Reset{200 * fs_per_ns, ResetDomain::dma}, "reset"},
                           {85 * fs_per_us + odd, card::LinkChange{5, 16}, "fast"}};
    return setup;
}

struct Outcome {
    std::vector<std::uint64_t> counters;
    std::vector<std::uint32_t> status;  // as read again and again
    std::vector<std::uint64_t> statistics;
    bool operator==(const Outcome& other) const {
        return counters == other.counters && status == other.status && statistics == other.statistics;
    }
};

/// Looks at the registers every 5 us, and lets the card go on in steps in between. Somebody who is `watching`
/// makes it log everything on the buses.
Outcome outcome(const Setup& setup, time_fs end, time_fs step, bool watching = false) {
    Run run(setup);
    if (watching) run.card.on_advance([](time_fs) {});
    Outcome outcome;
    time_fs t = 0;
    for (time_fs look = 5 * fs_per_us; look <= end; look += 5 * fs_per_us) {
        for (; t < look; t += step)
            run.component.advance_to(t);
        for (const std::uint32_t address : {0x40u, 0x44u, 0x80u, 0xC0u})
            outcome.status.push_back(run.component.peek(look, address));
    }
    run.component.advance_to(end);
    outcome.counters = run.counters();
    // Those that are under way count as soon as it is known what becomes of them.
    run.component.advance_to(drained);
    for (std::uint32_t e = 0; e < run.card.endpoints(); ++e) {
        const endpoint::Endpoint::Statistics& s = run.card.endpoint(e).statistics();
        for (const std::uint64_t n :
             {s.reads, s.writes, s.reads_done, s.reads_timed_out, s.reads_reset, s.requests_reset,
              s.writes_dropped, s.completions, run.card.host().statistics(e).writes})
            outcome.statistics.push_back(n);
    }
    return outcome;
}

}  // namespace

TEST_CASE("a change of the latency holds from its time on") {
    Setup setup = reads_only();
    setup.card.timeline = {latency_at(setup, 100 * fs_per_us, 2 * fs_per_us)};
    Run run(setup);
    const auto done = [&](time_fs t) {
        run.component.advance_to(t);
        return static_cast<double>(run.card.endpoint(0).statistics().reads_done);
    };
    const double start = done(50 * fs_per_us);
    const double fast = done(100 * fs_per_us) - start;
    const double before = done(110 * fs_per_us);
    const double slow = done(160 * fs_per_us) - before;
    Setup longer = reads_only();
    longer.card.host.latency_fs = 2 * fs_per_us;
    Run from_the_start(longer);
    from_the_start.component.advance_to(50 * fs_per_us);
    const auto first = from_the_start.card.endpoint(0).statistics().reads_done;
    from_the_start.component.advance_to(100 * fs_per_us);
    const auto always = static_cast<double>(from_the_start.card.endpoint(0).statistics().reads_done - first);
    CHECK(fast > 2 * slow);
    CHECK(slow == Approx(always).epsilon(0.03));
}

TEST_CASE("a link of half the width is half as fast") {
    Setup setup;
    setup.card.traffic[0] = generator::only_writes(256);
    setup.card.link.generation = 3;
    setup.card.link.lanes = 8;
    setup.card.timeline = {{100 * fs_per_us, card::LinkChange{3, 4}},
                           {200 * fs_per_us, card::LinkChange{2, 4}}};
    Run run(setup);
    std::vector<double> writes;
    for (time_fs t = 50 * fs_per_us; t <= 300 * fs_per_us; t += 50 * fs_per_us) {
        run.component.advance_to(t);
        writes.push_back(static_cast<double>(run.card.host().statistics(0).writes));
    }
    const double full = writes[1] - writes[0];
    CHECK((writes[3] - writes[2]) / full == Approx(0.5).epsilon(0.01));
    CHECK((writes[5] - writes[4]) / full == Approx(0.5 * 5 * 0.8 / (8 * 128 / 130.0)).epsilon(0.01));
}

TEST_CASE("while a link is down it shows so, and what waits goes on afterwards") {
    Setup setup = reads_only();
    setup.card.traffic[0].max_requests = 2000;
    setup.card.endpoint.ptc.completion_timeout_fs = 30 * fs_per_us;
    setup.card.timeline = {{20 * fs_per_us, card::LinkDown{40 * fs_per_us}}};
    Run run(setup);
    const auto shows_up = [&](time_fs t) { return (run.component.peek(t, 0x40) & link_up) != 0; };
    CHECK(shows_up(19 * fs_per_us));
    run.component.advance_to(22 * fs_per_us);
    const endpoint::Endpoint::Statistics at_first = run.card.endpoint(0).statistics();
    CHECK(!shows_up(30 * fs_per_us));
    CHECK(!shows_up(59 * fs_per_us));
    CHECK(run.card.host().statistics(0).reads <= at_first.reads);
    CHECK(shows_up(70 * fs_per_us));
    run.component.advance_to(1500 * fs_per_us);
    CHECK(run.card.endpoint(0).statistics().reads_timed_out > 0);
    CHECK(run.card.endpoint(0).statistics().reads_timed_out <= 8);
    check_all_has_ended(run, 1500 * fs_per_us, 2000);
}

TEST_CASE("after a reset everything is free and traffic goes on") {
    Setup setup = test::two_endpoints();
    setup.card.traffic[0].max_requests = 5000;
    setup.card.timeline = {{5 * fs_per_us, card::Reset{2 * fs_per_us}}};
    Run run(setup);
    run.component.advance_to(5 * fs_per_us);
    const auto before = run.card.endpoint(0).statistics();
    const auto counters = run.counters();
    run.component.advance_to(7 * fs_per_us);
    CHECK(run.card.endpoint(0).statistics().reads_done == before.reads_done);
    CHECK(run.card.endpoint(0).statistics().reads_reset > 0);
    CHECK(counters[1] > 0);
    // No probe counts anything, not even cycles.
    CHECK(run.counters()[0] - counters[0] == 0);
    run.component.advance_to(500 * fs_per_us);
    CHECK(run.card.endpoint(0).statistics().reads_done > before.reads_done);
    check_all_has_ended(run, 500 * fs_per_us, 10'000);
}

TEST_CASE("a reset of one clock domain stops all traffic and the probe of that domain alone") {
    const auto domain = GENERATE(ResetDomain::pcie, ResetDomain::dma);
    CAPTURE(domain);
    Setup setup;
    setup.card.traffic[0].max_requests = 20'000;
    setup.card.timeline = {{50 * fs_per_us, card::Reset{40 * fs_per_us, domain}}};
    Run run(setup);
    // Counters are read out every few microseconds.
    run.component.advance_to(70 * fs_per_us);
    const auto before = run.counters();
    run.component.advance_to(90 * fs_per_us);
    const auto after = run.counters();
    const telemetry::Layout& layout = run.component.layout();
    const auto grown = [&](std::uint32_t channel) { return after[channel] - before[channel]; };
    const std::uint32_t dma = layout.pcie.channels;
    const bool pcie_runs = domain == ResetDomain::dma;
    CHECK((grown(0) > 2000) == pcie_runs);
    CHECK((grown(dma) > 2000) == !pcie_runs);
    // The buses are still, but for what waits on UP for the end of a reset of the other domain.
    for (std::uint32_t bus = 0; bus < layout.pcie.buses; ++bus) {
        const std::uint32_t on_pcie = layout.pcie.bus_base(bus);
        const std::uint32_t on_dma = dma + layout.dma.bus_base(bus);
        for (const std::uint32_t base : {on_pcie, on_dma}) {
            CHECK(grown(base + telemetry::bus_channel::words) == 0);
            const bool waits = base == dma + layout.dma.bus_base(0) && domain == ResetDomain::pcie;
            CHECK((grown(base + telemetry::bus_channel::mvb_stalled) > 2000) == waits);
        }
    }
    CHECK(run.card.endpoint(0).statistics().reads_reset > 0);
    run.component.advance_to(drained);
    check_all_has_ended(run, drained, 20'000);
}

TEST_CASE("with a timeline, too, a run is the same however it is cut") {
    const std::uint32_t ports = GENERATE(1u, 2u);
    for (const bool closed : {false, true}) {
        CAPTURE(ports, closed);
        const Setup setup = eventful(ports, closed);
        const time_fs end = 120 * fs_per_us;
        const Outcome whole = outcome(setup, end, end);
        CHECK(whole.statistics[4] > 0);
        for (const time_fs step :
             {fs_per_us * 10, 777'777'777 * time_fs{1}, fs_per_ns * 130, fs_per_ns * 41}) {
            CAPTURE(step);
            const Outcome cut = outcome(setup, end, step);
            CHECK(cut.statistics == whole.statistics);
            CHECK(cut.status == whole.status);
            CHECK(cut.counters == whole.counters);
        }
    }
}

TEST_CASE("any timeline in any steps gives the same, and everything comes to an end") {
    std::mt19937_64 random(5);
    const auto below = [&](std::uint64_t n) { return static_cast<time_fs>(random() % n); };
    std::uint64_t unbound = 0;
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        const auto ports = static_cast<std::uint32_t>(1 + below(2));
        Setup setup = eventful(ports, below(2) == 0);
        setup.card.traffic[0].requests_per_s = static_cast<std::uint64_t>(5'000'000 + below(40'000'000));
        setup.card.endpoint.link.propagation_fs = below(2) * below(500 * fs_per_ns);
        setup.card.timeline.clear();
        time_fs t = 0;
        for (int event = 0; event < 12; ++event) {
            t += 1 + below(12 * fs_per_us);
            switch (below(5)) {
                case 0:
                    setup.card.timeline.push_back({t, card::LinkDown{1 + below(4 * fs_per_us)}});
                    break;
                case 1:
                    setup.card.timeline.push_back({t, card::Reset{40 * fs_per_ns + below(2 * fs_per_us),
                                                                  static_cast<ResetDomain>(below(3))}});
                    break;
                case 2:
                    setup.card.timeline.push_back(latency_at(setup, t, below(3 * fs_per_us)));
                    continue;
                default:
                    setup.card.timeline.push_back(
                        {t, card::LinkChange{static_cast<std::uint32_t>(1 + below(5)), 1u << below(5)}});
                    continue;
            }
            t = card::end_of(setup.card.timeline.back());
        }
        const time_fs end = 150 * fs_per_us;
        const Outcome whole = outcome(setup, end, end);
        const Outcome cut = outcome(setup, end, 7 * fs_per_ns + below(fs_per_us));
        CHECK(cut.statistics == whole.statistics);
        CHECK(cut.status == whole.status);
        CHECK(cut.counters == whole.counters);
        Run run(setup);
        run.component.advance_to(drained);
        check_all_has_ended(run, drained, 2300 * ports);
        unbound += run.card.endpoint(0).statistics().unbound;
    }
    CHECK(unbound > 1000);
}

TEST_CASE("frames that are logged by their sum are counted like those that are logged one by one") {
    std::mt19937_64 random(8);
    const auto below = [&](std::uint64_t n) { return static_cast<time_fs>(random() % n); };
    std::uint64_t planned = 0;
    bool can_plan = false;
    for (int round = 0; round < 80; ++round) {
        CAPTURE(round);
        Setup setup;
        setup.generics.pcie_rq_mfb_regions = 1u << below(4);
        setup.generics.dma_up_mfb_regions = 1u << below(3);
        setup.generics.drain_period = 512 << below(4);
        setup.card.endpoint.link.propagation_fs = below(300 * fs_per_ns);
        generator::Config& traffic = setup.card.traffic[0];
        traffic = generator::half_and_half(static_cast<std::uint32_t>(64 + below(400)));
        traffic.rate = generator::Rate::requests;
        traffic.requests_per_s = static_cast<std::uint64_t>(5'000'000 + below(25'000'000));
        time_fs t = 0;
        for (auto events = below(5); events != 0; --events) {
            t += 1 + below(60 * fs_per_us);
            switch (below(3)) {
                case 0:
                    setup.card.timeline.push_back({t, card::Reset{40 * fs_per_ns + below(2 * fs_per_us),
                                                                  static_cast<ResetDomain>(below(3))}});
                    t = card::end_of(setup.card.timeline.back());
                    break;
                case 1:
                    setup.card.timeline.push_back(latency_at(setup, t, below(3 * fs_per_us)));
                    break;
                default:
                    setup.card.timeline.push_back({t, card::LinkChange{5, 4u << below(3)}});
            }
        }
        const time_fs end = 150 * fs_per_us;
        const time_fs step = below(3) == 0 ? end : 50 * fs_per_ns + below(8 * fs_per_us);
        const Outcome summed = outcome(setup, end, step);
        const Outcome one_by_one = outcome(setup, end, step, true);
        CHECK(summed.counters == one_by_one.counters);
        CHECK(summed.status == one_by_one.status);
        CHECK(summed.statistics == one_by_one.statistics);
        Run run(setup);
        run.component.advance_to(end);
        planned += run.card.endpoint(0).statistics().planned;
        const endpoint::Endpoint& endpoint = run.card.endpoint(0);
        can_plan =
            can_plan || endpoint::UpPlan::is_possible(endpoint.config(), endpoint.pcie(), endpoint.dma());
    }
    CHECK((planned > 10'000) == can_plan);
}

TEST_CASE("after any timeline everything that was asked for has come to an end") {
    const std::uint32_t ports = GENERATE(1u, 2u);
    for (const bool closed : {false, true}) {
        CAPTURE(ports, closed);
        Setup setup = eventful(ports, closed);
        Run run(setup);
        run.component.advance_to(drained);
        check_all_has_ended(run, drained, 2300 * ports);
        CHECK(run.card.endpoint(0).statistics().reads_timed_out > 0);
        CHECK(run.card.endpoint(0).statistics().reads_reset > 0);
        CHECK(run.card.endpoint(0).statistics().writes_dropped > 0);
    }
}

TEST_CASE("an idle card is looked at as after a reset") {
    Setup setup;
    setup.card.traffic[0].max_requests = 10;
    setup.card.timeline = {{900 * fs_per_ms, card::Reset{fs_per_ms}}};
    Run run(setup);
    run.component.advance_to(2 * fs_per_s);
    const std::uint64_t cycles = run.counters()[0];
    setup.card.timeline.clear();
    Run without(setup);
    without.component.advance_to(2 * fs_per_s);
    CHECK(without.counters()[0] - cycles >= 400'000);
    CHECK(without.counters()[0] - cycles < 403'000);
}

TEST_CASE("what a timeline cannot be is refused") {
    Setup setup;
    setup.card.timeline = {{5 * fs_per_us, card::Reset{fs_per_ns}, "x.ini:3: timeline.at 5us"}};
    CHECK(refusal(setup) ==
          "x.ini:3: timeline.at 5us: expected a reset of at least 8 cycles of the slower clock, 40ns, "
          "found 1ns");
    setup.card.timeline = {{6 * fs_per_us, card::Reset{fs_per_us}, "second"},
                           {5 * fs_per_us, card::LinkDown{2 * fs_per_us}, "first"}};
    CHECK(refusal(setup) ==
          "second: expected links that are up and no reset, which is from 7us on, found 6us");
    setup.card.timeline.resize(1);
    setup.card.timeline[0].action = card::LinkDown{fs_per_us};
    CHECK(refusal(setup) == "");
    setup.card.link_up = false;
    CHECK(refusal(setup) == "second: expected link.up = true for links that go down, found false");
    setup.card.timeline = {{0, card::LinkChange{3, 4}, "zero"}};
    CHECK(refusal(setup) == "zero: expected a time from 1fs on, found 0s");
    setup.card.timeline = {latency_at(setup, 1, -1)};
    CHECK(refusal(setup) == "a change: host.latency: expected 0s to 1s, found -1fs");
}
