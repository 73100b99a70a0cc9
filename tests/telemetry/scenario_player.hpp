// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "telemetry/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tlmetry::testing {

/// Clocks that have a rising edge at one time.
struct Edges {
    time_fs time = 0;
    bool mi = false;
    bool dma = false;
    std::uint32_t pcie = 0;  ///< bit e: endpoint e
};

/// Plays a scenario, without SystemC, to a `Model`:
///
///     void edges(const Edges&)              the edges of one moment, with the pins as driven before
///     void drive_mi(), drive_dma(), drive_pcie(e)    the scenario's pins have moved
///     void reset(const ResetEvent&)         a reset pin changes
template <class Model>
void play(Scenario& scenario, Drive drive, Model& model) {
    const auto endpoints = static_cast<std::uint32_t>(scenario.pcie.size());
    time_fs mi_time = scenario.mi.first;
    time_fs dma_time = scenario.dma.first;
    std::vector<time_fs> pcie_time;
    for (const auto& clock : scenario.pcie)
        pcie_time.push_back(clock.first);
    std::size_t next_reset = 0;

    for (;;) {
        Edges now;
        now.time = std::min(mi_time, dma_time);
        for (const time_fs t : pcie_time)
            now.time = std::min(now.time, t);
        if (next_reset < scenario.resets.size())
            now.time = std::min(now.time, scenario.resets[next_reset].time);
        if (now.time > scenario.end) return;
        now.mi = mi_time == now.time;
        now.dma = dma_time == now.time;
        for (std::uint32_t e = 0; e < endpoints; ++e)
            now.pcie |= (pcie_time[e] == now.time ? 1u : 0u) << e;

        if (drive == Drive::after) model.edges(now);
        if (now.mi) {
            scenario.after_mi_edge();
            model.drive_mi();
            mi_time += scenario.mi.period;
        }
        if (now.dma) {
            if (scenario.after_dma_edge()) model.drive_dma();
            dma_time += scenario.dma.period;
        }
        for (std::uint32_t e = 0; e < endpoints; ++e) {
            if (pcie_time[e] != now.time) continue;
            if (scenario.after_pcie_edge(e)) model.drive_pcie(e);
            pcie_time[e] += scenario.pcie[e].period;
        }
        for (; next_reset < scenario.resets.size() && scenario.resets[next_reset].time == now.time;
             ++next_reset) {
            model.reset(scenario.resets[next_reset]);
        }
        if (drive == Drive::with) model.edges(now);
    }
}

}  // namespace tlmetry::testing
