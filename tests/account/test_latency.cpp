// SPDX-License-Identifier: BSD-3-Clause
// Latencies of reads against a record of every single one, made from the logs of the buses and from what host
// and DMA ports have seen.
#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/endpoint.hpp>
#include <tlmetry/endpoint/system.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <vector>

using namespace tlmetry;
using endpoint::Arrival;
using endpoint::ReadLatencies;
using endpoint::Request;

namespace {

/// Random requests; knows when its reads are done.
class Source : public endpoint::RequestSource {
public:
    Source(std::uint64_t seed, std::size_t count, time_fs mean) : m_random(seed, "source") {
        time_fs t = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Request& request = requests.emplace_back();
            t += static_cast<time_fs>(m_random.next() % static_cast<std::uint64_t>(2 * mean));
            request.arrival = t;
            request.read = m_random.next() % 2 == 0;
            request.address = (m_random.next() % 4096) * 4096;
            request.length = 4 * (1 + static_cast<std::uint32_t>(m_random.next() % 128));
        }
        done.resize(count, never);
    }
    std::size_t fetch(Request* out, std::size_t most, time_fs now) override {
        std::size_t count = 0;
        while (count < most && m_next < requests.size() && requests[m_next].arrival < now)
            out[count++] = requests[m_next++];
        return count;
    }
    void read_done(std::uint64_t number, time_fs t) override { done[number] = t; }

    std::vector<Request> requests;
    std::vector<time_fs> done;  // by request

private:
    Random m_random;
    std::size_t m_next = 0;
};

/// Answers after a random time and writes down both. Reads arrive in the order of their grants.
class Host : public endpoint::HostModel {
public:
    explicit Host(time_fs least) : m_least(least) {}
    time_fs read(std::uint32_t, const Arrival& arrival) override {
        arrived.push_back(arrival.at);
        ready.push_back(arrival.at + m_least + static_cast<time_fs>(m_random.next() % (2 * fs_per_us)));
        return ready.back();
    }
    void write(std::uint32_t, const Arrival&) override {}

    std::vector<time_fs> arrived, ready;

private:
    time_fs m_least;
    Random m_random{7, "host"};
};

/// Exact values of one stage against what was counted.
void check(const LatencyHistogram& histogram, std::vector<time_fs> exact) {
    REQUIRE(histogram.count() == exact.size());
    std::sort(exact.begin(), exact.end());
    double sum = 0;
    for (const time_fs value : exact)
        sum += static_cast<double>(value);
    CHECK(histogram.mean_fs() == Approx(sum / static_cast<double>(exact.size())));
    CHECK(histogram.least_fs() == exact.front());
    CHECK(histogram.most_fs() == exact.back());
    for (const double percent : {1.0, 10.0, 50.0, 90.0, 99.0, 99.9, 99.99}) {
        const auto rank =
            static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(exact.size())));
        const auto value = static_cast<double>(exact[std::max<std::size_t>(rank, 1) - 1]);
        CAPTURE(percent, value);
        CHECK(std::abs(static_cast<double>(histogram.percentile_fs(percent)) - value) <=
              0.004 * value + 1024);
    }
}

struct Setup {
    endpoint::Config config;
    time_fs mean = 30 * fs_per_ns;  // between requests
};

