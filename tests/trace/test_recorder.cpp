// SPDX-License-Identifier: BSD-3-Clause
// Traces of simulated cards: exactly what was on their links, and the numbers of everybody who counts them.
#include "../account/configured.hpp"

#include <tlmetry/account/counts.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/device/driver_bus.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/ptt/trace_reader.hpp>
#include <tlmetry/trace/analysis.hpp>
#include <tlmetry/trace/recorder.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace tlmetry;
using ptt::TraceConfig;
using ptt::TracedTlp;
using tlp::Kind;
using trace::Recorder;

namespace {

constexpr time_fs whole_run = 100 * fs_per_us;

/// Two endpoints with traffic that ends before the run does, so that everything has arrived then.
device::SimulatedCard::Config two_endpoints(const std::vector<std::string>& more = {}) {
    std::vector<std::string> changes = {"telemetry.pcie_endpoints=2", "traffic.start=5us",
                                        "traffic.stop=60us", "traffic.relaxed_ordering=30%",
                                        "traffic.no_snoop=20%"};
    changes.insert(changes.end(), more.begin(), more.end());
    return test::configured("reference_load.ini", changes);
}

/// A trace of a card, and the memory that it goes to.
struct Traced {
    explicit Traced(const device::SimulatedCard::Config& config, const Recorder::Config& how) : card(config) {
        ring.assign(ptt::TraceDriver::buffers, std::vector<std::uint8_t>(how.buffer_bytes));
        std::array<std::uint8_t*, ptt::TraceDriver::buffers> memory{};
        for (std::size_t b = 0; b < memory.size(); ++b)
            memory[b] = ring[b].data();
        recorder =
            std::make_unique<Recorder>(card, how, memory, [this](std::uint8_t* data, std::size_t size) {
                bytes.append(reinterpret_cast<const char*>(data), size);
                return data;
            });
    }
    void run(time_fs duration = whole_run) {
        recorder->start();
        card.sleep(duration);
        recorder->stop();
    }
    /// All records; their times are those of the trace.
    std::vector<TracedTlp> tlps() const {
        ptt::TraceReader reader(ptt::AuxSource(ptt::ByteSource::from_memory("trace", bytes, false)));
        std::vector<TracedTlp> result;
        TracedTlp tlp;
        while (reader.next_buffer())
            while (reader.next(tlp))
                result.push_back(tlp);
        CHECK(reader.counts().damaged == 0);
        return result;
    }

    device::SimulatedCard card;
    std::string bytes;
    std::vector<std::vector<std::uint8_t>> ring;
    std::unique_ptr<Recorder> recorder;
};

Recorder::Config everything(ptt::Format format = ptt::Format::eight_dwords, std::uint32_t ports = 0x5) {
    Recorder::Config config;
    config.trace.filter |= ports;
    config.trace.both_directions = true;
    config.trace.format = format;
    config.buffer_bytes = 1 << 14;
    return config;
}

void analyse(const std::vector<TracedTlp>& tlps, trace::Analysis& analysis) {
    for (const TracedTlp& tlp : tlps)
        analysis.add(tlp);
}

}  // namespace

TEST_CASE("a trace of everything has what the endpoints have sent and got") {
    for (const auto format : {ptt::Format::eight_dwords, ptt::Format::four_dwords}) {
        Traced traced(two_endpoints(), everything(format));
        traced.run();
        struct Counts {
            std::uint64_t reads = 0, read_bytes = 0, writes = 0, write_bytes = 0, completions = 0,
                          completion_bytes = 0;
        };
        std::map<std::uint16_t, Counts> counts;
        for (const TracedTlp& tlp : traced.tlps()) {
            Counts& c = counts[tlp.header.requester];
            const std::uint32_t bytes = tlp.header.length_bytes();
            if (tlp.header.kind == Kind::memory_read) ++c.reads, c.read_bytes += bytes;
            if (tlp.header.kind == Kind::memory_write) ++c.writes, c.write_bytes += bytes;
            if (tlp.header.kind == Kind::completion_data) ++c.completions, c.completion_bytes += bytes;
        }
        REQUIRE(counts.size() == 2);
        for (std::uint32_t e = 0; e < 2; ++e) {
            CAPTURE(e);
            const endpoint::Endpoint::Statistics& sent = traced.card.card()->endpoint(e).statistics();
            const Counts& c = counts.at(static_cast<std::uint16_t>(0x100 * (e + 1)));
            CHECK(c.reads == sent.reads);
            CHECK(c.reads > 500);
            CHECK(c.read_bytes == sent.read_bytes);
            CHECK(c.writes == sent.writes);
            CHECK(c.write_bytes == sent.write_bytes);
            CHECK(c.completions == sent.completions);
            CHECK(c.completion_bytes == sent.completion_bytes);
        }
        CHECK(traced.recorder->unit_statistics().seen == traced.recorder->unit_statistics().traced);
        CHECK(traced.recorder->statistics().lost_bytes == 0);
        CHECK(traced.recorder->statistics().buffers > 5);
    }
}

