// SPDX-License-Identifier: BSD-3-Clause
// Root ports of a whole card: traffic of the processor, weights and watermarks, and what a listener on the
// links sees of it.
#include "root_port/tapped.hpp"

#include <tlmetry/endpoint/read_latencies.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace tlmetry;
using endpoint::LinkTlp;
using endpoint::RootPortTx;
using endpoint::TuneEvent;
using test::in_order;
using test::propagation;
using test::reads_only;
using test::Run;
using test::same;
using test::Setup;
using test::Tapped;

namespace {

/// The requests of one port in a fixed time, one by one.
Setup seldom(generator::Config traffic, std::uint64_t requests, std::uint64_t per_s) {
    Setup setup = reads_only();
    setup.card.traffic[0] = std::move(traffic);
    setup.card.traffic[0].rate = generator::Rate::requests;
    setup.card.traffic[0].requests_per_s = per_s;
    setup.card.traffic[0].max_requests = requests;
    return setup;
}

}  // namespace

TEST_CASE("an idle transmitter of a root port is a wire") {
    // Reads, and few enough writes that nothing else follows from what DLLPs take.
    Setup plain = reads_only();
    plain.card.traffic[0] = generator::half_and_half(300);
    plain.card.link.dllp = pcie::DllpMode::off;
    plain.card.host.latency = host::Latency::uniform;
    plain.card.endpoint.host.part_gap_fs = 3 * fs_per_ns;
    Setup through = plain;
    through.card.endpoint.cpu.writes_per_s = through.card.endpoint.cpu.reads_per_s = 1;
    Tapped a(plain);
    Tapped b(through);
    a.advance(50 * fs_per_us);
    b.advance(50 * fs_per_us);
    CHECK(b.card.endpoint(0).uses_root_port_tx());
    CHECK(b.card.endpoint(0).holds_requests());
    CHECK(a.tlps.size() > 1000);
    CHECK(same(a.tlps, b.tlps));
    CHECK(a.counters() == b.counters());
}

TEST_CASE("weights alone change nothing while there are only completions") {
    Setup setup = reads_only();
    Tapped a(setup);
    setup.card.endpoint.tuning.levels = {2, 0, 1, 0, 0};
    Tapped b(setup);
    a.advance(50 * fs_per_us);
    b.advance(50 * fs_per_us);
    CHECK_FALSE(b.card.endpoint(0).uses_root_port_tx());
    CHECK(a.tlps.size() > 500);
    CHECK(same(a.tlps, b.tlps));
}

TEST_CASE("writes of the processor take their share from completions of reads, and not more") {
    double read_rate[3];
    for (std::uint32_t level = 0; level <= 2; ++level) {
        Setup setup = reads_only();
        setup.card.endpoint.cpu.writes_per_s = endpoint::most_cpu_rate;
        setup.card.endpoint.tuning[TuneEvent::qos_tx_cpl] = level;
        Run run(setup);
        run.component.advance_to(fs_per_ms);
        const endpoint::Endpoint& endpoint = run.card.endpoint(0);
        const auto completions =
            static_cast<double>(endpoint.root_port_tx().statistics(RootPortTx::completion).bytes);
        const auto posted = static_cast<double>(endpoint.root_port_tx().statistics(RootPortTx::posted).bytes);
        const double weight = 1 << level;
        CHECK(completions / (completions + posted) == Approx(weight / (weight + 2)).epsilon(0.01));
        read_rate[level] = static_cast<double>(endpoint.down_stream().delivered_bytes());
        CHECK(endpoint.native_bytes_down() == static_cast<std::uint64_t>(posted));
        CHECK(endpoint.cpu().statistics().writes -
                  endpoint.root_port_tx().statistics(RootPortTx::posted).tlps ==
              endpoint::CpuTraffic::most_waiting);
    }
    CHECK(read_rate[1] / read_rate[0] == Approx(1.5).epsilon(0.01));
    CHECK(read_rate[2] / read_rate[1] == Approx(4.0 / 3).epsilon(0.01));
}

