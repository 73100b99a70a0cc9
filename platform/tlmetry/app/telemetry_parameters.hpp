// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/config/registry.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <vector>

namespace tlmetry::app {

/// The parameters `telemetry.*`: every generic of the component under its name in lower case, and the clocks.
struct TelemetryParameters {
    telemetry::Config component;

    // Periods, and times of the first rising edge. The PCIe clocks: one for all endpoints, or one each.
    std::vector<time_fs> pcie_clock_fs{2'500'000};
    std::vector<time_fs> pcie_phase_fs{0};
    time_fs dma_clock_fs = 5'000'000;
    time_fs dma_phase_fs = 0;
    time_fs mi_clock_fs = 10'000'000;
    time_fs mi_phase_fs = 0;

    /// The registry refers to this object, which must outlive it.
    void bind(config::Registry& registry);

    /// Throws UserError, naming the parameter, when values don't fit one another.
    void validate() const;

    /// One clock for each endpoint.
    std::vector<ClockDomain> pcie_clocks() const;
    ClockDomain dma_clock() const { return {dma_clock_fs, dma_phase_fs}; }
    ClockDomain mi_clock() const { return {mi_clock_fs, mi_phase_fs}; }
};

}  // namespace tlmetry::app