TEST_CASE("every combination selects out of that what it should") {
    // With reads and writes of the processor, so that every kind goes both ways.
    const device::SimulatedCard::Config config =
        two_endpoints({"traffic.stop=20us", "cpu.write_rate=5M/s", "cpu.read_rate=4M/s"});
    constexpr time_fs run = 40 * fs_per_us;
    Traced all(config, everything());
    all.run(run);
    const std::vector<TracedTlp> tlps = all.tlps();
    std::map<std::pair<int, bool>, int> kinds;
    const auto is_native = [](const TracedTlp& tlp) { return tlp.header.requester >> 8 == 0; };
    const auto is_inbound = [&](const TracedTlp& tlp) {
        return is_completion(tlp.header.kind) == is_native(tlp);
    };
    for (const TracedTlp& tlp : tlps)
        ++kinds[{static_cast<int>(tlp.header.category()), is_inbound(tlp)}];
    REQUIRE(kinds.size() == 6);
    for (const auto& [kind, count] : kinds)
        CHECK(count > 100);

    for (const std::uint32_t filter : {0x80000u, 0x80001u, 0x80004u, 0x80005u, 0x00100u, 0x00200u}) {
        for (std::uint32_t types = 1; types <= 7; ++types) {
            for (std::uint32_t direction = 0; direction <= 3; ++direction) {
                for (const auto format : {ptt::Format::four_dwords, ptt::Format::eight_dwords}) {
                    const bool eight = format == ptt::Format::eight_dwords;
                    if (eight && direction == 0) continue;
                    CAPTURE(filter, types, direction, eight);
                    std::vector<std::uint32_t> expected;
                    for (const TracedTlp& tlp : tlps) {
                        const bool inbound = is_inbound(tlp);
                        // Completions that come in answer the processor: CPL A.
                        const bool cpl_a = inbound && is_completion(tlp.header.kind);
                        const bool directed = direction == 0   ? inbound
                                              : direction == 1 ? !inbound
                                              : direction == 2 ? (inbound && !cpl_a) || (!eight && !inbound)
                                                               : cpl_a || (!eight && !inbound);
                        const auto category = static_cast<unsigned>(tlp.header.category());
                        const std::uint16_t of_card = !is_native(tlp)                  ? tlp.header.requester
                                                      : is_completion(tlp.header.kind) ? tlp.header.completer
                                                                                       : std::uint16_t{0};
                        // Requests of the processor say by their root port to whom they go.
                        const bool first = of_card == 0x100 || (of_card == 0 && tlp.header.requester == 0x80);
                        const bool targeted = (filter & 0x80000) != 0 ? (filter & (first ? 1 : 4)) != 0
                                                                      : tlp.header.requester == filter;
                        if (directed && targeted && (types >> category & 1) != 0)
                            expected.push_back(tlp.record.header[2]);
                    }
                    Recorder::Config how = everything(format);
                    how.trace = {filter, types, direction, format, false};
                    Traced one(config, how);
                    one.run(run);
                    std::vector<std::uint32_t> got;
                    for (const TracedTlp& tlp : one.tlps())
                        got.push_back(tlp.record.header[2]);
                    CHECK(got == expected);
                    if (filter == 0x80005 && types == 7) CHECK(got.size() > 100);
                }
            }
        }
    }
}

