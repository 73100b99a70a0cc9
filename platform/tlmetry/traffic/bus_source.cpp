// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/traffic/bus_source.hpp"

#include <algorithm>

namespace tlmetry::traffic {

namespace {

// Headers that the DMA side can hold back before its frames have to wait for them.
constexpr cycle_t header_room_cycles = 64;

/// Bytes of a TLP in front of its payload. The DMA side carries them on the MVB.
std::uint32_t header_bytes(BusRole role) {
    switch (role) {
        case BusRole::rq:
            return 16;
        case BusRole::rc:
            return 12;
        default:
            return 0;
    }
}

/// Words between two stalls such that stalled cycles are the given share of all.
Length between_stalls(std::uint32_t stall_cycles, std::uint32_t stall_ppm) {
    return stall_ppm == 0 ? Length(0) : Length(stall_cycles, million - stall_ppm, stall_ppm);
}

}  // namespace

BusSource::BusSource(const Config& config, BusRole role, std::uint32_t regions, std::uint32_t region_items,
                     std::uint32_t item_bytes, std::uint64_t seed, std::string_view name)
    : m_role(role),
      m_regions(regions),
      m_region_items(region_items),
      m_packing_ppm(config.packing_ppm),
      m_read_ppm(role == BusRole::rq || role == BusRole::up ? config.read_ppm : 0),
      m_header_items((header_bytes(role) + item_bytes - 1) / item_bytes),
      m_random(seed, name),
      m_burst_words(config.burst_words),
      m_gap_cycles(config.burst_words, million - config.activity_ppm, std::max(1u, config.activity_ppm)),
      m_payload_items(config.frame_bytes, 1, item_bytes),
      m_stall_cycles(config.stall_cycles),
      m_words_between_stalls(between_stalls(config.stall_cycles, config.stall_ppm)),
      m_mvb_words_between_stalls(between_stalls(config.stall_cycles, config.mvb_stall_ppm)),
      m_reads_between_frames(1, m_read_ppm, million - m_read_ppm),
      m_stalls(config.stall_ppm != 0),
      m_mvb_stalls(config.mvb_stall_ppm != 0) {
    m_pins.eof_pos.resize(regions);
    if (config.activity_ppm == 0) m_cycle = never;
}

void BusSource::tell(cycle_t end, BusSink& sink) {
    while (m_cycle < end) {
        cycle_t gap = 0;
        for (; m_burst == 0; m_burst = m_burst_words.draw(m_random))
            gap += m_gap_cycles.draw(m_random);
        gap = std::max(gap, m_mvb_cycle - header_room_cycles - m_cycle);
        if (gap > 0) tell_gap(sink, gap);
        tell_words(sink);
    }
    if (!m_mvb_idle && m_mvb_cycle < end) {
        sink.mvb(m_mvb_cycle, {});
        m_mvb_idle = true;
    }
}

void BusSource::tell_gap(BusSink& sink, cycle_t cycles) {
    m_pins.src_rdy = false;
    m_pins.dst_rdy = true;
    m_pins.sof = 0;
    m_pins.eof = 0;
    sink.mfb(m_cycle, m_pins);
    m_cycle += cycles;
}

/// One word, or several equal ones, with the stall in front of it.
void BusSource::tell_words(BusSink& sink) {
    std::uint32_t starts = 0;
    std::int64_t words = next_words(starts);
    if (has_mvb() && starts != 0) {
        std::int64_t headers = starts;
        for (std::uint32_t i = 0; i < starts; ++i)
            headers += m_reads_between_frames.draw(m_random);
        tell_headers(sink, headers);
    }
    m_pins.src_rdy = true;
    words = std::min(words, m_burst);
    if (m_stalls) {
        cycle_t stall = 0;
        for (; m_ready == 0; m_ready = m_words_between_stalls.draw(m_random))
            stall += m_stall_cycles.draw(m_random);
        if (stall > 0) {
            m_pins.dst_rdy = false;
            sink.mfb(m_cycle, m_pins);
            m_cycle += stall;
        }
        words = std::min(words, m_ready);
        m_ready -= words;
    }
    m_pins.dst_rdy = true;
    sink.mfb(m_cycle, m_pins);
    m_cycle += words;
    m_burst -= words;
    if (m_pins.eof == 0 && m_pins.sof == 0) m_open -= words * m_regions * m_region_items;
}

/// Puts the next word into m_pins and returns how often it can follow itself.
std::int64_t BusSource::next_words(std::uint32_t& starts) {
    m_pins.sof = 0;
    m_pins.eof = 0;
    const std::int64_t word_items = std::int64_t{m_regions} * m_region_items;
    if (m_open > word_items) return (m_open - 1) / word_items;  // tell_words() takes the items away
    bool empty = true;
    for (std::uint32_t r = 0; r < m_regions; ++r) {
        const std::uint64_t region = std::uint64_t{1} << r;
        if (m_open == 0) {
            const bool must = empty && r + 1 == m_regions;
            if (!must && !m_random.chance(m_packing_ppm, million)) continue;
            m_open = next_frame();
            m_pins.sof |= region;
            ++starts;
        }
        empty = false;
        if (m_open <= m_region_items) {
            m_pins.eof |= region;
            m_pins.eof_pos[r] = static_cast<std::uint32_t>(m_open - 1);
            m_open = 0;
        } else {
            m_open -= m_region_items;
        }
    }
    return 1;
}

/// Items of a frame that starts.
std::int64_t BusSource::next_frame() {
    if (m_role == BusRole::rq && m_random.chance(m_read_ppm, million)) return m_header_items;
    return m_header_items + std::max<std::int64_t>(1, m_payload_items.draw(m_random));
}

void BusSource::tell_headers(BusSink& sink, std::int64_t headers) {
    if (m_mvb_cycle < m_cycle) {
        if (!m_mvb_idle) sink.mvb(m_mvb_cycle, {});
        m_mvb_cycle = m_cycle;
    }
    m_mvb_idle = false;
    while (headers > 0) {
        telemetry::MvbWord word{true, true,
                                static_cast<std::uint32_t>(std::min<std::int64_t>(headers, m_regions))};
        if (m_mvb_stalls) {
            cycle_t stall = 0;
            for (; m_mvb_ready == 0; m_mvb_ready = m_mvb_words_between_stalls.draw(m_random)) {
                stall += m_stall_cycles.draw(m_random);
            }
            --m_mvb_ready;
            if (stall > 0) {
                word.dst_rdy = false;
                sink.mvb(m_mvb_cycle, word);
                m_mvb_cycle += stall;
                word.dst_rdy = true;
            }
        }
        sink.mvb(m_mvb_cycle++, word);
        headers -= word.items;
    }
}

}  // namespace tlmetry::traffic
