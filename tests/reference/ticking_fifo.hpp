// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace tlmetry::testing {

/// Reset synchroniser: three flip-flops set asynchronously, a zero shifts through them. They are set at
/// power-up.
struct ResetSynchroniser {
    bool ff1 = true;
    bool ff2 = true;
    bool ff3 = true;

    bool out() const { return ff3; }
    void set() { ff1 = ff2 = ff3 = true; }
    /// State after one clock edge with the given level of the asynchronous reset.
    ResetSynchroniser clocked(bool asynchronous_reset) const {
        if (asynchronous_reset) return {};
        return {false, ff1, ff2};
    }
};

/// The dual clock FIFO between a probe and the MI clock, with its two output registers. evaluate_* compute
/// the next state of one clock from the present state of both; clock_* are the edges themselves.
class TickingFifo {
public:
    struct Word {
        std::uint32_t index = 0;
        std::uint64_t delta = 0;
    };

    explicit TickingFifo(std::uint32_t depth);

    /// The level both sides' synchronisers see: the reset of the write side or the reset of the read side.
    void set_reset(bool level);

    bool full() const { return m_write_q.full; }
    void evaluate_write(bool write_enable, const Word& data);
    void clock_write();

    bool valid() const { return m_read_q.valid2; }
    const Word& data() const { return m_read_q.data2; }
    void evaluate_read(bool read_enable);
    void clock_read();

private:
    struct WriteRegisters {
        ResetSynchroniser reset;
        // all below: asynchronously reset by reset.out()
        std::uint32_t count = 0;
        std::uint32_t count_out = 0;  // leaves for the read clock
        std::uint32_t read_sync1 = 0;
        std::uint32_t read_sync2 = 0;
        std::uint32_t read_sync3 = 0;
        std::uint32_t read_synced = 0;
        bool full = true;
    };
    struct ReadRegisters {
        ResetSynchroniser reset;
        // asynchronously reset by reset.out()
        std::uint32_t count = 0;
        std::uint32_t count_out = 0;  // leaves for the write clock
        std::uint32_t write_sync1 = 0;
        std::uint32_t write_sync2 = 0;
        std::uint32_t write_sync3 = 0;
        std::uint32_t write_synced = 0;
        bool valid1 = false;
        bool valid2 = false;
        // never reset
        Word data1;
        Word data2;
    };

    void reset_write_registers(WriteRegisters& registers) const;
    void reset_read_registers(ReadRegisters& registers) const;

    std::uint32_t m_depth;
    bool m_reset_pin = true;
    std::vector<Word> m_memory;
    WriteRegisters m_write_q;
    WriteRegisters m_write_d;
    ReadRegisters m_read_q;
    ReadRegisters m_read_d;
    bool m_memory_write = false;
    Word m_memory_data;
};

}  // namespace tlmetry::testing
