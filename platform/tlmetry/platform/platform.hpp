// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/faults.hpp>
#include <tlmetry/device/stimulus.hpp>
#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>
#include <tlmetry/mi/bus.hpp>
#include <tlmetry/mi/initiator.hpp>
#include <tlmetry/platform/platform_card.hpp>
#include <tlmetry/telemetry_sc/telemetry_module.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <systemc>

namespace tlmetry::platform {

/// A card's telemetry with everything around it: traffic on the observed buses, the MI bus, and a processor
/// that runs software.
///
///     traffic -> telemetry <- MI bus <- processor <- software
class Platform : public sc_core::sc_module {
public:
    struct Config : device::Stimulus::Config {
        telemetry::TelemetryModule::Config telemetry;
        mi::MiBus::Config bus;  ///< one initiator and one device, the telemetry component
        mi::MiInitiator::Config processor;
        device::Faults faults;  ///< but the delay, which is one of the bus

        /// Throws UserError naming the parameter, its value and the rule it breaks.
        void validate() const;
    };

    /// Runs in an SC_THREAD of its own; its end is the end of the simulation.
    using Software = std::function<void(device::CardAccess& card)>;
    /// The same for software that is made for the driver.
    using DriverSoftware = std::function<void(driver::MiBus& bus, driver::Clock& clock)>;

    telemetry::TelemetryModule telemetry;
    mi::MiBus bus;
    mi::MiInitiator processor;

    Platform(const sc_core::sc_module_name& name, const Config& config, Software software);
    Platform(const sc_core::sc_module_name& name, const Config& config, DriverSoftware software);

    /// Called again and again while software sleeps, and at each of its accesses, with the time reached:
    /// false ends the sleep and all later ones.
    void on_sleep(PlatformCard::Watch watch) { m_watch = std::move(watch); }
    /// Called with each access of the software to the component, behind those given before.
    void on_access(std::function<void(const mi::MiAccess& access)> watch) {
        telemetry.mi.on_access(std::move(watch));
    }

    /// Null without requests of its own.
    const card::Card* card() const { return m_stimulus.card(); }
    card::Card* card() { return m_stimulus.card(); }

    /// Simulates until the software has ended, and throws what it has thrown. Call it once, from sc_main.
    void run();

private:
    void run_software();
    bool sleep_goes_on(time_fs now);
    void accessed(const mi::MiAccess& access);

    const time_fs m_sleep_piece_fs;
    const bool m_posted_writes;
    device::Stimulus m_stimulus;
    device::FaultyDevice m_faulty;
    Software m_software;
    PlatformCard::Watch m_watch;
    std::exception_ptr m_failure;
};

}  // namespace tlmetry::platform
