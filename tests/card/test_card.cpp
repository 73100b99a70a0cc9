// SPDX-License-Identifier: BSD-3-Clause
// A card without a kernel: its counters depend on the configuration and the seed alone, and agree with what
// its parts say.
#include "run.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace tlmetry;
using test::Run;
using test::Setup;
using test::two_endpoints;

namespace {

std::vector<std::uint64_t> counters_after(const Setup& setup, time_fs end, time_fs step) {
    Run run(setup);
    for (time_fs t = step; t < end; t += step)
        run.component.advance_to(t);
    run.component.advance_to(end);
    return run.counters();
}

}  // namespace

TEST_CASE("counters are the same however a run is cut") {
    for (const bool closed : {false, true}) {
        Setup setup = two_endpoints();
        if (closed) {
            setup.card.traffic[0].outstanding_max = 7;
            setup.card.traffic[0].gap_fs = 200 * fs_per_ns;
        }
        const time_fs end = 100 * fs_per_us;
        const auto counters = counters_after(setup, end, end);
        for (const time_fs step : {fs_per_us * 10, 777'777'777 * time_fs{1}, fs_per_ns * 130, fs_per_ns * 41})
            CHECK(counters_after(setup, end, step) == counters);
        CHECK(counters[1] > 0);
    }
}

TEST_CASE("the same with finite credits, and everything comes to an end") {
    Setup setup = two_endpoints();
    setup.card.traffic[0].max_requests = 2000;
    setup.card.host.commit_latency_fs = 300 * fs_per_ns;
    setup.card.host.lines_in_flight = 40;
    setup.card.endpoint.link.posted_headers = 20;
    setup.card.endpoint.link.posted_data = 300;
    setup.card.endpoint.link.nonposted_headers = 8;
    const time_fs end = 300 * fs_per_us;
    const auto counters = counters_after(setup, end, end);
    for (const time_fs step : {fs_per_us * 10, 777'777'777 * time_fs{1}, fs_per_ns * 130, fs_per_ns * 41})
        CHECK(counters_after(setup, end, step) == counters);
    Run run(setup);
    run.component.advance_to(end);
    for (std::uint32_t e = 0; e < run.card.endpoints(); ++e) {
        const endpoint::Endpoint::Statistics& s = run.card.endpoint(e).statistics();
        CHECK(s.reads + s.writes == 4000);
        CHECK(s.reads_done == s.reads);
        CHECK(s.credit_wait_fs > 0);
        CHECK(run.card.host().statistics(e).writes == s.writes);
    }
    CHECK(run.card.unbalanced().empty());
}

TEST_CASE("writes that are committed late make RQ stall once their credits are gone") {
    Setup setup;
    setup.card.host.commit_latency_fs = fs_per_us;
    endpoint::Link& link = setup.card.endpoint.link;
    link.credit_update_latency_fs = 500 * fs_per_ns;
    link.propagation_fs = 250 * fs_per_ns;
    const time_fs t = 200 * fs_per_us;
    struct Result {
        double requests;  // from t to 2t
        double stalled;   // share of the cycles of RQ
        bool waited;
    };
    const auto run_with = [&](const generator::Config& traffic) {
        setup.card.traffic[0] = traffic;
        Run run(setup);
        const std::uint32_t stalls =
            run.component.layout().pcie.bus_base(0) + telemetry::bus_channel::stalled;
        const endpoint::Endpoint::Statistics& s = run.card.endpoint(0).statistics();
        run.component.advance_to(t);
        const std::uint64_t before = s.reads + s.writes;
        const std::uint64_t stalled = run.component.counted(stalls);
        run.component.advance_to(2 * t);
        return Result{
            static_cast<double>(s.reads + s.writes - before),
            static_cast<double>(run.component.counted(stalls) - stalled) / static_cast<double>(t / 2'500'000),
            s.credit_wait_fs != 0};
    };
    const generator::Config writes = generator::only_writes(256);
    const generator::Config reads = generator::only_reads(256);
    const Result unlimited = run_with(writes);
    CHECK(unlimited.requests > 9000);
    CHECK(unlimited.stalled == 0);
    CHECK(!unlimited.waited);
    // 20 TLPs in 1.75 us and what one takes on the link.
    link.posted_headers = 20;
    const Result by_headers = run_with(writes);
    CHECK(by_headers.requests == Approx(20 * 200 / 1.755).epsilon(0.01));
    CHECK(by_headers.stalled > 0.85);
    CHECK(by_headers.waited);
    link.posted_headers = 0;
    link.posted_data = 20 * 256 / 16;
    CHECK(run_with(writes).requests == by_headers.requests);
    // Reads have credits of their own; an idle memory takes them on their arrival.
    CHECK(!run_with(reads).waited);
    link.nonposted_headers = 4;
    CHECK(run_with(reads).requests == Approx(4 * 200 / 0.7505).epsilon(0.01));
    // Four lines in 400 ns are all that is read at a time.
    setup.card.host.lines_in_flight = 4;
    setup.card.host.line_service_fs = 400 * fs_per_ns;
    link.credit_update_latency_fs = fs_per_ns;
    link.propagation_fs = fs_per_ns;
    const Result slow_memory = run_with(reads);
    CHECK(slow_memory.requests == Approx(200 / 0.4).epsilon(0.01));
    CHECK(slow_memory.waited);
}

