// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/stimulus.hpp"

#include <algorithm>

namespace tlmetry::device {

namespace {

// An idle component passes any time at once.
constexpr time_fs idle_step_fs = fs_per_s;

// A drain period or so stays in the processor's cache.
constexpr std::uint32_t most_step_cycles = 65536;

}  // namespace

void Stimulus::Config::validate(const telemetry::Config& component) const {
    if (requests) {
        card.validate(component);
    } else {
        pins.validate();
    }
}

time_fs Stimulus::Config::step_fs(std::uint32_t drain_period, const telemetry::Clocks& clocks) const {
    if (!requests && pins.kind == traffic::Kind::idle) return idle_step_fs;
    time_fs period = clocks.dma.period_fs();
    for (const ClockDomain& clock : clocks.pcie)
        period = std::min(period, clock.period_fs());
    return static_cast<time_fs>(std::min(drain_period, most_step_cycles)) * period;
}

Stimulus::Stimulus(const Config& config, telemetry::Telemetry& component) {
    if (config.requests) {
        m_card = std::make_unique<card::Card>(config.card, component, config.seed);
    } else {
        m_pins = std::make_unique<traffic::RandomActivity>(config.pins, card::settings_word(config.card),
                                                           config.seed, component);
    }
}

}  // namespace tlmetry::device
