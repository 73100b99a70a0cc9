// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/platform/platform.hpp"

#include <tlmetry/device/driver_bus.hpp>

#include <utility>

namespace tlmetry::platform {

namespace {

// That of a Linux process, which software of users is made for; memory is taken when it is used.
constexpr std::size_t software_stack_bytes = std::size_t{8} << 20;

const Platform::Config& validated(const Platform::Config& config) {
    config.validate();
    return config;
}

Platform::Software on_driver_bus(Platform::DriverSoftware software) {
    return [software = std::move(software)](device::CardAccess& card) {
        device::DriverBus bus(card, "simulated telemetry");
        device::DriverClock clock(card);
        software(bus, clock);
    };
}

}  // namespace

void Platform::Config::validate() const {
    telemetry.validate();
    bus.validate();
    processor.validate();
    device::Stimulus::Config::validate(telemetry.generics);
}

Platform::Platform(const sc_core::sc_module_name& name, const Config& config, Software software)
    : sc_module(name),
      telemetry("telemetry", validated(config).telemetry),
      bus("bus", config.bus, telemetry.clocks().mi),
      processor("processor", config.processor),
      m_sleep_piece_fs(config.step_fs(config.telemetry.generics.drain_period, telemetry.clocks())),
      m_posted_writes(config.bus.posted_writes),
      m_stimulus(config, telemetry.core()),
      m_faulty(telemetry.core(), config.faults, config.seed),
      m_software(std::move(software)) {
    if (config.faults.change_answers()) telemetry.mi.port().set_device(m_faulty);
    processor.socket.bind(bus.initiators[0]);
    bus.devices[0].bind(telemetry.mi.socket);
    telemetry.mi.on_access([this](const mi::MiAccess& access) { accessed(access); });
    SC_HAS_PROCESS(Platform);
    SC_THREAD(run_software);
    set_stack_size(software_stack_bytes);
}

Platform::Platform(const sc_core::sc_module_name& name, const Config& config, DriverSoftware software)
    : Platform(name, config, on_driver_bus(std::move(software))) {}

bool Platform::sleep_goes_on(time_fs now) {
    telemetry.core().advance_to(now);
    return !m_watch || m_watch(now);
}

void Platform::accessed(const mi::MiAccess& access) {
    if (m_watch) m_watch(telemetry.clocks().mi.time_of(access.edge));
}

void Platform::run_software() {
    // An exception must not leave a thread of the kernel.
    try {
        PlatformCard card(processor, m_posted_writes, m_sleep_piece_fs,
                          [this](time_fs now) { return sleep_goes_on(now); });
        m_software(card);
        processor.sync();
    } catch (const sc_core::sc_unwind_exception&) {
        throw;
    } catch (...) {
        m_failure = std::current_exception();
    }
    sc_core::sc_pause();
    // Waits for ever: of the end of a thread the kernel does not tell the address sanitizer, which then goes
    // by the wrong stack.
    wait();
}

void Platform::run() {
    sc_core::sc_start();
    if (m_failure) std::rethrow_exception(m_failure);
}

}  // namespace tlmetry::platform
