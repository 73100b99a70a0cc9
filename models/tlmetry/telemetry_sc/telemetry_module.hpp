// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/mi/target.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <systemc>

namespace tlmetry::telemetry {

/// PCIE_TELEMETRY_MI in a transaction-level platform: the counting core behind a TLM-2.0 socket for its
/// registers. No clock ticks. The observed buses are told to the probes of core(), best on demand by its
/// on_look() hook.
class TelemetryModule : public sc_core::sc_module {
public:
    struct Config {
        telemetry::Config generics;
        /// Endless clocks, a period and a first edge each; `pcie` one per endpoint.
        Clocks clocks{ClockDomain(10 * fs_per_ns, 0),
                      ClockDomain(5 * fs_per_ns, 0),
                      {ClockDomain(2500 * fs_per_ps, 0)}};

        /// Throws UserError for generics the hardware refuses and for clocks that do not fit them.
        void validate() const;
    };

private:
    // In front of what is built on them.
    const Clocks m_clocks;
    Telemetry m_core;

public:
    mi::MiTarget mi;  ///< bind `mi.socket` to the MI bus; the device is 0x10000 bytes long

    /// Throws UserError like Config::validate().
    TelemetryModule(const sc_core::sc_module_name& name, const Config& config);

    Telemetry& core() { return m_core; }
    const Telemetry& core() const { return m_core; }
    const Clocks& clocks() const { return m_clocks; }

    // Reset pins change at the time of the kernel; clock edges at that very time still see the old level.
    // Software that has run ahead and looked at the component beyond that time is not undone: for it the
    // change comes right behind its last look.
    void set_mi_reset(bool level) { m_core.set_mi_reset(reset_time(), level); }
    void set_dma_reset(bool level) { m_core.set_dma_reset(reset_time(), level); }
    void set_pcie_reset(std::uint32_t endpoint, bool level) {
        m_core.set_pcie_reset(reset_time(), endpoint, level);
    }

private:
    time_fs reset_time() const;
};

}  // namespace tlmetry::telemetry
