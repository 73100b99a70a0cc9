// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/telemetry/delta_stream.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tlmetry::telemetry {

/// PCIE_TELEMETRY_ACC: the memory of wide counters, live and snapshot copy, and the machine that adds the
/// deltas of all streams to it one by one. Cycles are MI edges; nothing ticks: the machine goes from decision
/// to decision.
class Accumulator {
public:
    Accumulator(std::vector<DeltaStream>& streams, const ClockDomain& clock, std::uint32_t entries,
                std::uint32_t counter_width, bool starts_at_ones);

    /// Called with each delta when it leaves its FIFO, in the order of the hardware.
    void on_delta(std::function<void(std::uint32_t stream, const DeltaFifo::Word& word)> watch) {
        m_watch = std::move(watch);
    }
    bool watched() const { return static_cast<bool>(m_watch); }

    /// Goes through all edges below `end`. The streams must have been counted up to the time of edge `end`.
    void advance(cycle_t end);

    /// The pulse of a command written at MI edge `edge`; edges below it must have been gone through.
    void request_clear(cycle_t edge) { m_clear_requests.push(edge + 1); }
    void request_snapshot(cycle_t edge) { m_snapshot_requests.push(edge + 1); }

    /// MI_RESET is seen high at edge `edge` and all later ones until release().
    void reset(cycle_t edge);
    void release(cycle_t first_edge);
    /// The FIFO of a stream is about to be reset: a word that was selected but not read yet stays in its
    /// output register.
    void keep_selected(std::uint32_t stream);

    /// A command is latched or running, as seen by a register read sampled at `edge`, all edges below gone
    /// through.
    bool busy_at(cycle_t edge) const;

    std::uint64_t live(std::uint32_t entry) const { return m_live[entry]; }
    std::uint64_t snapshot(std::uint32_t entry) const { return m_snapshot[entry]; }

    /// Takes over the memory, both copies, of an accumulator with as many entries.
    void take_over_memory(const Accumulator& other) {
        m_live = other.m_live;
        m_snapshot = other.m_snapshot;
    }

    /// What has left a FIFO for counter `entry` and is not added yet.
    std::uint64_t being_added(std::uint32_t entry) const;

    /// Nothing is latched, running or waiting in a FIFO.
    bool empty() const;
    /// Edge before which the memory cannot change by what is known so far.
    cycle_t quiet_until() const;

    /// The machine is idle before `edge`, all FIFOs are empty, and what it did before no longer matters.
    void restart_idle(cycle_t edge);
    /// Adds a sum of deltas whose single steps nobody can see any more.
    void add(std::uint32_t entry, std::uint64_t sum) {
        m_live[entry] = (m_live[entry] + sum) & m_counter_mask;
    }

private:
    enum class State { idle, delta, snapshot, clear };

    void apply_reset();
    void leave_idle(cycle_t edge);
    void select(cycle_t edge);
    void pop_selected(cycle_t edge);
    bool serve_rounds(cycle_t limit);
    void finish_delta(cycle_t edge);
    void after_pop(std::uint32_t stream, cycle_t next_decision);
    void refresh_ready(cycle_t decision);
    bool delta_waits(cycle_t decision);
    bool latched(const SlidingQueue<cycle_t>& requests, cycle_t decision) const {
        return !requests.empty() && requests.front() < decision;
    }
    void take(SlidingQueue<cycle_t>& requests, cycle_t decision);

    std::vector<DeltaStream>& m_streams;
    const ClockDomain& m_clock;
    std::uint64_t m_counter_mask;
    std::uint32_t m_entries;
    std::vector<std::uint64_t> m_live;
    std::vector<std::uint64_t> m_snapshot;

    std::function<void(std::uint32_t, const DeltaFifo::Word&)> m_watch;

    State m_state = State::idle;
    cycle_t m_edge = 0;  // idle: first edge that may leave it; otherwise the edge that entered the state
    std::uint32_t m_done = 0;  // entries copied, words cleared
    cycle_t m_reset_from = never;
    cycle_t m_reset_to = never;

    // Edges at which a pulse sets the latch of its command.
    SlidingQueue<cycle_t> m_clear_requests;
    SlidingQueue<cycle_t> m_snapshot_requests;

    std::uint32_t m_last_stream;
    std::uint32_t m_selected = 0;
    bool m_popped = false;  // the selected word has left its FIFO
    bool m_kept =
        false;  // a reset has emptied the FIFO before that; m_word is what its output register holds
    DeltaFifo::Word m_word;
    std::uint64_t m_ready = 0;     // streams whose output is known to be valid
    cycle_t m_try_rounds = 0;      // edge from which on to look for whole rounds again
    cycle_t m_next_ready = never;  // earliest edge at which one of the others turns valid
};

}  // namespace tlmetry::telemetry