TEST_CASE("Acks and updates of credits travel against what they answer") {
    Setup setup;
    setup.card.link.generation = 3;
    setup.card.link.lanes = 8;
    setup.card.link.mps_bytes = 256;
    setup.card.endpoint.ptc.storage_words = 4096;
    struct Result {
        endpoint::LinkDirection::Statistics up, down;
    };
    const time_fs end = 300 * fs_per_us;
    const auto run_with = [&](const generator::Config& traffic, pcie::DllpMode mode) {
        setup.card.traffic[0] = traffic;
        setup.card.link.dllp = mode;
        Run run(setup);
        run.component.advance_to(end);
        return Result{run.card.endpoint(0).link_up().statistics(),
                      run.card.endpoint(0).link_down().statistics()};
    };
    const auto ratio = [](std::uint64_t a, std::uint64_t b) {
        return static_cast<double>(a) / static_cast<double>(b);
    };
    using pcie::DllpMode;
    const generator::Config writes = generator::only_writes(256);
    const generator::Config reads = generator::only_reads(256);

    // 203 symbol times of 1 ns from the first write to the Ack; writes of 280 bytes end 35.6 ns apart.
    const Result written = run_with(writes, DllpMode::spec);
    CHECK(written.up.dllp_bytes == 0);
    CHECK(static_cast<double>(written.down.dllp_bytes) == Approx(8 * 300e3 / (6 * 35.64)).epsilon(0.01));
    const Result free = run_with(writes, DllpMode::off);
    CHECK(ratio(written.up.sent_bytes, free.up.sent_bytes) == Approx(1 - 1 / 375.0).epsilon(0.0002));
    CHECK(free.down.dllp_bytes == 0);
    // The analytic rules charge both to the data.
    const Result analytic = run_with(writes, DllpMode::analytic);
    CHECK(ratio(analytic.up.sent_bytes, free.up.sent_bytes) ==
          Approx(1 - 16 / 203.0 - 4 / 1538.0).epsilon(0.002));

    const Result read = run_with(reads, DllpMode::spec);
    CHECK(read.up.dllp_bytes > 8000);
    CHECK(read.down.dllp_bytes > 8000);
    CHECK(ratio(read.down.sent_bytes + read.down.dllp_bytes,
                run_with(reads, DllpMode::off).down.sent_bytes) == Approx(1 - 1 / 375.0).epsilon(0.001));

    // Credits that are finite have to be told of.
    setup.card.endpoint.link.posted_headers = 1000;
    CHECK(ratio(run_with(writes, DllpMode::spec).down.dllp_bytes, written.down.dllp_bytes) ==
          Approx(2).epsilon(0.01));
}

