// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/channel_group.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

Closings::Closings(std::uint32_t channels)
    : m_channels(channels), m_rows(static_cast<std::size_t>(m_mask + 1) * channels, 0) {}

void Closings::set(std::int64_t window, std::uint32_t channel, std::uint64_t total) {
    if (window - m_keep_from > m_mask) make_room(window);
    m_rows[place(window, channel)] = total;
}

void Closings::make_room(std::int64_t window) {
    if (m_may_forget) {
        m_keep_from = window - m_mask;
        return;
    }
    const std::int64_t old_mask = m_mask;
    while (window - m_keep_from > m_mask) m_mask = m_mask * 2 + 1;
    std::vector<std::uint64_t> larger(static_cast<std::size_t>(m_mask + 1) * m_channels, 0);
    for (std::int64_t w = std::max(m_keep_from, window - old_mask - 1); w < window; ++w) {
        const auto from = m_rows.begin() + static_cast<std::ptrdiff_t>((w & old_mask) * m_channels);
        std::copy(from, from + m_channels, larger.begin() + static_cast<std::ptrdiff_t>((w & m_mask) * m_channels));
    }
    m_rows = std::move(larger);
}

void Closings::clear() {
    std::fill(m_rows.begin(), m_rows.end(), 0);
    m_keep_from = 0;
}

template <class Word>
ChannelGroup<Word>::ChannelGroup(Closings& closings, std::vector<std::uint32_t> channels, cycle_t input_delay)
    : m_closings(closings), m_channels(std::move(channels)), m_counts(m_channels.size(), 0), m_input_delay(input_delay) {}

template <class Word>
void ChannelGroup<Word>::restart(cycle_t first_cycle, const DrainTiming& timing) {
    m_timing = timing;
    m_closers.clear();
    for (std::uint32_t slot = 0; slot < slots_per_drain; ++slot) {
        Closer closer{static_cast<cycle_t>(slot) * timing.slot_cycles, {}};
        for (std::uint32_t i = 0; i < m_channels.size(); ++i) {
            if (m_channels[i] != no_channel && m_channels[i] % slots_per_drain == slot) closer.locals.push_back(i);
        }
        if (!closer.locals.empty()) m_closers.push_back(std::move(closer));
    }
    std::fill(m_counts.begin(), m_counts.end(), 0);
    m_open = false;
    m_running = true;
    m_position = first_cycle;
    m_window = 1;
    m_next_closer = 0;
    schedule();
    // Words held from a cycle up to the first one are the past; only the last of them still shows.
    while (!m_pending.empty() && m_pending.front().from <= first_cycle) {
        m_word = m_pending.front().word;
        m_pending.pop();
    }
}

template <class Word>
void ChannelGroup<Word>::run_to(cycle_t end) {
    if (!m_running || end <= m_position) return;
    // A long stretch of one word passes whole periods at once: only the last windows can still be asked for.
    const cycle_t period = m_timing.drain_period;
    if (m_closings.may_forget() && end - m_position > (m_closings.rows() + 2) * period) {
        const cycle_t periods = (end - m_position) / period - m_closings.rows();
        m_word.add(m_counts.data(), periods * period, m_open);
        m_position += periods * period;
        m_window += periods;
        m_next_close += periods * period;
    }
    while (m_position < end) {
        const cycle_t stop = std::min(end, m_next_close);
        if (stop > m_position) {
            m_word.add(m_counts.data(), stop - m_position, m_open);
            m_position = stop;
        }
        if (m_position == m_next_close) close();
    }
}

template <class Word>
void ChannelGroup<Word>::close() {
    for (const std::uint32_t i : m_closers[m_next_closer].locals) m_closings.set(m_window, m_channels[i], m_counts[i]);
    if (++m_next_closer == m_closers.size()) {
        m_next_closer = 0;
        ++m_window;
    }
    schedule();
}

template <class Word>
void ChannelGroup<Word>::schedule() {
    // The capture of slot s at edge tick + 2 + s*slot_cycles holds pins sampled up to three edges before it.
    m_next_close = m_timing.tick(m_window) + m_closers[m_next_closer].offset - m_input_delay;
}

template class ChannelGroup<MfbWord>;
template class ChannelGroup<MvbWord>;
template class ChannelGroup<BitsWord>;

}  // namespace tlmetry::telemetry
