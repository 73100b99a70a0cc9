// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/telemetry/delta_fifo.hpp>
#include <tlmetry/telemetry/lost_flag.hpp>
#include <tlmetry/telemetry/probe.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::telemetry {

/// The deltas of one probe on their way through its FIFO: takes the probe's writes in time order, drops those
/// that meet a full FIFO and remembers that in the flag.
///
/// Whether a write is dropped depends on reads before it, and when a word reaches the output depends on
/// writes before it. So writes are taken only as far as the reader needs (prefetch) and then, once it has
/// told all its reads up to a time, up to that time (catch_up).
class DeltaStream {
public:
    DeltaStream(Probe& probe, const ClockDomain& mi_clock, std::uint32_t first_entry)
        : m_probe(&probe),
          m_fifo(probe.shape().fifo_depth, probe.clock(), mi_clock),
          m_flag(probe.clock()),
          m_first_entry(first_entry) {}

    Probe& probe() { return *m_probe; }
    const Probe& probe() const { return *m_probe; }
    DeltaFifo& fifo() { return m_fifo; }
    const DeltaFifo& fifo() const { return m_fifo; }
    LostFlag& flag() { return m_flag; }
    std::uint32_t first_entry() const { return m_first_entry; }

    /// Writes at probe edges below `edge` may be taken from now on: their windows have been counted.
    void counted_to(cycle_t edge) {
        m_end = edge;
        m_fifo.update();
    }

    /// Makes the two oldest words known, as far as they are written yet: the reader's next moves depend on
    /// both.
    void prefetch() {
        while (m_fifo.size() < 2 && m_probe->next_write().edge < m_end)
            take_write();
    }

    /// Takes all writes counted so far.
    void catch_up() {
        take_writes(m_end);
        m_flag.advance(m_end);
    }

    /// Takes the writes before time `t`, as far as they have been counted; all reads before it must have been
    /// told.
    void take_writes_before(time_fs t) {
        if (m_probe->next_write().edge < m_end)
            take_writes(std::min(m_end, m_probe->clock().first_at_or_after(t)));
    }

    /// Deltas that met a full FIFO since the start (statistics; the hardware has only the flag).
    std::uint64_t dropped() const { return m_dropped; }

private:
    void take_writes(cycle_t end) {
        while (m_probe->next_write().edge < end) {
            if (take_write()) continue;
            // Once the flag is set, further drops change nothing; they end when room comes.
            if (m_flag.stays_set()) m_dropped += m_probe->drop_writes(std::min(end, m_fifo.room_from()));
        }
    }

    /// False if the write is dropped.
    bool take_write() {
        const DeltaWrite& write = m_probe->next_write();
        const bool full = m_fifo.full_at(write.edge);
        if (full) {
            m_flag.set(write.edge);
            ++m_dropped;
        } else {
            m_fifo.write(write.edge, {m_probe->next_delta(), write.channel});
        }
        m_probe->pop_write();
        return !full;
    }

    Probe* m_probe;
    DeltaFifo m_fifo;
    LostFlag m_flag;
    std::uint32_t m_first_entry;
    cycle_t m_end = 0;
    std::uint64_t m_dropped = 0;
};

}  // namespace tlmetry::telemetry
