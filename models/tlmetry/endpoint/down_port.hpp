// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/returns.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint {

/// One crossing towards a DMA port and the bus behind it, word by word: MFB or MVB of DOWN.
class DownBus {
public:
    DownBus(const Config& config, const Edges& pcie, const Edges& dma, Duty duty)
        : m_to_dma(pcie, dma, config.ptc.sync_cycles),
          m_limit(config.ptc.down_fifo_words - config.ptc.down_almost_full),
          m_duty(duty),
          m_runs(duty.always() && pcie.period_fs() <= dma.period_fs()),
          m_left(Crossing(dma, pcie, config.ptc.sync_cycles)) {}

    /// First P cycle from `cycle` on in which the crossing is not almost full, if nothing is written.
    cycle_t when_room(cycle_t cycle) {
        return m_left.room(m_limit, m_written, cycle) != 0 ? cycle : m_left.when_room(m_limit, m_written);
    }
    /// It is certainly not almost full while `words` are written from P cycle `cycle` on.
    bool has_room(cycle_t cycle, std::uint32_t words) {
        return m_left.room(m_limit, m_written, cycle, words) >= words;
    }
    /// Words that are written one a cycle move one a cycle.
    bool runs() const { return m_runs; }

    struct Word {
        cycle_t presented = 0;
        cycle_t moved = 0;
    };
    /// Writes a word in P cycle `cycle`; tells its D cycles.
    Word write(cycle_t cycle) {
        ++m_written;
        const cycle_t presented = std::max(m_moved + 1, m_to_dma(cycle));
        m_moved = m_duty.next(presented);
        m_left.give(m_moved, 1);
        return {presented, m_moved};
    }
    /// Writes words one a cycle from P cycle `cycle` on; tells the D cycle of the first. Needs runs().
    cycle_t write_run(cycle_t cycle, std::uint32_t words) {
        m_written += words;
        const cycle_t first = std::max(m_moved + 1, m_to_dma(cycle));
        m_moved = first + words - 1;
        m_left.give_run(first, words);
        return first;
    }

private:
    Crossing m_to_dma;
    std::uint64_t m_limit;
    Duty m_duty;
    bool m_runs;
    std::uint64_t m_written = 0;
    cycle_t m_moved = -1;
    FreedWords m_left;
};

/// The DOWN buses of one DMA port.
class DownPort {
public:
    DownPort(const Config& config, const Edges& pcie, const Edges& dma)
        : m_mfb(config, pcie, dma, config.down_mfb), m_mvb(config, pcie, dma, config.down_mvb) {}

    DownBus& mfb_bus() { return m_mfb; }
    DownBus& mvb_bus() { return m_mvb; }

    /// A whole frame whose words are written one a cycle from P cycle `cycle` on, alone in them. Tells the D
    /// cycle of the last.
    cycle_t write_frame(cycle_t cycle, std::uint32_t words, std::uint32_t regions, std::uint32_t last_items) {
        const cycle_t first = m_mfb.write_run(cycle, words);
        mfb.push({first, first, regions, 0, static_cast<std::uint8_t>(last_items), true, true, true});
        m_continues = false;
        return first + words - 1;
    }

    /// Opens a word of the MFB, written in P cycle `cycle`.
    void open_word(cycle_t cycle) {
        m_word = m_mfb.write(cycle);
        m_empty = true;
    }
    /// Adds regions of a frame to it.
    void add(std::uint32_t first_region, std::uint32_t regions, bool sof, bool eof,
             std::uint32_t last_items) {
        const bool opens = m_empty;
        m_empty = false;
        if (opens && !sof && m_continues && m_word.moved == m_next_moved &&
            m_word.presented == m_word.moved) {
            Piece& piece = mfb.back();
            piece.regions += regions;
            piece.eof = eof;
            piece.last_items = static_cast<std::uint8_t>(last_items);
        } else {
            mfb.push({m_word.presented, m_word.moved, regions, static_cast<std::uint8_t>(first_region),
                      static_cast<std::uint8_t>(last_items), opens, sof, eof});
        }
        m_continues = !eof;
        m_next_moved = m_word.moved + 1;
    }
    cycle_t word_moved() const { return m_word.moved; }

    /// Writes a word of headers in P cycle `cycle`; tells when it has moved.
    cycle_t write_headers(cycle_t cycle, std::uint32_t items) {
        const DownBus::Word word = m_mvb.write(cycle);
        mvb.push({word.presented, word.moved, items});
        return word.moved;
    }
    /// Observers have taken pieces from the log: what comes next is a piece of its own.
    void cut() { m_continues = false; }

    MfbLog mfb;
    MvbLog mvb;

private:
    DownBus m_mfb;
    DownBus m_mvb;
    DownBus::Word m_word;
    bool m_empty = true;
    bool m_continues = false;
    cycle_t m_next_moved = -1;
};

}  // namespace tlmetry::endpoint
