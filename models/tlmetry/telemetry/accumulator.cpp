// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/accumulator.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

Accumulator::Accumulator(std::vector<DeltaStream>& streams, const ClockDomain& clock, std::uint32_t entries,
                         std::uint32_t counter_width, bool starts_at_ones)
    : m_streams(streams),
      m_clock(clock),
      m_counter_mask(counter_width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << counter_width) - 1),
      m_entries(entries),
      m_live(entries, starts_at_ones ? m_counter_mask : 0),
      m_snapshot(m_live),
      m_last_stream(static_cast<std::uint32_t>(streams.size()) - 1) {}

void Accumulator::advance(cycle_t end) {
    m_ready = 0;
    m_next_ready = 0;
    for (auto& stream : m_streams)
        stream.prefetch();

    while (true) {
        // The edge at which something happens next in this state.
        cycle_t next = never;
        switch (m_state) {
            case State::idle: {
                cycle_t wake = never;
                if (!m_clear_requests.empty()) wake = m_clear_requests.front() + 1;
                if (!m_snapshot_requests.empty()) wake = std::min(wake, m_snapshot_requests.front() + 1);
                if (m_ready == 0) refresh_ready(m_edge);
                wake = std::min(wake, m_ready != 0 ? m_edge : m_next_ready + 1);
                next = std::max(m_edge, wake);
                break;
            }
            case State::delta:
                next = m_popped ? m_edge + 3 : m_edge + 1;
                break;
            case State::snapshot:
                next = m_edge + 2 * (static_cast<cycle_t>(m_done) + 1);
                break;
            case State::clear:
                next = m_edge + static_cast<cycle_t>(m_done) + 1;
                break;
        }
        const cycle_t limit = std::min(end, m_reset_from + 1);
        // At the edge that sees the reset first, a write in progress is still done.
        if (next >= limit || (next == m_reset_from && m_state == State::idle)) {
            if (m_reset_from >= end) return;
            apply_reset();
            if (m_reset_from != never) return;  // its end is not known yet
            continue;
        }
        switch (m_state) {
            case State::idle:
                leave_idle(next);
                break;
            case State::delta:
                do {
                    if (m_edge >= m_try_rounds && serve_rounds(limit)) continue;
                    if (!m_popped) pop_selected(m_edge + 1);
                    if (m_edge + 3 >= limit) break;
                    finish_delta(m_edge + 3);
                } while (m_state == State::delta && m_edge + 1 < limit);
                break;
            case State::snapshot:
                m_snapshot[m_done] = m_live[m_done];
                if (++m_done == m_entries) {
                    m_state = State::idle;
                    m_edge = next + 1;
                }
                break;
            case State::clear:
                (m_done < m_entries ? m_live : m_snapshot)[m_done % m_entries] = 0;
                if (++m_done == 2 * m_entries) {
                    m_state = State::idle;
                    m_edge = next + 1;
                }
                break;
        }
    }
}

/// While the streams that have words stay the same, the machine serves one after the other in a fixed rhythm.
/// Where their FIFOs are well filled, as under overload, whole rounds are served stream by stream. False if
/// this is not such a time.
bool Accumulator::serve_rounds(cycle_t limit) {
    if (m_popped || m_kept || m_watch || !m_clear_requests.empty() || !m_snapshot_requests.empty())
        return false;
    if (m_next_ready < m_edge) refresh_ready(m_edge);
    const cycle_t streams = __builtin_popcountll(m_ready);
    // All decisions before the last one must come too early to see another stream turn valid.
    std::int64_t rounds = std::min(limit - m_edge - 1, m_next_ready - m_edge + 3) / (3 * streams);
    // Words written before this time are visible to the MI clock at the first read.
    const time_fs seen_by = m_clock.time_of(m_edge - 4);
    for (std::uint64_t mask = m_ready; mask != 0 && rounds > 0; mask &= mask - 1) {
        DeltaStream& stream = m_streams[static_cast<std::size_t>(__builtin_ctzll(mask))];
        stream.take_writes_before(seen_by - stream.probe().clock().period_fs());
        rounds = stream.fifo().all_written_before(seen_by) ? std::min(rounds, stream.fifo().size() - 1) : 0;
    }
    if (rounds <= 0) {
        m_try_rounds = m_edge + 3 * streams;  // looking costs, and a round changes little
        return false;
    }
    const std::uint64_t before_selected = (std::uint64_t{1} << m_selected) - 1;
    cycle_t first = m_edge + 1;
    for (const std::uint64_t part : {m_ready & ~before_selected, m_ready & before_selected}) {
        for (std::uint64_t mask = part; mask != 0; mask &= mask - 1) {
            m_last_stream = static_cast<std::uint32_t>(__builtin_ctzll(mask));
            DeltaStream& stream = m_streams[m_last_stream];
            std::uint64_t* live = &m_live[stream.first_entry()];
            stream.fifo().pop_many(first, 3 * streams, rounds, [&](const DeltaFifo::Word& word) {
                live[word.channel] = (live[word.channel] + word.delta) & m_counter_mask;
            });
            stream.prefetch();
            first += 3;
        }
    }
    const cycle_t decision = m_edge + rounds * 3 * streams;
    delta_waits(decision);
    select(decision);
    return true;
}

