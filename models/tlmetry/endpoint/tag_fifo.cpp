// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/tag_fifo.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

TagFifo::TagFifo(std::uint32_t tags, std::uint32_t write_ports, std::uint32_t read_ports, cycle_t start)
    : m_capacity(tags),
      m_items(std::max(write_ports, read_ports)),
      m_first_cycle(start + (tags + write_ports - 1) / write_ports + 2) {
    for (std::uint32_t tag = 0; tag < tags; ++tag)
        m_order.push(static_cast<std::uint16_t>(tag));
    for (std::uint32_t tag = 0; tag < tags; tag += write_ports)
        m_words.push({-1, std::min(write_ports, tags - tag)});
    // The buffer has filled long before the first tag is taken.
    m_cycle = 0;
    for (int i = 0; i < 8; ++i)
        step();
    m_cycle = start;
}

void TagFifo::release(cycle_t left, std::uint32_t tag) {
    m_order.push(static_cast<std::uint16_t>(tag));
    if (!m_coming.empty() && m_coming.back().at == left + pool_cycles) {
        ++m_coming.back().tags;
    } else {
        m_coming.push({left + pool_cycles, 1});
    }
    if (!m_words.empty() && m_words.back().at_output == left + output_cycles) {
        ++m_words.back().tags;
    } else {
        m_words.push({left + output_cycles, 1});
    }
}

cycle_t TagFifo::when_pooled(cycle_t cycle, std::uint32_t demand) {
    // Returns are only looked at when somebody asks, so fewer may be counted than were taken.
    while (m_back + m_capacity < m_taken + demand && !m_coming.empty()) {
        m_back += m_coming.front().tags;
        m_back_at = m_coming.front().at;
        m_coming.pop();
    }
    return m_back + m_capacity >= m_taken + demand ? std::max(cycle, m_back_at) : never;
}

void TagFifo::count_returns(cycle_t cycle) {
    for (; !m_coming.empty() && m_coming.front().at <= cycle; m_coming.pop()) {
        m_back += m_coming.front().tags;
        m_back_at = m_coming.front().at;
    }
}

void TagFifo::step() {
    if (m_ready) {
        m_buffer += m_input;
        m_input = 0;
        if (!m_words.empty() && m_words.front().at_output <= m_cycle) {
            m_input = m_words.front().tags;
            m_words.pop();
        }
    }
    m_ready = m_buffer <= m_items;
    ++m_cycle;
}

/// Goes on to `cycle` while nothing is taken.
void TagFifo::pass(cycle_t cycle) {
    while (m_cycle < cycle) {
        if (!m_ready && m_buffer > m_items) {
            // Full: stands still until something is taken.
            m_cycle = cycle;
            return;
        }
        if (m_ready && m_input == 0 && (m_words.empty() || m_words.front().at_output > m_cycle)) {
            // Empty: stands still until the next word is at the output.
            const cycle_t next = m_words.empty() ? cycle : std::min(cycle, m_words.front().at_output);
            m_cycle = next;
            if (m_cycle == cycle) return;
        }
        step();
    }
}

cycle_t TagFifo::when_shown(cycle_t cycle, std::uint32_t demand, cycle_t end) {
    step_to(cycle);
    while (m_buffer < demand) {
        if (m_ready && m_input == 0) {
            if (m_words.empty()) return never;
            m_cycle = std::max(m_cycle, std::min(end, m_words.front().at_output));
        }
        if (m_cycle >= end) return never;
        step();
    }
    return m_cycle;
}

}  // namespace tlmetry::endpoint
