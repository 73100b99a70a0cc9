// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_fifo.hpp"

namespace tlmetry::testing {

TickingFifo::TickingFifo(std::uint32_t depth) : m_depth(depth), m_memory(depth) {}

void TickingFifo::set_reset(bool level) {
    m_reset_pin = level;
    if (!level) return;
    m_write_q.reset.set();
    m_read_q.reset.set();
    reset_write_registers(m_write_q);
    reset_read_registers(m_read_q);
}

void TickingFifo::reset_write_registers(WriteRegisters& registers) const {
    registers.count = 0;
    registers.count_out = 0;
    registers.read_sync1 = 0;
    registers.read_sync2 = 0;
    registers.read_sync3 = 0;
    registers.read_synced = 0;
    registers.full = true;
}

void TickingFifo::reset_read_registers(ReadRegisters& registers) const {
    registers.count = 0;
    registers.count_out = 0;
    registers.write_sync1 = 0;
    registers.write_sync2 = 0;
    registers.write_sync3 = 0;
    registers.write_synced = 0;
    registers.valid1 = false;
    registers.valid2 = false;
}

void TickingFifo::evaluate_write(bool write_enable, const Word& data) {
    const WriteRegisters& q = m_write_q;
    WriteRegisters& d = m_write_d;
    // Counters have one bit more than the memory address.
    const std::uint32_t wrap = 2 * m_depth - 1;

    const bool write_allow = write_enable && !q.full;
    const std::uint32_t next_count = (q.count + (write_allow ? 1 : 0)) & wrap;

    d.reset = q.reset.clocked(m_reset_pin);
    d.count = next_count;
    d.count_out = q.count;
    d.read_sync1 = m_read_q.count_out;
    d.read_sync2 = q.read_sync1;
    d.read_sync3 = q.read_sync2;
    d.read_synced = q.read_sync3;
    d.full = ((next_count - q.read_synced) & wrap) == m_depth;
    if (q.reset.out()) reset_write_registers(d);

    m_memory_write = write_allow;
    m_memory_data = data;
}

void TickingFifo::clock_write() {
    if (m_memory_write) m_memory[m_write_q.count & (m_depth - 1)] = m_memory_data;
    m_write_q = m_write_d;
}

void TickingFifo::evaluate_read(bool read_enable) {
    const ReadRegisters& q = m_read_q;
    ReadRegisters& d = m_read_d;
    const std::uint32_t wrap = 2 * m_depth - 1;

    const bool read_request = read_enable || !q.valid2;
    const bool memory_valid = q.count != q.write_synced;

    d = q;
    d.reset = q.reset.clocked(m_reset_pin);
    if (read_request) {
        if (memory_valid) d.count = (q.count + 1) & wrap;
        d.valid1 = memory_valid;
        d.data1 = m_memory[q.count & (m_depth - 1)];
        d.valid2 = q.valid1;
        d.data2 = q.data1;
    }
    d.count_out = q.count;
    d.write_sync1 = m_write_q.count_out;
    d.write_sync2 = q.write_sync1;
    d.write_sync3 = q.write_sync2;
    d.write_synced = q.write_sync3;
    if (q.reset.out()) reset_read_registers(d);
}

void TickingFifo::clock_read() {
    m_read_q = m_read_d;
}

}  // namespace tlmetry::testing
