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
          m_to_pcie(dma, pcie, config.ptc.sync_cycles),
          m_limit(config.ptc.down_fifo_words - config.ptc.down_almost_full),
          m_duty(duty) {}

    /// First P cycle in which the crossing is not almost full, as far as it is filled up to now.
    cycle_t room() { return m_left.when_room(m_limit, m_written, 1); }

    struct Word {
        cycle_t presented = 0;
        cycle_t moved = 0;
    };
    /// Writes a word in P cycle `cycle`; tells its D cycles.
    Word write(cycle_t cycle) {
        ++m_written;
        const cycle_t presented = std::max(m_moved + 1, m_to_dma(cycle));
        m_moved = m_duty.next(presented);
        m_left.give(m_to_pcie(m_moved), 1);
        return {presented, m_moved};
    }

private:
    Crossing m_to_dma;
    Crossing m_to_pcie;
    std::uint64_t m_limit;
    Duty m_duty;
    std::uint64_t m_written = 0;
    cycle_t m_moved = -1;
    Returns m_left;  // P
};

/// The DOWN buses of one DMA port.
class DownPort {
public:
    DownPort(const Config& config, const Edges& pcie, const Edges& dma)
        : m_mfb(config, pcie, dma, config.down_mfb), m_mvb(config, pcie, dma, config.down_mvb) {}

    cycle_t mfb_room() { return m_mfb.room(); }
    cycle_t mvb_room() { return m_mvb.room(); }

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
