// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/channel_group.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

Closings::Closings(std::uint32_t channels)
    : m_channels(channels), m_rows(static_cast<std::size_t>(m_mask + 1) * channels, 0) {}

void Closings::make_room(std::int64_t window) {
    if (m_may_forget) {
        m_keep_from = window - m_mask;
        return;
    }
    const std::int64_t old_mask = m_mask;
    while (window - m_keep_from > m_mask)
        m_mask = m_mask * 2 + 1;
    std::vector<std::uint64_t> larger(static_cast<std::size_t>(m_mask + 1) * m_channels, 0);
    for (std::int64_t w = m_keep_from; w <= m_keep_from + old_mask; ++w) {
        const auto from = m_rows.begin() + static_cast<std::ptrdiff_t>((w & old_mask) * m_channels);
        std::copy(from, from + m_channels,
                  larger.begin() + static_cast<std::ptrdiff_t>((w & m_mask) * m_channels));
    }
    m_rows = std::move(larger);
}

void Closings::clear() {
    std::fill(m_rows.begin(), m_rows.end(), 0);
    m_keep_from = 0;
}

template <class Word>
ChannelGroup<Word>::ChannelGroup(Closings& closings, std::vector<std::uint32_t> channels, cycle_t input_delay)
    : m_closings(closings),
      m_channels(std::move(channels)),
      m_counts(m_channels.size(), 0),
      m_steps(m_channels.size(), 0),
      m_input_delay(input_delay) {}

template <class Word>
void ChannelGroup<Word>::restart(cycle_t first_cycle, const DrainTiming& timing) {
    m_timing = timing;
    m_closers.clear();
    for (std::uint32_t slot = 0; slot < slots_per_drain; ++slot) {
        Closer closer{static_cast<cycle_t>(slot) * timing.slot_cycles, {}};
        for (std::uint32_t i = 0; i < m_channels.size(); ++i) {
            if (m_channels[i] != no_channel && m_channels[i] % slots_per_drain == slot)
                closer.locals.push_back(i);
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
    if (end - m_position > 2 * m_timing.drain_period) pass_whole_windows(end);
    while (m_position < end) {
        const cycle_t stop = std::min(end, m_next_close);
        if (stop > m_position) {
            m_word.add(m_counts.data(), stop - m_position, m_open);
            m_position = stop;
        }
        if (m_position == m_next_close) close();
    }
}

/// A word that stands for whole windows: every total grows by the same amount from one window to the next.
template <class Word>
void ChannelGroup<Word>::pass_whole_windows(cycle_t end) {
    const cycle_t period = m_timing.drain_period;
    // Up to a moment at which no window is half closed; also, the first word settles the frame state.
    do {
        m_word.add(m_counts.data(), m_next_close - m_position, m_open);
        m_position = m_next_close;
        close();
    } while (m_next_closer != 0);
    const cycle_t last_close = close_cycle(m_closers.back());
    if (end < last_close) return;
    const std::int64_t windows = (end - last_close) / period + 1;

    std::fill(m_steps.begin(), m_steps.end(), 0);
    m_word.add(m_steps.data(), 1, m_open);
    // Windows that will have been forgotten need no row.
    const std::int64_t first =
        m_closings.may_forget() ? std::max<std::int64_t>(0, windows - m_closings.rows()) : 0;
    for (const Closer& closer : m_closers) {
        const auto cycles = static_cast<std::uint64_t>(close_cycle(closer) - m_position + first * period);
        for (const std::uint32_t i : closer.locals) {
            m_closings.set_line(m_window + first, windows - first, m_channels[i],
                                m_counts[i] + m_steps[i] * cycles,
                                m_steps[i] * static_cast<std::uint64_t>(period));
        }
    }
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        m_counts[i] += m_steps[i] * static_cast<std::uint64_t>(windows * period);
    }
    m_position += windows * period;
    m_window += windows;
    schedule();
}

template <class Word>
void ChannelGroup<Word>::close() {
    for (const std::uint32_t i : m_closers[m_next_closer].locals)
        m_closings.set(m_window, m_channels[i], m_counts[i]);
    if (++m_next_closer == m_closers.size()) {
        m_next_closer = 0;
        ++m_window;
    }
    schedule();
}

template <class Word>
void ChannelGroup<Word>::schedule() {
    m_next_close = close_cycle(m_closers[m_next_closer]);
}

template class ChannelGroup<MfbWord>;
template class ChannelGroup<MvbWord>;
template class ChannelGroup<BitsWord>;

}  // namespace tlmetry::telemetry
