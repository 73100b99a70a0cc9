// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_accumulator.hpp"

#include <algorithm>
#include <utility>

namespace tlmetry::testing {

TickingAccumulator::TickingAccumulator(std::uint32_t entries, std::uint32_t counter_width,
                                       std::vector<std::uint32_t> stream_base, bool memory_ones)
    : m_entries(entries),
      m_counter_mask(~std::uint64_t{0} >> (64 - counter_width)),
      m_stream_base(std::move(stream_base)),
      m_memory(2 * entries, memory_ones ? m_counter_mask : 0) {
    m_q.stream = last_stream();
}

bool TickingAccumulator::busy() const {
    return m_q.snapshot_request || m_q.clear_request || m_q.state == State::snap_read ||
           m_q.state == State::snap_write || m_q.state == State::clear;
}

std::uint32_t TickingAccumulator::next_stream(const std::vector<char>& valid) const {
    const std::uint32_t streams = static_cast<std::uint32_t>(valid.size());
    for (std::uint32_t i = 1; i <= streams; ++i) {
        const std::uint32_t candidate = (m_q.stream + i) % streams;
        if (valid[candidate] != 0) return candidate;
    }
    return m_q.stream;
}

void TickingAccumulator::write_memory(std::uint32_t address, std::uint64_t value) {
    m_memory_write = true;
    m_memory_address = address;
    m_memory_data = value;
}

void TickingAccumulator::evaluate_idle(bool delta_waits, const std::vector<char>& valid) {
    if (m_q.clear_request) {
        m_d.state = State::clear;
        m_d.clear_request = false;
        m_d.command_address = 0;
    } else if (m_q.snapshot_request) {
        m_d.state = State::snap_read;
        m_d.snapshot_request = false;
        m_d.command_address = 0;
    } else if (delta_waits) {
        m_d.state = State::read;
        m_d.stream = next_stream(valid);
    }
}

void TickingAccumulator::evaluate(bool reset, bool snapshot, bool clear, const std::vector<char>& valid,
                                  const TickingFifo::Word& data) {
    const Registers& q = m_q;
    Registers& d = m_d;
    d = q;
    m_memory_write = false;
    if (snapshot) d.snapshot_request = true;
    if (clear) d.clear_request = true;
    const bool delta_waits = std::any_of(valid.begin(), valid.end(), [](char v) { return v != 0; });

    switch (q.state) {
        case State::idle:
            evaluate_idle(delta_waits, valid);
            break;
        case State::read:
            d.entry = m_stream_base[q.stream] + data.index;
            d.delta = data.delta;
            d.memory_out = m_memory[d.entry];
            d.state = State::add;
            break;
        case State::add:
            d.sum = (q.memory_out + q.delta) & m_counter_mask;
            d.state = State::write;
            break;
        case State::write:
            write_memory(q.entry, q.sum);
            d.state = State::idle;
            if (delta_waits && !q.snapshot_request && !q.clear_request) {
                d.state = State::read;
                d.stream = next_stream(valid);
            }
            break;
        case State::snap_read:
            d.memory_out = m_memory[q.command_address];
            d.state = State::snap_write;
            break;
        case State::snap_write:
            write_memory(m_entries + q.command_address, q.memory_out);
            d.command_address = q.command_address + 1;
            d.state = d.command_address == m_entries ? State::idle : State::snap_read;
            break;
        case State::clear:
            write_memory(q.command_address, 0);
            d.command_address = q.command_address + 1;
            if (d.command_address == 2 * m_entries) d.state = State::idle;
            break;
    }

    // The memory write of this edge happens nevertheless.
    if (reset) {
        d.state = State::idle;
        d.snapshot_request = false;
        d.clear_request = false;
        d.stream = last_stream();
        d.command_address = 0;
    }
}

void TickingAccumulator::clock() {
    if (m_memory_write) m_memory[m_memory_address] = m_memory_data;
    m_q = m_d;
}

}  // namespace tlmetry::testing