TEST_CASE("the analysis of a trace says what telemetry and accounting say of the run") {
    Traced traced(two_endpoints(), everything());
    account::Meter meter(*traced.card.card(), traced.card.config().card);
    meter.start(0);
    traced.run();
    trace::Analysis analysis(fs_per_ns, {});
    analyse(traced.tlps(), analysis);
    CHECK(analysis.violations().total() == 0);

    const time_fs end = traced.card.now();
    const std::vector<account::EndpointCounts> counts = meter.counts(end);
    device::DriverBus bus(traced.card, "simulated telemetry");
    device::DriverClock clock(traced.card);
    driver::Telemetry driver(bus, clock);
    const driver::Measurement measured = driver::totals(driver.layout(), driver.snapshot());

    std::vector<trace::RequesterCounts> requesters = analysis.matcher().requesters();
    std::sort(requesters.begin(), requesters.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    REQUIRE(requesters.size() == 2);
    for (std::size_t e = 0; e < 2; ++e) {
        CAPTURE(e);
        const trace::RequesterCounts& r = requesters[e];
        const account::EndpointCounts& c = counts[e];
        CHECK(r.reads == c.reads);
        CHECK(r.read_bytes == c.read_bytes);
        CHECK(r.writes == c.writes);
        CHECK(r.completions == c.completions);
        CHECK(r.reads_done == c.reads_done);
        CHECK(r.written_bytes == c.up.useful_bytes);
        CHECK(r.completed_bytes == c.down.useful_bytes);
        CHECK(r.outstanding == 0);
        CHECK(r.most_outstanding <= c.tags);

        const auto& buses = measured.endpoints[e].buses;
        const driver::BusCounts& rq = buses[0];
        const driver::BusCounts& rc = buses[1];
        const driver::BusCounts& up = buses[2];
        const driver::BusCounts& down = buses[3];
        REQUIRE(up.dma_up);
        CHECK(up.mvb_items == r.reads + r.writes);
        CHECK(up.items * 4 == r.written_bytes);
        CHECK(down.mvb_items == r.completions);
        CHECK(down.items * 4 == r.completed_bytes);
        CHECK(rq.transactions == r.reads + r.writes);
        CHECK(rc.transactions == r.completions);
    }
}

TEST_CASE("latencies of a trace are those of the host and the link down") {
    // Each read alone on the link: the host needs 500 ns, the completions of a read the time of their bytes.
    Traced traced(
        test::configured("reference_load.ini", {"traffic.read_share=100%", "traffic.requests_per_s=1M/s",
                                                "traffic.read_size.kind=fixed", "traffic.read_size.bytes=64B",
                                                "traffic.offset=0B", "host.latency=500ns"}),
        everything(ptt::Format::eight_dwords, 0x1));
    traced.run();
    trace::Analysis analysis(fs_per_ns, {});
    analyse(traced.tlps(), analysis);
    const LatencyHistogram& latency = analysis.matcher().latency();
    CHECK(latency.count() > 80);
    // Its ticks are whole nanoseconds; 64 bytes and their header take less than two on this link.
    CHECK(latency.mean_fs() > 500e6);
    CHECK(latency.mean_fs() < 503e6);
}

TEST_CASE("a trace that begins in the middle lacks only what was before") {
    Traced traced(two_endpoints({"traffic.stop=never"}), everything());
    traced.card.sleep(30 * fs_per_us);
    const time_fs begin = traced.card.now();
    traced.run(20 * fs_per_us);
    const std::vector<TracedTlp> tlps = traced.tlps();
    REQUIRE(!tlps.empty());
    CHECK(tlps.front().time >= static_cast<std::uint64_t>(begin / fs_per_ns));
    CHECK(tlps.back().time <= static_cast<std::uint64_t>(traced.card.now() / fs_per_ns));
    CHECK(std::is_sorted(tlps.begin(), tlps.end(),
                         [](const TracedTlp& a, const TracedTlp& b) { return a.time < b.time; }));
    trace::Analysis analysis(fs_per_ns, {});
    analyse(tlps, analysis);
    CHECK(analysis.violations().total() == 0);
    CHECK(analysis.matcher().unrequested() > 0);
    CHECK(analysis.matcher().unrequested() < 500);
}

TEST_CASE("a slow reader loses data that are counted, and disturbs nothing else") {
    const device::SimulatedCard::Config config = two_endpoints();
    Traced fast(config, everything());
    fast.run();
    Recorder::Config how = everything();
    how.reader_delay_fs = 20 * fs_per_us;  // in which more than the ring comes
    Traced slow(config, how);
    slow.run();
    const ptt::TraceDriver::Statistics& lost = slow.recorder->statistics();
    CHECK(lost.lost_bytes > 0);
    CHECK(lost.bytes + lost.lost_bytes == fast.bytes.size());
    CHECK(fast.recorder->statistics().lost_bytes == 0);
    CHECK(slow.recorder->unit_statistics().traced == fast.recorder->unit_statistics().traced);
    // What is there is part of the whole.
    for (std::size_t i = 0; i < slow.bytes.size(); i += how.buffer_bytes)
        CHECK(fast.bytes.find(slow.bytes.substr(i, how.buffer_bytes)) != std::string::npos);
    for (std::uint32_t e = 0; e < 2; ++e) {
        CHECK(slow.card.card()->endpoint(e).statistics().reads_done ==
              fast.card.card()->endpoint(e).statistics().reads_done);
        CHECK(slow.card.card()->unbalanced().empty());
    }
}

TEST_CASE("who traces changes nothing for the card") {
    const device::SimulatedCard::Config config = two_endpoints();
    Traced traced(config, everything());
    traced.run();
    device::SimulatedCard alone(config);
    alone.sleep(whole_run);
    const auto counters = [](device::SimulatedCard& card) {
        device::DriverBus bus(card, "simulated telemetry");
        device::DriverClock clock(card);
        driver::Telemetry driver(bus, clock);
        return driver.snapshot().counters;
    };
    CHECK(counters(traced.card) == counters(alone));
}

TEST_CASE("times do not depend on how long the reader waits or how large buffers are") {
    const device::SimulatedCard::Config config = two_endpoints({"traffic.stop=20us"});
    Traced one(config, everything());
    one.run(40 * fs_per_us);
    for (const std::uint32_t bytes : {64u, 4096u, 1u << 20}) {
        for (const time_fs delay : {time_fs{0}, fs_per_us}) {
            Recorder::Config how = everything();
            how.buffer_bytes = bytes;
            how.reader_delay_fs = delay;
            Traced other(config, how);
            other.run(40 * fs_per_us);
            if (other.recorder->statistics().lost_bytes == 0) CHECK(other.bytes == one.bytes);
            if (bytes == 1u << 20) CHECK(other.recorder->statistics().lost_bytes == 0);
        }
    }
}

TEST_CASE("endpoints behind a switch have one root port, and its latency") {
    const Recorder::Config how = everything(ptt::Format::eight_dwords, 0x1);
    Traced traced(two_endpoints({"topology.switch=true", "topology.switch_latency=150ns"}), how);
    traced.run();
    trace::Analysis analysis(fs_per_ns, {});
    analyse(traced.tlps(), analysis);
    CHECK(analysis.matcher().requesters().size() == 2);
    CHECK(analysis.violations().total() == 0);
    for (const TracedTlp& tlp : traced.tlps())
        if (is_completion(tlp.header.kind)) CHECK(tlp.header.completer == 0x0080);
    // Seen from the root port only the link down is the same; the card waits longer.
    const auto whole = [](const std::vector<std::string>& changes) {
        return account::idle_latency(two_endpoints(changes)).read.hold_s;
    };
    CHECK(whole({"topology.switch=true", "topology.switch_latency=150ns"}) - whole({}) ==
          Approx(300e-9).margin(10e-9));
}

TEST_CASE("what cannot be traced is refused") {
    const device::SimulatedCard::Config config = two_endpoints();
    const auto refused = [&](const Recorder::Config& how, const std::string& sentence) {
        CHECK_THROWS_AS(Traced(config, how), UserError);
        CHECK_THROWS_WITH(Traced(config, how), Catch::Contains(sentence));
    };
    Recorder::Config how = everything();
    how.trace.filter = 0x80010;
    refused(how, "filter: expected bits of the root ports that are there, 0x80005, found 0x80010");
    how = everything();
    how.trace.types = 8;
    refused(how, "type: expected");

    CHECK(trace::targets_of(config, 0).all().size() == 4);
    CHECK(trace::targets_of(config, 1).all().empty());
    // Without a link nothing is behind the root ports.
    CHECK(trace::targets_of(two_endpoints({"link.up=false"}), 0).all().size() == 2);
}

TEST_CASE("reads of the processor behind a switch do not share tags") {
    for (const char* endpoints : {"telemetry.pcie_endpoints=2", "telemetry.pcie_endpoints=9"}) {
        CAPTURE(endpoints);
        Recorder::Config how = everything(ptt::Format::eight_dwords, 0x1);
        how.buffer_bytes = 1 << 20;
        Traced traced(two_endpoints({endpoints, "topology.switch=true", "traffic.requests_per_s=1M/s",
                                     "cpu.read_rate=1G/s", "cpu.read_latency=5us"}),
                      how);
        traced.run(40 * fs_per_us);
        trace::Analysis analysis(fs_per_ns, {});
        analyse(traced.tlps(), analysis);
        CHECK(analysis.violations().total() == 0);
        CHECK(analysis.matcher().most_outstanding() > 60);
    }
}
