// SPDX-License-Identifier: BSD-3-Clause
#include "dma_sc/initiator.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/dma_sc/endpoint_engine.hpp>
#include <tlmetry/endpoint_telemetry/telemetry_feed.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace tlmetry;
using test::Initiator;

namespace {

class Listed : public endpoint::RequestSource {
public:
    std::vector<endpoint::Request> requests;
    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs) override {
        std::size_t count = 0;
        for (; count < most && m_next != requests.size(); ++count)
            out[count] = requests[m_next++];
        return count;
    }

private:
    std::size_t m_next = 0;
};

class Host : public endpoint::HostModel {
public:
    time_fs read(std::uint32_t, const endpoint::Arrival& arrival) override {
        return arrival.at + 500 * fs_per_ns + static_cast<time_fs>(arrival.address % 1024) * fs_per_ns;
    }
    void write(std::uint32_t, const endpoint::Arrival&) override {}
};

}  // namespace

TEST_CASE("the telemetry counts what a DMA engine does through a socket, whenever it is looked at") {
    endpoint::Config config;
    config.ptc.storage_words = 200;
    config.link.up_byte_time = config.link.down_byte_time = std::uint64_t{100'000} << 16;
    telemetry::Config generics;
    generics.dma_ports = 1;
    generics.tag_capacity = config.ptc.tags;
    generics.stfifo_capacity = config.ptc.storage_words;
    generics.drain_period = 512;
    const telemetry::Clocks clocks{
        ClockDomain(10 * fs_per_ns, 0), ClockDomain(5 * fs_per_ns, fs_per_ns), {ClockDomain(2'500'000, 0)}};
    Listed listed;
    Random random(1, "requests");
    for (time_fs arrival = 0; arrival < 100 * fs_per_us;) {
        arrival += random.below(random.chance(1, 50) ? 8'000'000 : 40'000) * fs_per_ps;
        listed.requests.push_back({arrival, std::uint64_t{4096} * random.below(1000) + random.below(3000),
                                   random.between(1, 1000), random.chance(1, 2), 0});
    }
    Host host;
    endpoint::Endpoint alone(config, clocks.pcie[0], clocks.dma, {&listed});
    endpoint::System system({&alone}, host);
    telemetry::Telemetry expected(generics, clocks);
    endpoint_telemetry::TelemetryFeed expected_feed(alone, expected, 0);
    expected.on_look([&](time_fs t) {
        system.advance(t);
        expected_feed.commit(t);
    });

    dma_sc::HostMemory memory;
    dma_sc::DmaPort port("port");
    dma_sc::EndpointEngine engine("engine", config, clocks.pcie[0], clocks.dma, {&port}, host, memory);
    telemetry::Telemetry found(generics, clocks);
    endpoint_telemetry::TelemetryFeed feed(engine.endpoint(), found, 0);
    engine.on_step([&](time_fs t) { feed.commit(t); });
    found.on_look([&](time_fs) { engine.advance(); });
    Initiator initiator("initiator", [&](Initiator& i) {
        for (const endpoint::Request& r : listed.requests) {
            i.wait_until(r.arrival);
            i.ask(r.read, r.address, std::vector<std::uint8_t>(r.length), r.arrival);
        }
    });
    initiator.socket.bind(port.socket);

    const std::uint32_t entries = found.layout().pcie.channels + found.layout().dma.channels;
    std::size_t wrong = 0;
    std::uint64_t sum = 0;
    for (time_fs now = 0; now < 120 * fs_per_us;) {
        const time_fs step = 1 + random.below(random.chance(1, 2) ? 20'000 : 4'000'000) * fs_per_ps;
        now += step;
        sc_core::sc_start(to_sc_time(step));
        found.advance_to(now);
        expected.advance_to(now);
        for (std::uint32_t e = 0; e < entries; ++e) {
            wrong += found.counted(e) != expected.counted(e);
            sum += found.counted(e);
        }
    }
    CHECK(wrong == 0);
    CHECK(sum > 100'000);
    CHECK(initiator.mistakes == std::vector<std::string>());
    CHECK(engine.endpoint().statistics().reads > 500);
    CHECK(engine.endpoint().statistics().writes > 500);
}