TEST_CASE("writes of the processor come at their rate and walk through their window") {
    Setup setup = seldom(generator::only_reads(512), 1, 1'000'000);
    setup.card.endpoint.cpu.writes_per_s = 10'000'000;
    setup.card.endpoint.cpu.write_bytes = 32;
    Tapped run(setup);
    run.advance(100 * fs_per_us);
    const auto writes = run.only(LinkTlp::Kind::write, false, true);
    REQUIRE(writes.size() == 999);  // one would start at the end
    for (std::size_t i = 0; i < writes.size(); ++i) {
        CHECK(writes[i].address == card::window_of(setup.card, 0) + 32 * i);
        CHECK(writes[i].length == 32);
    }
}

TEST_CASE("a read of the processor is answered after the way there, its latency and the way back") {
    Setup setup = seldom(generator::only_reads(512), 1, 1);
    setup.card.endpoint.cpu.reads_per_s = 1'000'000;
    setup.card.endpoint.cpu.read_latency_fs = 321 * fs_per_ns;
    Tapped run(setup);
    run.advance(100 * fs_per_us);
    const auto reads = run.only(LinkTlp::Kind::read, false, true);
    const auto answers = run.only(LinkTlp::Kind::completion, true, true);
    REQUIRE(reads.size() == 99);
    REQUIRE(answers.size() == 99);
    // 28 bytes on the link.
    const time_fs sending = static_cast<time_fs>(28 * card::link_byte_time(setup.card.link) >> 16);
    for (std::size_t i = 0; i < reads.size(); ++i) {
        CHECK(answers[i].tag == reads[i].tag);
        CHECK(answers[i].address == reads[i].address);
        CHECK(answers[i].byte_count == 8);
        const time_fs took = answers[i].at - reads[i].at;
        CHECK(took - (2 * propagation + 321 * fs_per_ns + sending) <= 1);
        CHECK(took >= 2 * propagation + 321 * fs_per_ns + sending);
    }
    CHECK(run.card.endpoint(0).native_bytes_up() == 99 * 28);
}

TEST_CASE("reads of the processor under way are bounded, and no tag is used twice at a time") {
    Setup setup = reads_only();
    setup.card.traffic[0] = generator::half_and_half(200);
    setup.card.endpoint.cpu.reads_per_s = endpoint::most_cpu_rate;
    setup.card.endpoint.cpu.read_latency_fs = 5 * fs_per_us;
    Tapped run(setup);
    run.advance(200 * fs_per_us);
    CHECK(in_order(run.tlps));
    std::map<std::uint16_t, std::uint64_t> under_way;
    std::size_t most = 0;
    std::size_t answered = 0;
    for (const LinkTlp& tlp : run.tlps) {
        if (!tlp.native) continue;
        if (!tlp.inbound) {
            REQUIRE(under_way.emplace(tlp.tag, tlp.address).second);
            most = std::max(most, under_way.size());
        } else {
            REQUIRE(under_way.at(tlp.tag) == tlp.address);
            under_way.erase(tlp.tag);
            ++answered;
        }
    }
    CHECK(most == endpoint::Cpu::most_tags);
    CHECK(answered > 500);
    CHECK(run.card.unbalanced().empty());
}

