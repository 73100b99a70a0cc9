// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint {

/// The free tags of the PTC in the order of their release: a FIFO of words, an input register, and a buffer
/// whose first tags the read ports show (README.md, Tag FIFO). All cycles are of the PCIe clock.
class TagFifo {
public:
    // Cycles from the header that brings a tag back to the pool level and to the output of the FIFO.
    static constexpr cycle_t pool_cycles = 2;
    static constexpr cycle_t output_cycles = 4;

    /// `start`: first cycle after a reset.
    TagFifo(std::uint32_t tags, std::uint32_t write_ports, std::uint32_t read_ports, cycle_t start);

    /// First cycle in which tags can be taken.
    cycle_t first_cycle() const { return m_first_cycle; }

    /// Tags come back together: their headers left in cycle `left`.
    void release(cycle_t left, std::uint32_t tag);

    /// First cycle from `cycle` on in which the pool holds `demand` tags; `never` while that is not known.
    cycle_t when_pooled(cycle_t cycle, std::uint32_t demand);
    /// First cycle from `cycle` on in which the ports show `demand` tags; `never` if it is not before `end`.
    /// All headers that leave before `end` have been told. Nothing is taken in between.
    cycle_t when_shown(cycle_t cycle, std::uint32_t demand, cycle_t end);

    /// The ports certainly show `demand` tags in cycle `cycle`, when all headers that leave before cycle
    /// `end` have been told.
    bool shows(cycle_t cycle, std::uint32_t demand, cycle_t end) {
        // The last cycle whose state is known, if the FIFO may run empty before others come.
        const cycle_t known = end + output_cycles - 1;
        const bool lasts = m_words.size() > m_takes.size() + m_items + 2;
        step_to(lasts ? cycle : std::min(cycle, known));
        // Behind that the buffer may only have got more than is known.
        return m_buffer >= demand + m_takes.size();
    }

    /// The next of the tags that are taken in cycle `cycle`, in which they are shown. Cycles never go back.
    std::uint32_t take(cycle_t cycle) {
        m_takes.push(cycle);
        ++m_taken;
        if (m_coming.size() > most_coming) count_returns(cycle);
        const std::uint32_t tag = m_order.front();
        m_order.pop();
        return tag;
    }

private:
    struct Word {
        cycle_t at_output = 0;
        std::uint32_t tags = 0;
    };

    /// Goes on to `cycle`; afterwards m_buffer holds what is there in it.
    void step_to(cycle_t cycle) {
        for (; !m_takes.empty() && m_takes.front() < cycle; m_takes.pop()) {
            pass(m_takes.front());
            --m_buffer;
        }
        pass(cycle);
    }
    void pass(cycle_t cycle);
    void step();
    /// Counts what has come back by `cycle`; nobody asks about an earlier one any more.
    void count_returns(cycle_t cycle);

    static constexpr std::size_t most_coming = 16;

    std::uint32_t m_capacity;
    std::uint32_t m_items;  // width of buffer words
    cycle_t m_first_cycle;
    SlidingQueue<std::uint16_t> m_order;  // of all free tags
    SlidingQueue<Word> m_words;           // behind the input register
    SlidingQueue<cycle_t> m_takes;        // not seen by the state below
    std::uint32_t m_input = 0;
    std::uint32_t m_buffer = 0;
    bool m_ready = true;
    cycle_t m_cycle = 0;  // the state is the one in this cycle
    // The pool level: tags taken, tags back, and when.
    std::uint64_t m_taken = 0;
    std::uint64_t m_back = 0;
    cycle_t m_back_at = 0;
    struct Return {
        cycle_t at = 0;
        std::uint32_t tags = 0;
    };
    SlidingQueue<Return> m_coming;
};

}  // namespace tlmetry::endpoint
