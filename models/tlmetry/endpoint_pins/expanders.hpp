// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint_pins/timeline.hpp>
#include <tlmetry/endpoint_telemetry/log_feed.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

// What the logs of an endpoint say, pin by pin and cycle by cycle. Each expander is told
//
//     expand(end)   the log holds everything below cycle `end`, and all of it that expand() has not seen
//                   before
//     finish(end)   a word that waits below `end` with unknown content is shown as such
//     skip(end)     nobody wants to know about the cycles below `end`; instead of expand()

namespace tlmetry::endpoint_pins {

class MfbExpander : public Timeline<MfbState> {
public:
    /// Throws UserError where EOF_POS has more than 64 bits.
    MfbExpander(const endpoint_telemetry::EndpointLogs::Mfb& mfb, const telemetry::BusShape& shape,
                std::uint32_t eof_pos_width);

    /// Below a word that waits with unknown content: it is in no piece before it has moved, so known() stays
    /// behind `end` until then.
    void expand(cycle_t end);
    void finish(cycle_t end);
    void skip(cycle_t end) { show_until(end, {}); }

private:
    struct Word {
        cycle_t presented = 0;
        cycle_t moved = -1;
        bool dropped = false;  // by a reset in cycle `moved`
        MfbState pins;
    };
    void add(const endpoint::Piece& piece, cycle_t end, Word& word);
    void show(const Word& word, cycle_t end);

    const endpoint::MfbLog& m_log;
    const cycle_t& m_waiting;
    std::uint32_t m_regions;
    std::uint32_t m_eof_pos_width;
};

class MvbExpander : public Timeline<MvbState> {
public:
    explicit MvbExpander(const endpoint_telemetry::EndpointLogs::Mvb& mvb)
        : m_log(*mvb.log), m_waiting(*mvb.waiting) {}

    /// As MfbExpander::expand().
    void expand(cycle_t end);
    void finish(cycle_t end);
    void skip(cycle_t end) { show_until(end, {}); }

private:
    const endpoint::MvbLog& m_log;
    const cycle_t& m_waiting;
};

/// The mask of all brakes.
class BrakeExpander : public Timeline<std::uint32_t> {
public:
    using Brakes = std::array<endpoint_telemetry::Brake, telemetry::brake_pins>;

    explicit BrakeExpander(const Brakes& brakes) : m_brakes(brakes) {}

    void expand(cycle_t end);
    void skip(cycle_t end) { show_until(end, 0); }

private:
    Brakes m_brakes;
    std::vector<std::pair<cycle_t, std::uint32_t>> m_toggles;
};

class LevelExpander : public Timeline<std::uint32_t> {
public:
    explicit LevelExpander(const endpoint_telemetry::EndpointLogs::Level& level)
        : Timeline(level.start), m_falls(*level.falls), m_rises(*level.rises), m_value(level.start) {}

    void expand(cycle_t end);
    void skip(cycle_t end) { expand(end); }

private:
    const endpoint::LevelLog& m_falls;
    const endpoint::LevelLog& m_rises;
    std::int64_t m_value;
};

/// PCIE_STATUS.
class SettingsExpander : public Timeline<std::uint32_t> {
public:
    explicit SettingsExpander(const endpoint_telemetry::SettingsLog* log) : m_log(log) {}

    void expand(cycle_t end);
    void skip(cycle_t end) { expand(end); }

private:
    const endpoint_telemetry::SettingsLog* m_log;
    std::uint32_t m_word = 0;
};

}  // namespace tlmetry::endpoint_pins
