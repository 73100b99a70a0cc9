// SPDX-License-Identifier: BSD-3-Clause
// A busy endpoint, counted from its logs as it goes on, against its pins told word by word.
#include "endpoint_telemetry/random_logs.hpp"
#include "endpoint_telemetry/twin.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/system.hpp>
#include <tlmetry/endpoint_telemetry/telemetry_feed.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::testing;

namespace {

/// More requests than any endpoint can take.
class Saturating : public endpoint::RequestSource {
public:
    explicit Saturating(std::uint64_t seed) : m_random(seed, "source") {}
    std::size_t fetch(endpoint::Request* out, std::size_t most, time_fs) override {
        for (std::size_t i = 0; i < most; ++i) {
            endpoint::Request& request = out[i];
            request.address = m_random.below(1u << 20);
            request.read = m_random.chance(1, 2);
            request.length = m_random.between(1, m_random.chance(1, 2) ? 64 : 256);
            if (m_random.chance(1, 64)) m_time += m_random.below(2'000'000'000);
            request.arrival = m_time;
        }
        return most;
    }

private:
    Random m_random;
    time_fs m_time = 0;
};

class RandomHost : public endpoint::HostModel {
public:
    time_fs read(std::uint32_t, const endpoint::Arrival& arrival) override {
        return arrival.at + 500 * fs_per_ns + m_random.below(400'000'000);
    }
    void write(std::uint32_t, const endpoint::Arrival&) override {}

private:
    Random m_random{1, "host"};
};

/// One endpoint with all that it needs.
struct Busy {
    Busy(const endpoint::Config& config, const telemetry::Clocks& clocks)
        : endpoint(config, clocks.pcie[0], clocks.dma, {&first, &second}), system({&endpoint}, host) {}

