// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint_telemetry/level.hpp>
#include <tlmetry/telemetry/probe.hpp>

#include <cstdint>

namespace tlmetry::endpoint_telemetry {

/// PCIE_STATUS shows `word` from PCIe cycle `from` on.
struct Settings {
    cycle_t from = 0;
    std::uint32_t word = 0;
};
using SettingsLog = SlidingQueue<Settings>;

/// Counts the histogram bands of free tags and free storage FIFO words, and tells the status registers of
/// both and of the settings: not every step, but what the edges can see that sample them.
class LevelTally {
public:
    /// Levels, probe and status must live as long as this; nothing may have been counted yet.
    LevelTally(Level& tags, Level& words, telemetry::Probe& probe, telemetry::EndpointStatus& status);

    /// PCIE_STATUS from cycle `from` on.
    void settings(cycle_t from, std::uint32_t word) { m_settings.push({from, word}); }
    /// What has not been passed yet.
    const SettingsLog& settings() const { return m_settings; }

    /// Cycles from `first` on come next. A reset may have begun or ended there, and the ticks may have
    /// changed.
    void begin(cycle_t first);

    /// First cycle in which something is to be counted.
    cycle_t next() const;
    /// Counts what happens below `end`, as the difference from the bands held so far.
    void pass(cycle_t end, std::uint64_t* counts, bool&);

private:
    cycle_t batch_end() const;
    void find_sample();
    void pass_batch(cycle_t end, std::uint64_t* counts);
    void hold_bands(cycle_t from);

    Level& m_tags;
    Level& m_words;
    telemetry::Probe& m_probe;
    telemetry::EndpointStatus& m_status;
    SettingsLog m_settings;
    std::uint32_t m_settings_word = 0;
    std::uint32_t m_tag_band = 0;   // that the probe holds
    std::uint32_t m_word_band = 0;  // that the probe holds
    cycle_t m_passed = 0;
    cycle_t m_begin = 0;
    cycle_t m_sample = never;  // first edge behind a tick that is not passed yet
};

}  // namespace tlmetry::endpoint_telemetry