TEST_CASE("a completion alone waits in the root port for the time-out") {
    const Setup plain = seldom(generator::only_reads(64), 20, 100'000);
    Setup waits = plain;
    waits.card.endpoint.tuning[TuneEvent::tx_alloc_buf_level] = 1;
    waits.card.endpoint.batching.timeout_fs = 2 * fs_per_us;
    Tapped a(plain);
    Tapped b(waits);
    a.advance(fs_per_ms);
    b.advance(fs_per_ms);
    const auto at_once = a.only(LinkTlp::Kind::completion, false, false);
    const auto later = b.only(LinkTlp::Kind::completion, false, false);
    REQUIRE(at_once.size() == 20);
    REQUIRE(later.size() == 20);
    for (std::size_t i = 0; i < 20; ++i)
        CHECK(std::abs(later[i].at - at_once[i].at - 2 * fs_per_us) <= 1);  // fractions of a byte
    CHECK(b.card.endpoint(0).root_port_tx().statistics(RootPortTx::completion).mean_wait_fs() ==
          2 * fs_per_us);
}

TEST_CASE("a request alone waits in the root port for the time-out, but is seen when it arrives") {
    const Setup plain = seldom(generator::only_reads(64), 20, 100'000);
    Setup waits = plain;
    waits.card.endpoint.tuning[TuneEvent::rx_alloc_buf_level] = 2;
    waits.card.endpoint.batching.timeout_fs = 2 * fs_per_us;
    Tapped a(plain);
    Tapped b(waits);
    a.advance(fs_per_ms);
    b.advance(fs_per_ms);
    CHECK(same(a.only(LinkTlp::Kind::read, true, false), b.only(LinkTlp::Kind::read, true, false)));
    const auto at_once = a.only(LinkTlp::Kind::completion, false, false);
    const auto later = b.only(LinkTlp::Kind::completion, false, false);
    REQUIRE(at_once.size() == 20);
    REQUIRE(later.size() == 20);
    for (std::size_t i = 0; i < 20; ++i)
        CHECK(std::abs(later[i].at - at_once[i].at - 2 * fs_per_us) <= 1);
    const endpoint::RootPortRx::Statistics rx = b.card.endpoint(0).root_port_rx().statistics();
    CHECK(rx.requests == 20);
    CHECK(rx.batches == 20);
    CHECK(rx.mean_wait_fs() == 2 * fs_per_us);
}

TEST_CASE("reads that keep coming wait less than the time-out, and come in batches") {
    Setup setup = reads_only();
    setup.card.traffic[0] = generator::half_and_half(128);
    endpoint::ReadLatencies fast(1024);
    endpoint::ReadLatencies slow(1024);
    Run a(setup);
    a.card.watch(0, &fast);
    a.component.advance_to(200 * fs_per_us);
    setup.card.endpoint.tuning[TuneEvent::rx_alloc_buf_level] = 2;
    setup.card.endpoint.batching.timeout_fs = 100 * fs_per_us;
    Run b(setup);
    b.card.watch(0, &slow);
    b.component.advance_to(200 * fs_per_us);
    const endpoint::RootPortRx::Statistics rx = b.card.endpoint(0).root_port_rx().statistics();
    // Reads of 24 bytes and writes of 152: 2048 bytes are some 23 of them.
    CHECK(static_cast<double>(rx.requests) / static_cast<double>(rx.batches) == Approx(23.3).epsilon(0.03));
    CHECK(rx.mean_wait_fs() > 50 * fs_per_ns);
    CHECK(rx.mean_wait_fs() < 300 * fs_per_ns);
    using Stage = endpoint::ReadLatencies::Stage;
    CHECK(slow.of(Stage::whole).mean_fs() > fast.of(Stage::whole).mean_fs());
}

TEST_CASE("where batches cost time, a larger watermark raises the rate of a card") {
    std::uint64_t rx[3];
    std::uint64_t tx[3];
    for (std::uint32_t level = 0; level <= 2; ++level) {
        Setup setup = reads_only();
        setup.card.traffic[0] = generator::only_writes(64);
        setup.card.endpoint.tuning[TuneEvent::rx_alloc_buf_level] = level;
        setup.card.endpoint.batching.batch_time_fs = 100 * fs_per_ns;
        Run writes(setup);
        writes.component.advance_to(100 * fs_per_us);
        rx[level] = writes.card.host().committed_bytes(0, 100 * fs_per_us);
        CHECK(writes.card.unbalanced().empty());

        setup = reads_only();
        setup.card.endpoint.tuning[TuneEvent::tx_alloc_buf_level] = level;
        setup.card.endpoint.tuning[TuneEvent::rx_alloc_buf_level] = 2;
        setup.card.endpoint.batching.batch_time_fs = 100 * fs_per_ns;
        Run reads(setup);
        reads.component.advance_to(100 * fs_per_us);
        tx[level] = reads.card.endpoint(0).down_stream().delivered_bytes();
    }
    CHECK(rx[0] / 64 == Approx(995).margin(5));  // one write each 100 ns
    CHECK(rx[1] > 5 * rx[0]);                    // batches of 6
    CHECK(rx[2] >= rx[1]);
    CHECK(tx[1] > tx[0] * 3 / 2);
    CHECK(tx[2] > tx[1]);
}

TEST_CASE("credits of requests that wait in the root port come back when they go on") {
    Setup setup = reads_only();
    setup.card.traffic[0] = generator::only_writes(64);
    setup.card.endpoint.link.posted_headers = 4;
    setup.card.endpoint.tuning[TuneEvent::rx_alloc_buf_level] = 2;
    setup.card.endpoint.batching.timeout_fs = 10 * fs_per_us;
    Run run(setup);
    run.component.advance_to(105 * fs_per_us);
    // Four are all that come before the time-out.
    CHECK(run.card.host().statistics(0).writes == 40);
    CHECK(run.card.endpoint(0).root_port_rx().statistics().batches == 10);
}

TEST_CASE("levels that software sets hold as those of the timeline do") {
    Setup plain = reads_only();
    plain.card.traffic[0] = generator::half_and_half(200);
    plain.card.endpoint.cpu.writes_per_s = 50'000'000;
    constexpr time_fs at = 30 * fs_per_us + 123;
    Setup setup = plain;
    setup.card.timeline = {{at, card::TuneChange{TuneEvent::tx_alloc_buf_level, 2}, "tune"},
                           {at, card::TuneChange{TuneEvent::rx_alloc_buf_level, 1}, "tune"},
                           {at, card::TuneChange{TuneEvent::qos_tx_p, 2}, "tune"}};
    Tapped timeline(setup);
    timeline.advance(60 * fs_per_us);
    Tapped software(plain);
    software.advance(at);
    endpoint::Tuning tuning = software.card.tuning(0);
    tuning.levels = {1, 1, 2, 1, 2};
    software.card.tune(at, 0, tuning);
    software.advance(60 * fs_per_us);
    CHECK(timeline.card.tuning(0).levels == tuning.levels);
    CHECK(same(software.tlps, timeline.tlps));
    CHECK(software.counters() == timeline.counters());
    CHECK(software.card.endpoint(0).root_port_rx().statistics().requests > 0);
}

TEST_CASE("a link that is not up has no traffic of the processor either") {
    Setup setup = reads_only();
    setup.card.link_up = false;
    setup.card.endpoint.cpu.writes_per_s = setup.card.endpoint.cpu.reads_per_s = 1'000'000;
    Run run(setup);
    run.component.advance_to(100 * fs_per_us);
    CHECK(run.card.endpoint(0).link_down().statistics().all_bytes == 0);
}

TEST_CASE("reads that wait in a root port end by their time-out when the link goes down") {
    Setup setup = seldom(generator::only_reads(64), 8, 100'000'000);
    setup.card.endpoint.ptc.completion_timeout_fs = 20 * fs_per_us;
    setup.card.endpoint.tuning[TuneEvent::rx_alloc_buf_level] = 2;
    setup.card.endpoint.tuning[TuneEvent::tx_alloc_buf_level] = 2;
    setup.card.endpoint.batching.timeout_fs = 5 * fs_per_us;
    for (const time_fs at : {2 * fs_per_us, 6 * fs_per_us}) {  // in Rx, in Tx
        setup.card.timeline = {{at, card::LinkDown{fs_per_us}, "down"}};
        Run run(setup);
        run.component.advance_to(100 * fs_per_us);
        const endpoint::Endpoint::Statistics& s = run.card.endpoint(0).statistics();
        CAPTURE(at, s.reads, s.reads_done);
        CHECK(s.reads == 8);
        CHECK(s.reads_timed_out == 8);
        CHECK(run.card.unbalanced() == "");
    }
}
