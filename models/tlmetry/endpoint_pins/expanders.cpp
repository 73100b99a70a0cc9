// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_pins/expanders.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::endpoint_pins {

MfbExpander::MfbExpander(const endpoint_telemetry::EndpointLogs::Mfb& mfb, const telemetry::BusShape& shape,
                         std::uint32_t eof_pos_width)
    : m_log(*mfb.log), m_waiting(*mfb.waiting), m_regions(shape.regions), m_eof_pos_width(eof_pos_width) {
    if (m_regions * eof_pos_width > 64) {
        throw UserError("pins of an MFB: expected EOF_POS of at most 64 bits, found " +
                        std::to_string(m_regions) + " regions of " + std::to_string(eof_pos_width));
    }
}

void MfbExpander::expand(cycle_t end) {
    Word word;
    for (std::size_t i = 0; i < m_log.size() && m_log[i].presented < end; ++i)
        add(m_log[i], end, word);
    show(word, end);
    show_until(std::min(m_waiting, end), {});
}

/// Adds a piece to the word that is open, and shows the words that are complete with it.
void MfbExpander::add(const endpoint::Piece& piece, cycle_t end, Word& word) {
    if (piece.opens_word()) {
        show(word, end);
        word = {};
    }
    word.presented = piece.presented;
    word.moved = piece.moved;
    word.dropped = piece.regions == 0;
    word.pins.src_rdy = true;
    word.pins.known = !word.dropped;
    std::uint32_t place = piece.first_region;
    std::uint32_t left = piece.regions;
    if (piece.sof()) word.pins.sof |= std::uint64_t{1} << place;
    while (left > m_regions - place) {
        if (word.moved >= end) return;
        left -= m_regions - place;
        place = 0;
        show(word, end);
        word.presented = ++word.moved;
        word.pins = {};
        word.pins.src_rdy = true;
    }
    if (!piece.eof()) return;
    const std::uint32_t last = place + left - 1;
    word.pins.eof |= std::uint64_t{1} << last;
    word.pins.eof_pos |= std::uint64_t{piece.last_items} << (last * m_eof_pos_width);
}

void MfbExpander::show(const Word& word, cycle_t end) {
    if (word.moved < known()) return;
    show_until(std::min(word.presented, end), {});
    MfbState pins = word.pins;
    pins.dst_rdy = false;
    show_until(std::min(word.moved, end), pins);
    if (word.dropped) return;
    pins.dst_rdy = true;
    show_until(std::min(word.moved + 1, end), pins);
}

void MfbExpander::finish(cycle_t end) {
    MfbState waiting;
    waiting.src_rdy = true;
    waiting.dst_rdy = false;
    waiting.known = false;
    show_until(end, waiting);
}

void MvbExpander::expand(cycle_t end) {
    for (std::size_t i = 0; i < m_log.size() && m_log[i].presented < end; ++i) {
        const endpoint::Headers& word = m_log[i];
        if (word.moved < known()) continue;
        show_until(word.presented, {});
        const bool dropped = word.items == 0;  // by a reset in cycle `moved`
        show_until(std::min(word.moved, end), {true, false, !dropped, word.items});
        if (!dropped) show_until(std::min(word.moved + 1, end), {true, true, true, word.items});
    }
    show_until(std::min(m_waiting, end), {});
}

void MvbExpander::finish(cycle_t end) {
    show_until(end, {true, false, false, 0});
}

void BrakeExpander::expand(cycle_t end) {
    m_toggles.clear();
    for (std::uint32_t b = 0; b < m_brakes.size(); ++b) {
        const auto hold = [&](cycle_t from, cycle_t to) {
            from = std::max(from, known());
            to = std::min(to, end);
            if (from >= to) return;
            m_toggles.emplace_back(from, 1u << b);
            m_toggles.emplace_back(to, 1u << b);
        };
        const endpoint::BrakeLog& log = *m_brakes[b].log;
        for (std::size_t i = 0; i < log.size() && log[i].from < end; ++i)
            hold(log[i].from, log[i].to);
        hold(*m_brakes[b].since, end);
    }
    std::sort(m_toggles.begin(), m_toggles.end());
    std::uint32_t mask = 0;
    for (const auto& [cycle, bit] : m_toggles) {
        show_until(cycle, mask);
        mask ^= bit;
    }
    show_until(end, mask);
}

void LevelExpander::expand(cycle_t end) {
    const auto at = [](const endpoint::LevelLog& log, std::size_t i) {
        return i < log.size() ? log[i].at : never;
    };
    std::size_t falls = 0;
    std::size_t rises = 0;
    // Steps that have been shown.
    while (at(m_falls, falls) < known())
        ++falls;
    while (at(m_rises, rises) < known())
        ++rises;
    while (std::min(at(m_falls, falls), at(m_rises, rises)) < end) {
        const bool rising = at(m_rises, rises) <= at(m_falls, falls);
        const endpoint::Step& step = rising ? m_rises[rises++] : m_falls[falls++];
        show_until(step.at, static_cast<std::uint32_t>(m_value));
        m_value += step.step;
    }
    show_until(end, static_cast<std::uint32_t>(m_value));
}

void SettingsExpander::expand(cycle_t end) {
    for (std::size_t i = 0; m_log != nullptr && i < m_log->size() && (*m_log)[i].from < end; ++i) {
        if ((*m_log)[i].from < known()) continue;
        show_until((*m_log)[i].from, m_word);
        m_word = (*m_log)[i].word;
    }
    show_until(end, m_word);
}

}  // namespace tlmetry::endpoint_pins