    Saturating first{1};
    Saturating second{2};
    RandomHost host;
    endpoint::Endpoint endpoint;
    endpoint::System system;
};

endpoint::Config busy_config() {
    endpoint::Config config;
    config.ports = 2;
    config.buses.down_regions = 4;
    config.buses.mvb_down_items = 4;
    config.ptc.tags = 64;
    config.ptc.storage_words = 160;
    config.ptc.completion_headers = 140;
    config.ptc.up_fifo_words = 160;
    config.ptc.down_fifo_words = 16;
    config.ptc.down_almost_full = 8;
    config.down_mfb = {1, 4};
    config.down_mvb = {1, 5};
    config.link.up_byte_time = std::uint64_t{200'000} << 16;
    config.link.down_byte_time = std::uint64_t{50'000} << 16;
    config.link.tx_buffer_bytes = 2048;
    return config;
}

telemetry::Config component_config(const endpoint::Config& config) {
    telemetry::Config generics;
    generics.dma_ports = config.ports;
    generics.pcie_rq_mfb_regions = config.buses.rq_regions;
    generics.pcie_rc_mfb_regions = config.buses.rc_regions;
    generics.dma_up_mfb_regions = config.buses.up_regions;
    generics.dma_down_mfb_regions = config.buses.down_regions;
    generics.tag_capacity = config.ptc.tags;
    generics.stfifo_capacity = config.ptc.storage_words;
    generics.drain_period = 512;
    return generics;
}

template <class Item>
std::vector<Item> items_of(const SlidingQueue<Item>& log) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < log.size(); ++i)
        items.push_back(log[i]);
    return items;
}

/// Values of a level cycle by cycle.
std::vector<std::uint32_t> values_of(const endpoint::LevelLog& falls, const endpoint::LevelLog& rises,
                                     std::uint32_t start, cycle_t end) {
    Random random(1, "none");
    LevelScript script(random, 0, 0);
    script.falls.items = items_of(falls);
    script.rises.items = items_of(rises);
    return testing::values_of(script, start, end);
}

/// Tells a component all that an endpoint that has gone far enough did below `end`.
void tell_words(endpoint::Endpoint& from, telemetry::Telemetry& component, time_fs end) {
    telemetry::Probe& pcie = component.pcie_probe(0);
    telemetry::Probe& dma = component.dma_probe(0);
    const auto tell_mfb = [&](telemetry::Probe& probe, std::uint32_t bus, const telemetry::BusShape& shape,
                              const endpoint::MfbLog& log) {
        const auto pins = pins_of(items_of(log), shape, probe.clock().first_at_or_after(end));
        for (std::size_t c = 0; c < pins.size(); ++c)
            probe.mfb(bus).hold(static_cast<cycle_t>(c), shape.decode(pins[c]));
    };
    const auto tell_mvb = [&](std::uint32_t bus, const endpoint::MvbLog& log) {
        const auto words = words_of(items_of(log), dma.clock().first_at_or_after(end));
        for (std::size_t c = 0; c < words.size(); ++c)
            dma.mvb(bus).hold(static_cast<cycle_t>(c), words[c]);
    };
    tell_mfb(pcie, 0, component.pcie_bus(0), from.rq());
    tell_mfb(pcie, 1, component.pcie_bus(1), from.rc());
    for (std::uint32_t p = 0; p < from.config().ports; ++p) {
        tell_mfb(dma, 2 * p, component.dma_bus(0), from.up(p).mfb);
        tell_mfb(dma, 2 * p + 1, component.dma_bus(1), from.down(p).mfb);
        tell_mvb(2 * p, from.up(p).mvb);
        tell_mvb(2 * p + 1, from.down(p).mvb);
    }
    const cycle_t pcie_end = pcie.clock().first_at_or_after(end);
    endpoint::TagManager& manager = from.tag_manager();
    std::vector<std::uint32_t> brakes(static_cast<std::size_t>(pcie_end));
    for (std::uint32_t b = 0; b < endpoint::TagManager::brakes; ++b)
        mark(items_of(manager.brake[b]), b, brakes);
    mark(items_of(from.down_stream().mfb_held), 4, brakes);
    mark(items_of(from.down_stream().mvb_held), 5, brakes);
    const auto tags = values_of(manager.tags_taken, manager.tags_back, from.config().ptc.tags, pcie_end);
    const auto words =
        values_of(manager.words_taken, manager.words_back, from.config().ptc.storage_words, pcie_end);
    for (std::size_t c = 0; c < brakes.size(); ++c) {
        pcie.brakes().hold(static_cast<cycle_t>(c), {brakes[c]});
        component.status(0).hold(static_cast<cycle_t>(c), {tags[c], words[c], 0});
    }
}

}  // namespace

TEST_CASE("A busy endpoint counts the same from its logs as word by word") {
    const endpoint::Config config = busy_config();
    const telemetry::Config generics = component_config(config);
    const telemetry::Clocks clocks{
        ClockDomain(10 * fs_per_ns, 0), ClockDomain(5 * fs_per_ns, 1'000'000), {ClockDomain(2'500'000, 0)}};
    const time_fs end = 70 * fs_per_us;

    Twin twin(generics, clocks, true);
    Busy whole(config, clocks);
    whole.system.advance(end + 20 * fs_per_us);
    tell_words(whole.endpoint, twin.plain, end);

    Busy busy(config, clocks);
    endpoint_telemetry::TelemetryFeed feed(busy.endpoint, twin.bulk, 0);
    twin.bulk.on_look([&](time_fs t) {
        busy.system.advance(t);
        feed.commit(t);
    });
    Random random(3, "looks");
    for (time_fs now = 0; now < end && twin.difference().empty();) {
        now = std::min<time_fs>(end, now + random.below(random.chance(1, 2) ? 30'000'000 : 3'000'000'000));
        twin.look(now);
    }
    CHECK(twin.difference() == "");

    // The case is of use only if everything occurs that it compares.
    const telemetry::ProbeShape& pcie = twin.bulk.layout().pcie;
    const std::uint32_t dma_entry = pcie.channels;
    for (std::uint32_t b = 0; b < telemetry::brake_pins; ++b) {
        CAPTURE(b);
        CHECK(twin.plain.counted(pcie.brake_base() + b) != 0);
    }
    for (const std::uint32_t channel : {telemetry::bus_channel::stalled, telemetry::bus_channel::mvb_stalled,
                                        telemetry::bus_channel::items}) {
        CHECK(twin.plain.counted(dma_entry + twin.bulk.layout().dma.bus_base(0) + channel) != 0);
        CHECK(twin.plain.counted(dma_entry + twin.bulk.layout().dma.bus_base(1) + channel) != 0);
    }
    CHECK(twin.plain.counted(pcie.bus_base(0) + telemetry::bus_channel::stalled) != 0);
}

TEST_CASE("A component with other buses than the endpoint is refused") {
    const endpoint::Config config = busy_config();
    const telemetry::Clocks clocks{
        ClockDomain(10 * fs_per_ns, 0), ClockDomain(5 * fs_per_ns, 0), {ClockDomain(2'500'000, 0)}};
    Busy busy(config, clocks);
    telemetry::Config generics = component_config(config);
    generics.dma_down_mfb_regions = 2;
    telemetry::Telemetry component(generics, clocks);
    CHECK_THROWS_AS(endpoint_telemetry::TelemetryFeed(busy.endpoint, component, 0), UserError);
}

TEST_CASE("A look ahead of the commits is an error, not a wrong count") {
    const endpoint::Config config = busy_config();
    const telemetry::Clocks clocks{
        ClockDomain(10 * fs_per_ns, 0), ClockDomain(5 * fs_per_ns, 0), {ClockDomain(2'500'000, 0)}};
    Busy busy(config, clocks);
    telemetry::Telemetry component(component_config(config), clocks);
    endpoint_telemetry::TelemetryFeed feed(busy.endpoint, component, 0);
    busy.system.advance(2 * fs_per_us);
    feed.commit(fs_per_us);
    component.advance_to(fs_per_us);
    CHECK_NOTHROW(feed.commit(fs_per_us + 1));
    component.advance_to(2 * fs_per_us);
    CHECK_THROWS_AS(feed.commit(2 * fs_per_us), std::logic_error);
}
