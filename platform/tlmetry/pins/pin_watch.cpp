// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/pins/pin_watch.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tlmetry::pins {

PinWatch::PinWatch(const Config& config, platform::Platform& platform) : m_platform(platform) {
    if (!config.wave && !config.check) return;
    card::Card* const card = platform.card();
    if (card == nullptr) {
        throw UserError(std::string("option --") + (config.wave ? "wave" : "check-pins") +
                        ": expected traffic.kind = requests, the traffic of a card, found none of it");
    }
    telemetry::Telemetry& component = platform.telemetry.core();
    std::vector<endpoint_telemetry::EndpointLogs> logs;
    std::vector<endpoint_pins::EndpointRules> rules;
    for (std::uint32_t e = 0; e < card->endpoints(); ++e) {
        logs.push_back(card->logs(e));
        rules.push_back(
            endpoint_pins::rules_of(card->endpoint(e).config(), component.config(), config.mps_bytes));
    }
    if (config.wave)
        m_wave = std::make_unique<endpoint_pins::WaveRecorder>(*config.wave, component, logs, card->resets());
    if (config.check)
        m_check = std::make_unique<PinCheck>("pin_check", component, logs, rules, card->resets());
    card->on_advance([this](time_fs t) {
        if (m_wave) m_wave->advance(t);
        if (m_check) m_check->advance(t);
    });
    platform.on_access([this](const mi::MiAccess& access) {
        if (m_wave) m_wave->access(access);
        if (m_check) m_check->access(access);
    });
}

void PinWatch::finish() {
    telemetry::Telemetry& component = m_platform.telemetry.core();
    // Software ends with an edge at which it has an answer.
    component.advance_to(std::max(component.now(), kernel_now() + 1));
    if (m_check) m_check->finish();
    if (m_wave) m_wave->finish(component.now());
}

}  // namespace tlmetry::pins
