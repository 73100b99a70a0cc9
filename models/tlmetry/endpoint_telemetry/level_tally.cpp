// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/level_tally.hpp"

#include <algorithm>

namespace tlmetry::endpoint_telemetry {

LevelTally::LevelTally(Level& tags, Level& words, telemetry::Probe& probe, telemetry::EndpointStatus& status)
    : m_tags(tags), m_words(words), m_probe(probe), m_status(status) {
    hold_bands(0);
    m_status.pass(0, {m_tags.value(), m_words.value(), 0}, m_tags.value(), m_words.value());
}

void LevelTally::begin(cycle_t first) {
    m_begin = first;
    find_sample();
}

void LevelTally::find_sample() {
    const telemetry::DrainTiming& timing = m_probe.timing();
    m_sample = never;
    if (timing.first_tick == never) return;
    const cycle_t first = timing.first_tick + 1;
    const cycle_t since = std::max<cycle_t>(0, m_passed - first);
    m_sample = first + (since + timing.drain_period - 1) / timing.drain_period * timing.drain_period;
}

cycle_t LevelTally::next() const {
    const cycle_t settings = m_settings.empty() ? never : m_settings.front().from;
    return std::max(std::min({m_tags.next(), m_words.next(), settings}), m_passed);
}

/// The cycles that are told at once: no sampling edge lies in them but for the last one, and settings that
/// change after the first are told with the next batch.
cycle_t LevelTally::batch_end() const {
    if (m_passed == m_begin || m_passed == m_sample) return m_passed + 1;
    return std::min(m_sample, m_passed + Level::longest_pass);
}

void LevelTally::pass(cycle_t end, std::uint64_t* counts, bool&) {
    m_passed = std::min(next(), end);
    if (m_passed > m_sample) find_sample();
    while (m_passed < end)
        pass_batch(std::min(end, batch_end()), counts);
    if (m_tags.band() != m_tag_band || m_words.band() != m_word_band) hold_bands(end);
}

void LevelTally::pass_batch(cycle_t end, std::uint64_t* counts) {
    bool changed = m_tags.next() < end || m_words.next() < end;
    while (!m_settings.empty() && m_settings.front().from <= m_passed) {
        m_settings_word = m_settings.front().word;
        m_settings.pop();
        changed = true;
    }
    const auto cycles = static_cast<std::uint64_t>(end - m_passed);
    counts[m_tag_band] -= cycles;
    counts[telemetry::histogram_bands + m_word_band] -= cycles;
    const std::uint32_t lowest_tags = m_tags.pass(m_passed, end, counts);
    const std::uint32_t lowest_words = m_words.pass(m_passed, end, counts + telemetry::histogram_bands);
    if (changed)
        m_status.pass(m_passed, {m_tags.value(), m_words.value(), m_settings_word}, lowest_tags,
                      lowest_words);
    m_passed = end;
    if (m_passed > m_sample) m_sample += m_probe.timing().drain_period;
}

void LevelTally::hold_bands(cycle_t from) {
    m_tag_band = m_tags.band();
    m_word_band = m_words.band();
    m_probe.bands().hold(from, telemetry::bands_word(m_tag_band, m_word_band));
}

}  // namespace tlmetry::endpoint_telemetry