void compare(const Setup& setup, std::uint64_t seed) {
    constexpr std::size_t requests = 20'000;
    const ClockDomain pcie(2500 * fs_per_ps, 0);
    const ClockDomain dma(5 * fs_per_ns, 300 * fs_per_ps);
    std::deque<Source> sources;
    std::vector<endpoint::RequestSource*> pointers;
    for (std::uint32_t p = 0; p < setup.config.ports; ++p)
        pointers.push_back(&sources.emplace_back(seed + p, requests, setup.mean * setup.config.ports));
    endpoint::Endpoint endpoint(setup.config, pcie, dma, pointers);
    Host host(setup.config.host.least_latency_fs);
    endpoint::System system({&endpoint}, host);
    ReadLatencies latencies(setup.config.ptc.tags);
    endpoint.watch(&latencies);
    const auto finished = [&] {
        const endpoint::Endpoint::Statistics& s = endpoint.statistics();
        return s.reads + s.writes == requests * setup.config.ports && s.reads_done == s.reads;
    };
    for (time_fs t = fs_per_us; !finished(); t += fs_per_us)
        system.advance(t);
    system.advance(system.now() + 10 * fs_per_us);

    // When the header of each request was presented, by port; when groups were granted, all in order.
    std::vector<std::vector<time_fs>> presented(setup.config.ports);
    for (std::uint32_t p = 0; p < setup.config.ports; ++p) {
        for (const endpoint::Headers& word : endpoint.up(p).mvb) {
            for (std::uint32_t i = 0; i < word.items; ++i)
                presented[p].push_back(dma.time_of(word.presented));
        }
        REQUIRE(presented[p].size() == requests);
    }
    std::vector<time_fs> granted;  // by read, in the order of grants
    for (const endpoint::Step& step : endpoint.tag_manager().tags_taken) {
        for (std::int32_t i = 0; i < -step.step; ++i)
            granted.push_back(pcie.time_of(step.at - 1));
    }
    REQUIRE(granted.size() == host.arrived.size());

    std::vector<time_fs> before, going, at_host, returning, whole;
    // Each port's reads are granted in their order; which port's comes next follows from the order of grants.
    std::vector<std::pair<time_fs, time_fs>> ends;  // presented, done
    if (setup.config.ports == 1) {
        for (std::size_t r = 0; r < requests; ++r) {
            if (sources[0].requests[r].read) ends.emplace_back(presented[0][r], sources[0].done[r]);
        }
        REQUIRE(ends.size() == granted.size());
        for (std::size_t i = 0; i < ends.size(); ++i) {
            before.push_back(granted[i] - ends[i].first);
            returning.push_back(ends[i].second - host.ready[i]);
        }
        check(latencies.of(ReadLatencies::returning), returning);
        // The border between the two stages before the grant is not on any bus.
        CHECK(
            latencies.of(ReadLatencies::crossing).mean_fs() +
                latencies.of(ReadLatencies::waiting).mean_fs() ==
            Approx(std::accumulate(before.begin(), before.end(), 0.0) / static_cast<double>(before.size())));
    }
    for (std::uint32_t p = 0; p < setup.config.ports; ++p) {
        for (std::size_t r = 0; r < requests; ++r) {
            if (sources[p].requests[r].read) whole.push_back(sources[p].done[r] - presented[p][r]);
        }
    }
    for (std::size_t i = 0; i < granted.size(); ++i) {
        going.push_back(host.arrived[i] - granted[i]);
        at_host.push_back(host.ready[i] - host.arrived[i]);
    }
    check(latencies.of(ReadLatencies::whole), whole);
    check(latencies.of(ReadLatencies::going), going);
    check(latencies.of(ReadLatencies::host), at_host);
    double sum = 0;
    for (std::size_t stage = 0; stage < ReadLatencies::whole; ++stage)
        sum += latencies.of(static_cast<ReadLatencies::Stage>(stage)).mean_fs();
    CHECK(sum == Approx(latencies.of(ReadLatencies::whole).mean_fs()));
}

}  // namespace

TEST_CASE("latencies are those of a record of every read") {
    Setup setup;
    SECTION("nothing binds") {
        compare(setup, 1);
    }
    SECTION("tags bind") {
        setup.config.ptc.tags = 16;
        setup.mean = 60 * fs_per_ns;
        compare(setup, 2);
    }
    SECTION("two ports on a slow link") {
        setup.config.ports = 2;
        setup.config.link.up_byte_time = setup.config.link.down_byte_time = 500'000ull << 16;
        setup.mean = 200 * fs_per_ns;
        compare(setup, 3);
    }
    SECTION("finite credits") {
        setup.config.link.nonposted_headers = 4;
        setup.config.link.up_byte_time = setup.config.link.down_byte_time = 100'000ull << 16;
        setup.mean = 300 * fs_per_ns;
        compare(setup, 4);
    }
    SECTION("completions in parts, each at its time") {
        setup.config.host.completion_bytes = 64;
        setup.config.host.part_gap_fs = 20 * fs_per_ns;
        compare(setup, 5);
    }
}

TEST_CASE("reads from before the start are not counted") {
    ReadLatencies latencies(2);
    latencies.granted(0, 10, 20, 30);
    latencies.answered(0, 50);
    latencies.start(15);
    latencies.granted(1, 20, 25, 30);
    latencies.answered(1, 60);
    latencies.done(0, 40, 100);
    CHECK(latencies.of(ReadLatencies::whole).count() == 0);
    latencies.done(1, 40, 100);
    CHECK(latencies.of(ReadLatencies::crossing).mean_fs() == 5);
    CHECK(latencies.of(ReadLatencies::waiting).mean_fs() == 5);
    CHECK(latencies.of(ReadLatencies::going).mean_fs() == 10);
    CHECK(latencies.of(ReadLatencies::host).mean_fs() == 20);
    CHECK(latencies.of(ReadLatencies::returning).mean_fs() == 40);
    CHECK(latencies.of(ReadLatencies::whole).mean_fs() == 80);
}