TEST_CASE("completions that find the PCIe core full are lost, unless the PTC meters its headers") {
    Setup setup;
    setup.card.traffic[0] = generator::only_reads(4096);
    setup.card.traffic[0].max_requests = 400;
    setup.card.link.mrrs_bytes = 4096;
    setup.card.combine_completions = false;
    endpoint::Ptc& ptc = setup.card.endpoint.ptc;
    ptc.completion_timeout_fs = 30 * fs_per_us;
    ptc.completion_buffer_headers = 128;
    const auto run_to_the_end = [&](endpoint::Endpoint::Statistics& s) {
        Run run(setup);
        run.component.advance_to(3 * fs_per_ms);
        s = run.card.endpoint(0).statistics();
        CHECK(s.reads == 400);
        CHECK(s.reads_done + s.reads_timed_out == s.reads);
        CHECK(run.card.unbalanced().empty());
        // All tags and words are back.
        CHECK(run.component.peek(3 * fs_per_ms, 0x80) % 65536 == 256);
        CHECK(run.component.peek(3 * fs_per_ms, 0xC0) % 65536 == 1024);
    };
    endpoint::Endpoint::Statistics s;
    // The link is faster than RC.
    run_to_the_end(s);
    CHECK(s.completions_lost > 0);
    CHECK(s.reads_timed_out > 0);
    CHECK(s.reads_done > 0);
    ptc.completion_headers = 130;
    ptc.completion_buffer_headers = 130;
    run_to_the_end(s);
    CHECK(s.completions_lost == 0);
    CHECK(s.reads_done == 400);
}

TEST_CASE("a seed and only a seed changes the course of a card") {
    Setup setup = two_endpoints();
    const auto counters = counters_after(setup, 50 * fs_per_us, fs_per_us);
    CHECK(counters_after(setup, 50 * fs_per_us, fs_per_us) == counters);
    setup.card.traffic[0].read_ppm = 400'000;
    CHECK(counters_after(setup, 50 * fs_per_us, fs_per_us) != counters);
}

TEST_CASE("what is asked for is sent, and every read is answered or under way") {
    Setup setup = two_endpoints();
    setup.card.traffic[0].max_requests = 3000;
    Run run(setup);
    run.component.advance_to(300 * fs_per_us);
    for (std::uint32_t e = 0; e < run.card.endpoints(); ++e) {
        const endpoint::Endpoint::Statistics& s = run.card.endpoint(e).statistics();
        CHECK(s.reads + s.writes == 6000);
        CHECK(run.card.asked(e, 0).requests == 3000);
        CHECK(run.card.asked(e, 1).requests == 3000);
        CHECK(s.reads_done == s.reads);
        CHECK(s.completion_bytes == s.read_bytes);
        CHECK(s.malformed == 0);
        CHECK(run.card.host().statistics(e).reads == s.reads);
        CHECK(run.card.host().statistics(e).writes == s.writes);
        // All tags and words are back.
        CHECK(run.component.peek(300 * fs_per_us, 0x80 + 4 * e) % 65536 == 256);
        CHECK(run.component.peek(300 * fs_per_us, 0xC0 + 4 * e) % 65536 == 1024);
    }
}

TEST_CASE("ports can ask for different things") {
    Setup setup;
    setup.generics.dma_ports = 2;
    setup.card.traffic = {generator::only_reads(256), generator::only_writes(128)};
    setup.card.traffic[0].max_requests = 100;
    setup.card.traffic[1].max_requests = 70;
    Run run(setup);
    run.component.advance_to(100 * fs_per_us);
    const endpoint::Endpoint::Statistics& s = run.card.endpoint(0).statistics();
    CHECK(s.reads == 100);
    CHECK(s.writes == 70);
    CHECK(s.write_bytes == 70 * 128);
}

TEST_CASE("a port asks for nothing while the link is down") {
    Setup setup;
    setup.card.link_up = false;
    Run run(setup);
    run.component.advance_to(100 * fs_per_us);
    CHECK(run.card.asked(0, 0).requests == 0);
    CHECK((run.component.peek(100 * fs_per_us, 0x40) & 0x200) == 0);
}

TEST_CASE("a lost read ends by the completion timeout, and its tag comes back") {
    Setup setup;
    setup.card.traffic[0] = generator::only_reads(256);
    setup.card.traffic[0].max_requests = 50;
    setup.card.host.lost_reads = {7};
    setup.card.endpoint.ptc.completion_timeout_fs = 20 * fs_per_us;
    Run run(setup);
    run.component.advance_to(15 * fs_per_us);
    CHECK(run.card.endpoint(0).statistics().reads_done == 49);
    CHECK(run.component.peek(15 * fs_per_us, 0x80) % 65536 == 255);
    run.component.advance_to(40 * fs_per_us);
    CHECK(run.card.endpoint(0).statistics().reads_timed_out == 1);
    CHECK(run.component.peek(40 * fs_per_us, 0x80) % 65536 == 256);
}
