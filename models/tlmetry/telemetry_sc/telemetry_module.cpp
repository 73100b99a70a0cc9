// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry_sc/telemetry_module.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::telemetry {

void TelemetryModule::Config::validate() const {
    generics.validate();
    const auto endless = [](const std::string& clock, const ClockDomain& domain) {
        if (domain.known_edges() == never) return;
        throw UserError("telemetry." + clock + ": expected a clock without end, found one with " +
                        std::to_string(domain.known_edges()) + " edges");
    };
    endless("mi_clock", clocks.mi);
    endless("dma_clock", clocks.dma);
    for (const ClockDomain& clock : clocks.pcie)
        endless("pcie_clock", clock);
    if (clocks.pcie.size() != generics.pcie_endpoints) {
        throw UserError("telemetry.pcie_clock: expected one clock for each of the " +
                        std::to_string(generics.pcie_endpoints) + " endpoints, found " +
                        std::to_string(clocks.pcie.size()));
    }
}

TelemetryModule::TelemetryModule(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name),
      m_clocks((config.validate(), config.clocks)),
      m_core(config.generics, m_clocks),
      mi("mi", {}, m_clocks.mi, m_core) {}

time_fs TelemetryModule::reset_time() const {
    return std::max(kernel_now(), m_core.now() - 1);
}

}  // namespace tlmetry::telemetry
