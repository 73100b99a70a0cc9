// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_telemetry.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tlmetry;

TEST_CASE("sixteen idle endpoints at the default clocks lose the same deltas as the hardware") {
    constexpr std::uint32_t endpoints = 16;
    constexpr time_fs end = 250 * fs_per_us;
    constexpr time_fs mi_period = 10 * fs_per_ns;
    constexpr time_fs dma_period = 5 * fs_per_ns;
    constexpr time_fs pcie_period = 2'500'000;

    testing::TickingConfig reference_config;
    reference_config.pcie_endpoints = endpoints;
    testing::TickingTelemetry reference(reference_config);
    reference.mi.reset = false;
    reference.dma_reset = false;
    for (auto& pins : reference.pcie)
        pins.reset = false;
    reference.resets_changed();
    for (time_fs t = pcie_period; t <= end; t += pcie_period) {
        reference.edges(t % mi_period == 0, t % dma_period == 0, (1u << endpoints) - 1);
    }

    telemetry::Config config;
    config.pcie_endpoints = endpoints;
    telemetry::Clocks clocks{ClockDomain(mi_period, mi_period), ClockDomain(dma_period, dma_period), {}};
    clocks.pcie.assign(endpoints, ClockDomain(pcie_period, pcie_period));
    telemetry::Telemetry model(config, clocks);
    model.advance_to(end + 1);

    std::uint32_t short_counters = 0;
    for (std::uint32_t e = 0; e < endpoints; ++e) {
        CHECK(model.live_counter(e * model.layout().channels_per_endpoint) ==
              reference.live(e * model.layout().channels_per_endpoint));
        CHECK(reference.probe(2 * e).lost());
    }
    for (std::uint32_t i = 0; i < model.layout().entries; ++i) {
        REQUIRE(model.live_counter(i) == reference.live(i));
    }
    // Elapsed cycles fall short of the drains that have passed: 24 of 4096 cycles.
    for (std::uint32_t e = 0; e < endpoints; ++e) {
        if (model.live_counter(e * model.layout().channels_per_endpoint) < 23 * 4096) ++short_counters;
    }
    CHECK(short_counters > 0);
    CHECK(model.dropped_deltas() > 1000);
    const cycle_t look = clocks.mi.first_after(end);
    CHECK((model.read(look, regs::status) & regs::fields::status::lost_delta.mask()) != 0);
}

TEST_CASE("eight idle endpoints at the default clocks lose nothing") {
    telemetry::Config config;
    config.pcie_endpoints = 8;
    telemetry::Clocks clocks{ClockDomain(10 * fs_per_ns, 0), ClockDomain(5 * fs_per_ns, 0), {}};
    clocks.pcie.assign(8, ClockDomain(2'500'000, 0));
    telemetry::Telemetry model(config, clocks);
    model.advance_to(20 * fs_per_ms);
    CHECK(model.dropped_deltas() == 0);
    CHECK(model.live_counter(0) > 7'900'000);
}
