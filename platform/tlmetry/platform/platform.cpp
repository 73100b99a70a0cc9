// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/platform/platform.hpp"

#include <algorithm>

namespace tlmetry::platform {

namespace {

// An idle component passes any time at once.
constexpr time_fs idle_piece_fs = 10 * fs_per_ms;

/// Traffic is worked out as far as the component looks ahead, so the pieces of a long sleep also bound the
/// memory: a drain period or so stays in the processor's cache, and not more than 65536 cycles.
time_fs sleep_piece(const Platform::Config& config) {
    if (!config.requests && config.pins.kind == traffic::Kind::idle) return idle_piece_fs;
    const telemetry::Clocks& clocks = config.telemetry.clocks;
    time_fs period = clocks.dma.period_fs();
    for (const ClockDomain& clock : clocks.pcie)
        period = std::min(period, clock.period_fs());
    return static_cast<time_fs>(std::min(config.telemetry.generics.drain_period, 65536u)) * period;
}

const Platform::Config& validated(const Platform::Config& config) {
    config.validate();
    return config;
}

}  // namespace

void Platform::Config::validate() const {
    telemetry.validate();
    bus.validate();
    processor.validate();
    if (requests) {
        card.validate(telemetry.generics);
    } else {
        pins.validate();
    }
}

Platform::Platform(const sc_core::sc_module_name& name, const Config& config, Software software)
    : sc_module(name),
      telemetry("telemetry", validated(config).telemetry),
      bus("bus", config.bus, telemetry.clocks().mi),
      processor("processor", config.processor),
      m_sleep_piece_fs(sleep_piece(config)),
      m_posted_writes(config.bus.posted_writes),
      m_software(std::move(software)) {
    if (config.requests) {
        m_card = std::make_unique<card::Card>(config.card, telemetry.core(), config.seed);
    } else {
        m_pins = std::make_unique<traffic::RandomActivity>(config.pins, card::settings_word(config.card),
                                                           config.seed, telemetry.core());
    }
    processor.socket.bind(bus.initiators[0]);
    bus.devices[0].bind(telemetry.mi.socket);
    telemetry.mi.on_access([this](const mi::MiAccess& access) { accessed(access); });
    SC_HAS_PROCESS(Platform);
    SC_THREAD(run_software);
}

bool Platform::sleep_goes_on(time_fs now) {
    telemetry.core().advance_to(now);
    return !m_watch || m_watch(now);
}

void Platform::accessed(const mi::MiAccess& access) {
    if (m_watch) m_watch(telemetry.clocks().mi.time_of(access.edge));
    if (m_access_watch) m_access_watch(access);
}

void Platform::run_software() {
    // An exception must not leave a thread of the kernel.
    try {
        SimulatedBus device(processor, 0, m_posted_writes);
        SimulatedClock clock(processor, m_sleep_piece_fs, [this](time_fs now) { return sleep_goes_on(now); });
        m_software(device, clock);
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