/// End of READ: the selected word leaves its FIFO.
void Accumulator::pop_selected(cycle_t edge) {
    if (!m_kept) {
        DeltaFifo& fifo = m_streams[m_selected].fifo();
        m_word = fifo.head();
        fifo.pop(edge);
    }
    m_popped = true;
    if (m_watch) m_watch(m_selected, m_word);
    after_pop(m_selected, edge + 2);
}

/// End of WRITE: the sum is stored, and the next delta is taken at once if one waits.
void Accumulator::finish_delta(cycle_t edge) {
    add(m_streams[m_selected].first_entry() + m_word.channel, m_word.delta);
    if (latched(m_clear_requests, edge) || latched(m_snapshot_requests, edge) || !delta_waits(edge)) {
        m_state = State::idle;
        m_edge = edge + 1;
    } else {
        select(edge);
    }
}

void Accumulator::reset(cycle_t edge) {
    // One that comes back before an edge has seen it low goes on.
    if (m_reset_from == never) m_reset_from = edge;
    m_reset_to = never;
}

void Accumulator::release(cycle_t first_edge) {
    m_reset_to = first_edge;
    if (m_reset_to == m_reset_from) {
        m_reset_from = m_reset_to = never;  // gone before an edge saw it
    } else {
        apply_reset();  // an access at this very edge must not find what was latched before
    }
}

/// The machine and its latches stand at their reset values at all edges of the reset.
void Accumulator::apply_reset() {
    m_state = State::idle;
    m_edge = m_reset_from;
    m_last_stream = static_cast<std::uint32_t>(m_streams.size()) - 1;
    if (m_reset_to == never) return;
    m_edge = m_reset_to;
    take(m_clear_requests, m_reset_to - 1);
    take(m_snapshot_requests, m_reset_to - 1);
    m_reset_from = m_reset_to = never;
    m_ready = 0;
    m_next_ready = 0;
}

void Accumulator::leave_idle(cycle_t edge) {
    if (latched(m_clear_requests, edge)) {
        take(m_clear_requests, edge);
        m_state = State::clear;
    } else if (latched(m_snapshot_requests, edge)) {
        take(m_snapshot_requests, edge);
        m_state = State::snapshot;
    } else if (delta_waits(edge)) {
        select(edge);
        return;
    } else {
        m_edge = edge + 1;
        return;
    }
    m_edge = edge;
    m_done = 0;
}

/// Clears the latch; a pulse that would set it at this very edge is swallowed.
void Accumulator::take(SlidingQueue<cycle_t>& requests, cycle_t decision) {
    while (!requests.empty() && requests.front() <= decision)
        requests.pop();
}

bool Accumulator::delta_waits(cycle_t decision) {
    if (m_next_ready < decision) refresh_ready(decision);
    return m_ready != 0;
}

/// Finds the streams whose output is valid before edge `decision`.
void Accumulator::refresh_ready(cycle_t decision) {
    m_ready = 0;
    m_next_ready = never;
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        const cycle_t valid = m_streams[i].fifo().head_valid();
        if (valid < decision) {
            m_ready |= std::uint64_t{1} << i;
        } else {
            m_next_ready = std::min(m_next_ready, valid);
        }
    }
}

/// Enters READ with the next ready stream behind the one served last.
void Accumulator::select(cycle_t edge) {
    const std::uint64_t behind = m_ready & ~((std::uint64_t{2} << m_last_stream) - 1);
    m_selected = static_cast<std::uint32_t>(__builtin_ctzll(behind != 0 ? behind : m_ready));
    m_last_stream = m_selected;
    m_state = State::delta;
    m_edge = edge;
    m_popped = false;
    m_kept = false;
}

void Accumulator::after_pop(std::uint32_t stream, cycle_t next_decision) {
    m_streams[stream].prefetch();
    const cycle_t valid = m_streams[stream].fifo().head_valid();
    if (valid >= next_decision) {
        m_ready &= ~(std::uint64_t{1} << stream);
        m_next_ready = std::min(m_next_ready, valid);
    }
}

void Accumulator::keep_selected(std::uint32_t stream) {
    if (m_state == State::delta && m_selected == stream && !m_popped && !m_kept) {
        m_word = m_streams[stream].fifo().head();
        m_kept = true;
    }
}

bool Accumulator::busy_at(cycle_t edge) const {
    return m_state == State::snapshot || m_state == State::clear || latched(m_clear_requests, edge) ||
           latched(m_snapshot_requests, edge);
}

std::uint64_t Accumulator::being_added(std::uint32_t entry) const {
    const bool here =
        m_state == State::delta && m_popped && m_streams[m_selected].first_entry() + m_word.channel == entry;
    return here ? m_word.delta : 0;
}

bool Accumulator::empty() const {
    if (m_state != State::idle || !m_clear_requests.empty() || !m_snapshot_requests.empty()) return false;
    return std::all_of(m_streams.begin(), m_streams.end(),
                       [](const auto& s) { return s.fifo().size() == 0; });
}

cycle_t Accumulator::quiet_until() const {
    if (m_state != State::idle || !m_clear_requests.empty() || !m_snapshot_requests.empty()) return 0;
    cycle_t quiet = never;
    for (const auto& stream : m_streams) {
        // From a valid output: READ at the next edge, the memory is written three later.
        quiet = std::min(quiet, stream.fifo().head_valid() + 4);
    }
    return quiet;
}

void Accumulator::restart_idle(cycle_t edge) {
    m_state = State::idle;
    m_edge = edge;
}

}  // namespace tlmetry::telemetry
