// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/word.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tlmetry::telemetry {

/// Running totals of the channels of one probe at the moments at which they closed their windows. The delta
/// of a window is the difference of two neighbours, so nothing else has to be stored for it.
///
/// Windows are numbered from 1; at window 0 every total is 0. Rows of recent windows are kept: at least 16,
/// or all from keep_from() on unless forgetting is allowed.
class Closings {
public:
    explicit Closings(std::uint32_t channels);

    std::uint64_t at(std::int64_t window, std::uint32_t channel) const {
        return m_rows[place(window, channel)];
    }
    void set(std::int64_t window, std::uint32_t channel, std::uint64_t total) {
        if (window - m_keep_from > m_mask) make_room(window);
        m_rows[place(window, channel)] = total;
    }

    /// Totals of all channels at the end of a window; valid until a later window is set.
    const std::uint64_t* row(std::int64_t window) const { return &m_rows[place(window, 0)]; }
    /// Sets a total that grows by `growth` from each of `count` windows to the next.
    void set_line(std::int64_t window, std::int64_t count, std::uint32_t channel, std::uint64_t total,
                  std::uint64_t growth) {
        if (window + count - 1 - m_keep_from > m_mask) make_room(window + count - 1);
        for (std::int64_t w = window; w < window + count; ++w, total += growth)
            m_rows[place(w, channel)] = total;
    }

    /// Number of windows that are certainly there, counted back from the newest.
    std::int64_t rows() const { return m_mask + 1; }

    /// Allows rows of windows below `window` to be overwritten.
    void keep_from(std::int64_t window) { m_keep_from = window; }
    /// True: the oldest row goes when a new one comes, whether read or not.
    void allow_forgetting(bool allowed) { m_may_forget = allowed; }
    bool may_forget() const { return m_may_forget; }

    void clear();

private:
    std::size_t place(std::int64_t window, std::uint32_t channel) const {
        return static_cast<std::size_t>(window & m_mask) * m_channels + channel;
    }
    void make_room(std::int64_t window);

    std::uint32_t m_channels;
    std::int64_t m_mask = 15;
    std::int64_t m_keep_from = 0;
    bool m_may_forget = false;
    std::vector<std::uint64_t> m_rows;
};

/// When the channels of a probe close their windows: one tick every drain period, then slot after slot.
struct DrainTiming {
    cycle_t drain_period = 4096;
    cycle_t slot_cycles = 1;  ///< groups + 1
    cycle_t first_tick = never;

    DrainTiming() = default;
    DrainTiming(cycle_t period, const ProbeShape& shape)
        : drain_period(period), slot_cycles(static_cast<cycle_t>(shape.groups) + 1) {}

    /// Edge after which the tick of a window is high, windows counted from 1.
    cycle_t tick(std::int64_t window) const { return first_tick + (window - 1) * drain_period; }
};

/// Place of a counter that feeds no channel of its group.
inline constexpr std::uint32_t no_channel = ~std::uint32_t{0};

/// Channels that count one stream of words, sampled cycle by cycle in the clock of the probe but told as
/// words that are *held from* a cycle until the next one. Closes the windows of its own channels.
///
/// `Word` has add(counts, cycles, state). Not thread safe.
template <class Word>
class ChannelGroup {
public:
    /// `channels[i]` is the index in the probe of the channel that counts[i] of Word::add() feeds; no_channel
    /// for one that the word does not count. `input_delay`: registers between the pins and the probe's own
    /// input registers (1 for histogram bands).
    ChannelGroup(Closings& closings, std::vector<std::uint32_t> channels, cycle_t input_delay);

    /// From cycle `from` on the pins show `word`. Cycles must not go back.
    void hold(cycle_t from, const Word& word) {
        if (m_pending.empty() && from <= m_position) {
            m_word = word;
        } else {
            Pending& pending = m_pending.extend();
            pending.from = from;
            pending.word = word;
        }
    }

    /// Counts all cycles below `end`.
    void advance(cycle_t end) {
        while (!m_pending.empty() && m_pending.front().from < end) {
            run_to(m_pending.front().from);
            m_word = m_pending.front().word;
            m_pending.pop();
        }
        run_to(end);
    }

    /// Counts what `tally` knows of the cycles below `end`, in bulk and window by window, beside the words
    /// that are held. Cycles behind the last traffic may be left to advance(); traffic before a restart() is
    /// passed over.
    ///
    ///     cycle_t next() const    first cycle, not passed yet, in which something is to be counted
    ///     void pass(cycle_t end, std::uint64_t* counts, bool& open)
    ///                             adds what happens below `end` and has not been passed; `open` is the frame
    ///                             state
    template <class Tally>
    void advance(cycle_t end, Tally& tally) {
        const cycle_t before_start = m_running ? std::min(end, m_position) : end;
        if (tally.next() < before_start) {
            bool open = false;
            tally.pass(before_start, m_steps.data(), open);
        }
        while (tally.next() < end) {
            advance(std::max(tally.next(), m_position));
            const cycle_t limit = std::min(end, m_next_close);
            tally.pass(limit, m_counts.data(), m_open);
            advance(limit);
        }
    }

    /// Starts afresh after a reset: the first cycle counted is `first_cycle`.
    void restart(cycle_t first_cycle, const DrainTiming& timing);

    /// Counts all cycles below `edge` and none from there on until the next restart().
    void stop(cycle_t edge) {
        advance(edge);
        m_running = false;
        m_position = std::min(m_position, edge);
    }
    bool running() const { return m_running; }

    /// Adds to `total` what this group has counted for a channel of the probe since the last restart().
    void add_counted(std::uint32_t channel, std::uint64_t& total) const {
        for (std::size_t i = 0; i < m_channels.size(); ++i) {
            if (m_channels[i] == channel) total += m_counts[i];
        }
    }

private:
    struct Pending {
        cycle_t from = 0;
        Word word;
    };
    /// Channels that close their windows in the same cycle.
    struct Closer {
        cycle_t offset;                     // cycles after the tick
        std::vector<std::uint32_t> locals;  // indices into m_counts
    };
    cycle_t close_cycle(const Closer& closer) const {
        // The capture of slot s at edge tick + 2 + s*slot_cycles holds pins sampled up to three edges before
        // it.
        return m_timing.tick(m_window) + closer.offset - m_input_delay;
    }

    void run_to(cycle_t end);
    void pass_whole_windows(cycle_t end);
    void close();
    void schedule();

    Closings& m_closings;
    std::vector<std::uint32_t> m_channels;
    std::vector<std::uint64_t> m_counts;
    std::vector<std::uint64_t> m_steps;  // of one cycle, while whole windows pass; else of no meaning
    std::vector<Closer> m_closers;
    DrainTiming m_timing;
    cycle_t m_input_delay;

    SlidingQueue<Pending> m_pending;
    Word m_word;
    bool m_open = false;  // frame state
    bool m_running = false;
    cycle_t m_position = 0;  // first cycle that is not counted yet
    cycle_t m_next_close = never;
    std::int64_t m_window = 1;  // the one that is open
    std::size_t m_next_closer = 0;
};

extern template class ChannelGroup<MfbWord>;
extern template class ChannelGroup<MvbWord>;
extern template class ChannelGroup<BitsWord>;

}  // namespace tlmetry::telemetry
