// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/telemetry/channel_group.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace tlmetry::telemetry {

/// One delta on its way into the FIFO of its probe.
struct DeltaWrite {
    cycle_t edge = never;     ///< edge at which the FIFO sees the write
    std::int64_t window = 0;  ///< drain window, from 1
    std::uint32_t channel = 0;
};

/// PCIE_TELEMETRY_PROBE as a plain class: counts the words of its buses and its bits, window by window, and
/// lists the writes into its FIFO in time order. Cycles are edges of its own clock; nothing ticks.
///
/// The buses are told by mfb(), mvb(), brakes() and bands() as words held from a cycle on; advance() counts
/// them.
class Probe {
public:
    /// `max_step`: the most items that one word can carry.
    Probe(const ProbeShape& shape, cycle_t drain_period, std::uint32_t max_step, const ClockDomain& clock);

    const ProbeShape& shape() const { return m_shape; }
    const ClockDomain& clock() const { return m_clock; }

    ChannelGroup<MfbWord>& mfb(std::uint32_t bus) { return m_mfb[bus]; }
    ChannelGroup<MvbWord>& mvb(std::uint32_t bus) { return m_mvb[bus]; }
    /// BRAKE pins: bit k is channel k of the brakes. Only the PCIe probe has them.
    ChannelGroup<BitsWord>& brakes() { return *m_brakes; }
    /// Histogram bands as the values that select them appear on the pins, one cycle before BRAKE.
    ChannelGroup<BitsWord>& bands() { return *m_bands; }

    /// Counts all cycles below `end`. With `may_forget` only the newest windows are kept.
    void advance(cycle_t end, bool may_forget);

    /// Counts what `tally` knows of the cycles below `end` into one of its groups (ChannelGroup::advance).
    template <class Word, class Tally>
    void advance(ChannelGroup<Word>& group, cycle_t end, Tally& tally) {
        m_closings.keep_from(m_next.window - 1);
        if (end > m_stop_edge) {
            group.advance(m_stop_edge, tally);
            group.stop(m_stop_edge);
        }
        group.advance(end, tally);
        find_totals();
    }

    /// The probe's reset is seen high at edge `edge` and all later ones until restart().
    void stop(cycle_t edge);
    /// Takes a stop() back: the reset was over before an edge saw it.
    void resume();
    /// First edge at which neither reset is seen, and the first at which the probe's own RESET pin is not.
    void restart(cycle_t first_edge, cycle_t first_edge_without_pin_reset);
    bool running() const { return m_stop_edge == never && m_timing.first_tick != never; }

    /// Edge after which the tick of window `window` is high; `never` if a reset comes first.
    cycle_t tick(std::int64_t window) const;
    const DrainTiming& timing() const { return m_timing; }

    /// The next write into the FIFO (edge `never` while in reset).
    const DeltaWrite& next_write() const { return m_next; }
    void pop_write() {
        if (++m_sweep_step == m_sweep.size()) {
            m_sweep_step = 0;
            ++m_next.window;
            m_next_tick += m_timing.drain_period;
            find_totals();
        }
        place_write();
    }
    /// Drops all writes before edge `end` and returns their number.
    std::uint64_t drop_writes(cycle_t end);
    /// Value of the next write; its window must have been counted.
    std::uint64_t next_delta() const {
        if (m_next.channel == 0) return total(m_next.window, 0) - total(m_next.window - 1, 0);
        return (m_next_totals[m_next.channel] - m_last_totals[m_next.channel]) & m_counter_mask;
    }
    /// All counts of a channel up to the end of a window, modulo 2^64.
    std::uint64_t total(std::int64_t window, std::uint32_t channel) const {
        if (channel != 0) return m_closings.at(window, channel);
        // Elapsed cycles: the first window is one short.
        return window == 0 ? 0 : static_cast<std::uint64_t>(window * m_timing.drain_period - 1);
    }
    /// What has been counted for a channel and is not in a write taken so far.
    std::uint64_t not_written(std::uint32_t channel) const;
    /// Continues with the first write of window `window`; the ones before were taken as a whole.
    void skip_writes_to(std::int64_t window);
    /// The next write is the first of its sweep.
    bool between_sweeps() const { return m_sweep_step == 0; }
    /// No window that is not written yet can have overflowed its counter.
    bool past_first_window() const { return m_next.window > 1; }
    /// Cycles from a tick to the first and to the last write of its sweep.
    cycle_t first_write_offset() const { return m_sweep.front().offset; }
    cycle_t last_write_offset() const { return m_sweep.back().offset; }

private:
    struct SweepStep {
        cycle_t offset;  // cycles from the tick to the write
        std::uint32_t channel;
    };
    void place_write() {
        m_next.channel = m_sweep[m_sweep_step].channel;
        m_next.edge = m_next_tick + m_sweep[m_sweep_step].offset;
        if (m_next.edge >= m_stop_edge) m_next.edge = never;
    }
    void find_totals() {
        m_next_totals = m_closings.row(m_next.window);
        m_last_totals = m_closings.row(m_next.window - 1);
    }
    template <class Apply>
    void each_group(const Apply& apply);

    ProbeShape m_shape;
    const ClockDomain& m_clock;
    Closings m_closings;
    DrainTiming m_timing;
    std::uint64_t m_counter_mask;
    std::vector<ChannelGroup<MfbWord>> m_mfb;
    std::vector<ChannelGroup<MvbWord>> m_mvb;
    std::unique_ptr<ChannelGroup<BitsWord>> m_brakes;
    std::unique_ptr<ChannelGroup<BitsWord>> m_bands;
    std::vector<SweepStep> m_sweep;
    std::size_t m_sweep_step = 0;
    DeltaWrite m_next;
    cycle_t m_next_tick = never;                   // of its window
    const std::uint64_t* m_next_totals = nullptr;  // at the end of its window
    const std::uint64_t* m_last_totals = nullptr;  // at the end of the window before
    cycle_t m_stop_edge = never;
    cycle_t m_counted_to = 0;
};

}  // namespace tlmetry::telemetry
