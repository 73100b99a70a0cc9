// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/returns.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// One crossing towards a DMA port and the bus behind it, word by word: MFB or MVB of DOWN.
class DownBus {
public:
    DownBus(const Config& config, const Edges& pcie, const Edges& dma, Duty duty)
        : m_to_dma(pcie, dma, config.ptc.sync_cycles),
          m_limit(config.ptc.down_fifo_words - config.ptc.down_almost_full),
          m_duty(duty),
          m_runs(duty.always() && pcie.period_fs() <= dma.period_fs()),
          m_slack(slack(m_limit, pcie.period_fs(), dma.period_fs(), m_duty)),
          m_left(Crossing(dma, pcie, config.ptc.sync_cycles)) {}

    /// First P cycle from `cycle` on in which the crossing is not almost full, if nothing is written.
    cycle_t when_room(cycle_t cycle) {
        return m_written < m_limit ? cycle : std::max(cycle, m_left.when(m_written + 1 - m_limit));
    }
    void restart(cycle_t first) {
        m_written = 0;
        m_moved = first - 1;
        m_left.restart();
    }
    /// Words that are written one a cycle move one a cycle.
    bool runs() const { return m_runs; }

    /// D cycle from which on a word that is written in P cycle `cycle` can be presented.
    cycle_t crossed(cycle_t cycle) const { return m_to_dma(cycle); }
    const Crossing& crossing() const { return m_to_dma; }
    /// D cycle in which the last word moves.
    cycle_t moved() const { return m_moved; }
    /// As long as the last of the words that are written moves at most so long after the first of them has
    /// crossed, the crossing is far from full, and will be until all of that has left: nobody has to remember
    /// when. Negative: never.
    cycle_t slack() const { return m_slack; }
    /// Words that leave the storage FIFO behind others without a gap.
    void write_behind(std::uint32_t words) {
        m_written += words;
        m_left.give(m_moved + 1, words);
        m_moved += words;
    }
    /// With slack, words have been written of which the last moves in D cycle `moved`. They count as left.
    void flowed(cycle_t moved) {
        m_moved = moved;
        m_left.forget();
    }

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
        m_left.give(first, words);
        return first;
    }

private:
    /// With so many words in the crossing, before it could be full of further ones they have left, and P has
    /// seen it: half of what is left for those that leave in the meantime, less the cycles of both crossings.
    static cycle_t slack(std::uint64_t limit, time_fs pcie_period, time_fs dma_period, const Duty& duty) {
        constexpr cycle_t crossing_cycles = 32;
        if (!duty.always()) return -never;
        return static_cast<cycle_t>(limit) * pcie_period / (2 * (pcie_period + dma_period)) - crossing_cycles;
    }

    Crossing m_to_dma;
    std::uint64_t m_limit;
    Duty m_duty;
    bool m_runs;
    cycle_t m_slack;
    std::uint64_t m_written = 0;
    cycle_t m_moved = -1;
    LeavingWords m_left;
};

/// The DOWN buses of one DMA port.
class DownPort {
public:
    DownPort(const Config& config, const Edges& pcie, const Edges& dma)
        : m_mfb(config, pcie, dma, config.down_mfb), m_mvb(config, pcie, dma, config.down_mvb) {}

    DownBus& mfb_bus() { return m_mfb; }
    DownBus& mvb_bus() { return m_mvb; }
    const DownBus& mfb_bus() const { return m_mfb; }
    const DownBus& mvb_bus() const { return m_mvb; }

    /// Opens a word of the MFB, written in P cycle `cycle`.
    void open_word(cycle_t cycle) {
        m_word = m_mfb.write(cycle);
        m_empty = true;
    }
    /// Adds regions of a frame to it.
    void add(std::uint32_t first_region, std::uint32_t regions, bool sof, bool eof,
             std::uint32_t last_items) {
        put(m_word.presented, m_word.moved, first_region, regions, m_empty, sof, eof, last_items);
        m_empty = false;
        m_next_moved = m_word.moved + 1;
    }
    cycle_t word_moved() const { return m_word.moved; }

