// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/card.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <vector>

/// A card and the component that watches it, without a kernel.
namespace tlmetry::test {

inline constexpr std::uint64_t seed = 11;

struct Setup {
    telemetry::Config generics;
    card::Config card;
};

inline Setup two_endpoints() {
    Setup setup;
    setup.generics.pcie_endpoints = 2;
    setup.generics.dma_ports = 2;
    setup.card.traffic[0] = generator::half_and_half(200);
    setup.card.host.latency = host::Latency::uniform;
    return setup;
}

struct Run {
    explicit Run(const Setup& setup)
        : component(setup.generics, clocks(setup.generics.pcie_endpoints)),
          card(setup.card, component, seed) {}

    static const telemetry::Clocks& clocks(std::uint32_t endpoints) {
        static std::vector<telemetry::Clocks> all;
        if (all.empty()) {
            for (std::uint32_t n = 0; n <= 2; ++n)
                all.push_back({{10'000'000, 0}, {5'000'000, 0}, std::vector<ClockDomain>(n, {2'500'000, 0})});
        }
        return all[endpoints];
    }

    std::vector<std::uint64_t> counters() const {
        std::vector<std::uint64_t> result;
        for (std::uint32_t i = 0; i < component.layout().entries; ++i)
            result.push_back(component.counted(i));
        return result;
    }

    telemetry::Telemetry component;
    card::Card card;
};

}  // namespace tlmetry::test
