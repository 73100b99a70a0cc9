// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_status.hpp"

#include <algorithm>

namespace tlmetry::testing {

namespace {

std::uint32_t band_of(std::uint32_t free, std::uint32_t capacity) {
    if (free == 0) return 0b0001;
    if (free <= capacity / 8) return 0b0010;
    if (free <= capacity / 2) return 0b0100;
    return 0b1000;
}

std::uint32_t settings_of(const PciePins& pins) {
    return (pins.mps & 7U) | (pins.mrrs & 7U) << 3 | (pins.ext_tag ? 1U << 6 : 0) |
           (pins.tag10 ? 1U << 7 : 0) | (pins.rcb ? 1U << 8 : 0) | (pins.link_up ? 1U << 9 : 0);
}

}  // namespace

TickingStatus::TickingStatus(std::uint32_t tag_capacity, std::uint32_t stfifo_capacity)
    : m_tag_capacity(tag_capacity), m_stfifo_capacity(stfifo_capacity) {}

void TickingStatus::evaluate(const PciePins& pins, bool tick) {
    const Registers& q = m_q;
    Registers& d = m_d;
    d = q;
    const std::uint32_t tags = pins.tag_free & all_tags;
    const std::uint32_t words = pins.stfifo_free & all_words;

    d.bands = band_of(tags, m_tag_capacity) | band_of(words, m_stfifo_capacity) << 4;
    d.window_tags = tick ? tags : std::min(q.window_tags, tags);
    d.window_words = tick ? words : std::min(q.window_words, words);

    const bool send = tick && !q.in_flight;
    if (send) {
        d.request = !q.request;
        d.data = {settings_of(pins), tags, words, q.window_tags, q.window_words};
        d.in_flight = true;
    }
    if (q.in_flight && q.acknowledge3 != q.acknowledge_seen) d.in_flight = false;
    d.request_out = q.request;
    d.acknowledge1 = m_mi_q.acknowledge_out;
    d.acknowledge2 = q.acknowledge1;
    d.acknowledge3 = q.acknowledge2;
    d.acknowledge_seen = q.acknowledge3;

    if (pins.reset) d = {};
}

void TickingStatus::clock() {
    m_q = m_d;
}

void TickingStatus::evaluate_mi(bool mi_reset, bool clear_marks) {
    const MiRegisters& q = m_mi_q;
    MiRegisters& d = m_mi_d;
    d = q;

    d.request1 = m_q.request_out;
    d.request2 = q.request1;
    d.request3 = q.request2;
    d.request_seen = q.request3;
    const bool arrives = q.request3 != q.request_seen;
    if (arrives) d.data = m_q.data;
    d.valid = q.valid ? false : arrives;
    if (q.valid) d.acknowledge = !q.acknowledge;
    d.acknowledge_out = q.acknowledge;

    if (q.valid) {
        d.settings = q.data.settings;
        d.tags = q.data.tags;
        d.words = q.data.words;
        d.lowest_tags = std::min(q.lowest_tags, q.data.window_tags);
        d.lowest_words = std::min(q.lowest_words, q.data.window_words);
    }
    if (clear_marks) {
        d.lowest_tags = all_tags;
        d.lowest_words = all_words;
    }

    if (mi_reset) d = {};
}

void TickingStatus::clock_mi() {
    m_mi_q = m_mi_d;
}

}  // namespace tlmetry::testing