    /// Opens `words` words of the MFB, written one a cycle from P cycle `cycle` on.
    void open_words(cycle_t cycle, std::uint32_t words) {
        if (m_mfb.runs()) {
            const cycle_t first = m_mfb.write_run(cycle, words);
            m_word = {first, first};
            m_next_word = ~0u;
        } else {
            m_words.clear();
            for (std::uint32_t w = 0; w < words; ++w)
                m_words.push_back(m_mfb.write(cycle + w));
            m_next_word = 0;
        }
    }
    /// Adds regions of a frame to them, from the `place`-th region of all on.
    void add_to_words(const Regions& width, std::uint32_t place, std::uint32_t regions, bool sof, bool eof,
                      std::uint32_t last_items) {
        if (m_next_word == ~0u) {
            const std::uint32_t first = width.place(place);
            const cycle_t moved = m_word.moved + width.words(place);
            const std::uint32_t words = width.touched(first, regions);
            put(moved, moved, first, regions, first == 0, sof, eof, last_items);
            m_next_moved = moved + words;
            return;
        }
        while (regions != 0) {
            const std::uint32_t first = width.place(place);
            const std::uint32_t here = std::min(regions, width.count() - first);
            const DownBus::Word& word = m_words[width.words(place)];
            put(word.presented, word.moved, first, here, first == 0, sof, eof && here == regions, last_items);
            m_next_moved = word.moved + 1;
            m_word = word;
            sof = false;
            place += here;
            regions -= here;
        }
    }
    /// D cycle of the last word of what was added last.
    cycle_t words_moved() const { return m_next_moved - 1; }

    /// Writes a word of headers in P cycle `cycle`; tells when it has moved.
    cycle_t write_headers(cycle_t cycle, std::uint32_t items) {
        const DownBus::Word word = m_mvb.write(cycle);
        mvb.push({word.presented, word.moved, items});
        return word.moved;
    }
    /// Adds regions of one frame, in words that have been written and move one a cycle from `moved` on.
    void add_flowing(cycle_t moved, std::uint32_t first_region, std::uint32_t regions, std::uint32_t words,
                     bool sof, bool eof, std::uint32_t last_items) {
        put(moved, moved, first_region, regions, first_region == 0, sof, eof, last_items);
        m_next_moved = moved + words;
    }
    /// The same of whole frames by their sum, up to the word that moves in cycle `moved`.
    void add_sum(const FrameSum& sum, cycle_t moved) {
        mfb.add_sum(sum, moved);
        m_continues = false;
    }
    /// Observers have taken pieces from the log: what comes next is a piece of its own.
    void cut() { m_continues = false; }

    /// In reset from D cycle `from` on, afresh from `first` on.
    void restart(std::uint32_t regions, cycle_t from, cycle_t first) {
        end_log(mfb, regions, from);
        end_log(mvb, from);
        m_mfb.restart(first);
        m_mvb.restart(first);
        m_continues = false;
    }

    MfbLog mfb;
    MvbLog mvb;

private:
    void put(cycle_t presented, cycle_t moved, std::uint32_t first_region, std::uint32_t regions, bool opens,
             bool sof, bool eof, std::uint32_t last_items) {
        if (opens && !sof && m_continues && moved == m_next_moved && presented == moved) {
            Piece& piece = mfb.back();
            piece.regions += regions;
            if (eof) piece.flags |= Piece::eof_flag;
            piece.last_items = static_cast<std::uint16_t>(last_items);
        } else {
            Piece& piece = mfb.extend();
            piece.presented = presented;
            piece.moved = moved;
            piece.regions = regions;
            piece.first_region = static_cast<std::uint8_t>(first_region);
            piece.last_items = static_cast<std::uint16_t>(last_items);
            piece.flags = Piece::flags_of(opens, sof, eof);
        }
        m_continues = !eof;
    }

    DownBus m_mfb;
    DownBus m_mvb;
    DownBus::Word m_word;
    std::vector<DownBus::Word> m_words;  // of one output word, where they do not move one a cycle
    std::uint32_t m_next_word = 0;       // ~0: they do, from m_word on
    bool m_empty = true;
    bool m_continues = false;
    cycle_t m_next_moved = -1;
};

}  // namespace tlmetry::endpoint
