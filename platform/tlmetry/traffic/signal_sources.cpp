// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/traffic/signal_sources.hpp"

#include <algorithm>

namespace tlmetry::traffic {

BrakeSource::BrakeSource(const Config& config, std::uint64_t seed, std::string_view name)
    : m_ppm(config.kind == Kind::idle ? 0 : config.brake_ppm),
      m_random(seed, name),
      m_on(config.brake_cycles),
      m_off(config.brake_cycles, million - m_ppm, std::max(1u, m_ppm)) {
    for (std::size_t pin = 0; pin < m_changes.size(); ++pin)
        draw(pin);
}

/// Prolongs the state of a pin.
void BrakeSource::draw(std::size_t pin) {
    const bool on = (m_mask >> pin & 1) != 0;
    m_changes[pin] = m_ppm == 0 ? never : m_changes[pin] + (on ? m_on : m_off).draw(m_random);
}

void BrakeSource::advance() {
    m_cycle = *std::min_element(m_changes.begin(), m_changes.end());
    for (std::size_t pin = 0; pin < m_changes.size(); ++pin) {
        if (m_changes[pin] != m_cycle || m_cycle == never) continue;
        m_mask ^= 1u << pin;
        draw(pin);
    }
}

LevelSource::LevelSource(const Config& config, std::uint32_t settings, std::uint32_t tags,
                         std::uint32_t words, std::uint64_t seed, std::string_view name)
    : m_moves(config.kind != Kind::idle),
      m_tags(tags),
      m_words(words),
      m_random(seed, name),
      m_interval(config.level_cycles),
      m_pins{tags, words, settings} {}

std::uint32_t LevelSource::walk(std::uint32_t level, std::uint32_t capacity) {
    const std::uint32_t step = std::max(1u, capacity / 16);
    const std::uint32_t raised = level + m_random.below(2 * step + 1);
    return std::min(capacity, raised - std::min(raised, step));
}

void LevelSource::advance() {
    m_cycle = m_moves ? m_cycle + m_interval.draw(m_random) : never;
    m_pins.free_tags = walk(m_pins.free_tags, m_tags);
    m_pins.free_words = walk(m_pins.free_words, m_words);
}

}  // namespace tlmetry::traffic
