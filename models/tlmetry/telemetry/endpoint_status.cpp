// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/endpoint_status.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

EndpointStatus::EndpointStatus(Probe& probe, const ClockDomain& mi_clock, std::uint32_t tag_capacity,
                               std::uint32_t stfifo_capacity)
    : m_probe(probe),
      m_pcie(probe.clock()),
      m_mi(mi_clock),
      m_tag_bands(tag_capacity),
      m_word_bands(stfifo_capacity) {
    hold(0, {});
}

void EndpointStatus::hold(cycle_t from, const StatusPins& pins) {
    pass(from, pins, pins.free_tags, pins.free_words);
    m_probe.bands().hold(from, bands_word(m_tag_bands.of(pins.free_tags), m_word_bands.of(pins.free_words)));
}

void EndpointStatus::pass(cycle_t from, const StatusPins& pins, std::uint32_t lowest_tags,
                          std::uint32_t lowest_words) {
    // What is told last of a cycle is what it shows.
    if (m_pending.empty() || m_pending.back().from != from) m_pending.extend();
    m_pending.back() = {from, pins, lowest_tags, lowest_words};
}

/// Samples the pins up to and including edge `edge` into the window minima.
void EndpointStatus::sample_to(cycle_t edge) {
    while (!m_pending.empty() && m_pending.front().from <= edge) {
        const Pending& passed = m_pending.front();
        m_pins = passed.pins;
        if (!m_pcie_reset.held) {
            m_window_tags = std::min(m_window_tags, passed.lowest_tags);
            m_window_words = std::min(m_window_words, passed.lowest_words);
        }
        m_pending.pop();
    }
}

void EndpointStatus::restart_window() {
    m_window_tags = m_pins.free_tags;
    m_window_words = m_pins.free_words;
}

bool EndpointStatus::source_settled() const {
    return m_source.sent == m_source.toggle && m_source.acknowledge.settled(m_destination.sent);
}

bool EndpointStatus::destination_settled() const {
    return m_destination.sent == m_destination.toggle && !m_destination.valid &&
           m_destination.request.settled(m_source.sent);
}

/// The edge that samples a tick: the one after the tick has become high.
cycle_t EndpointStatus::tick_edge() const {
    if (m_last_tick_edge != never) return m_last_tick_edge;
    const cycle_t tick = m_probe.tick(m_window);
    return tick == never ? never : tick + 1;
}

void EndpointStatus::before_restart() {
    // A tick that is high when the reset arrives is still sampled by the edge that sees the reset first.
    m_last_tick_edge = tick_edge();
    m_window = m_last_tick_edge == never ? 1 : 0;
}

void EndpointStatus::pass_tick() {
    m_last_tick_edge = never;
    ++m_window;
}

cycle_t EndpointStatus::next_source_edge() const {
    if (m_pcie_reset.held) return m_pcie_reset.to;
    const cycle_t unsettled = source_settled() ? never : m_source_next;
    return std::min({unsettled, tick_edge(), m_pcie_reset.from});
}

cycle_t EndpointStatus::next_destination_edge() const {
    if (m_mi_reset.held) return m_mi_reset.to;
    const cycle_t unsettled = destination_settled() ? never : m_destination_next;
    return std::min(unsettled, m_mi_reset.from);
}

void EndpointStatus::advance(time_fs t) {
    skip_equal_windows(t);
    while (true) {
        if (transfer_at_once(t)) continue;
        const cycle_t source_edge = next_source_edge();
        const cycle_t destination_edge = next_destination_edge();
        const time_fs source_time = source_edge == never ? never : m_pcie.time_of(source_edge);
        const time_fs destination_time = destination_edge == never ? never : m_mi.time_of(destination_edge);
        const time_fs now = std::min(source_time, destination_time);
        if (now >= t) break;
        // Edges that coincide sample what the other side held before.
        const bool acknowledge = m_destination.sent;
        const bool request = m_source.sent;
        const Word sent = m_source.word;
        if (source_time == now) {
            step_source(source_edge, acknowledge);
            if (m_source.sent != request)
                m_destination_next = std::max(m_destination_next, m_mi.first_after(now));
        }
        if (destination_time == now) {
            step_destination(destination_edge, request, sent);
            if (m_destination.sent != acknowledge)
                m_source_next = std::max(m_source_next, m_pcie.first_after(now));
        }
    }
    sample_to(m_pcie.first_at_or_after(t) - 1);
    apply_mark_clears(m_mi.first_at_or_after(t));
}

void EndpointStatus::step_source(cycle_t edge, bool acknowledge) {
    m_source_next = edge + 1;
    if (edge == m_pcie_reset.next()) {
        sample_to(edge);
        if (!m_pcie_reset.held) {
            if (edge == tick_edge()) pass_tick();  // its word is lost
            m_source = Source{};
            m_window_tags = all_tags;
            m_window_words = all_words;
            m_pcie_reset.held = true;
            return;
        }
        m_pcie_reset = Reset{};
        restart_window();
    }
    const bool acknowledged = m_source.acknowledge.pulse();
    m_source.acknowledge.step(acknowledge);
    m_source.sent = m_source.toggle;
    if (edge == tick_edge() && offer_word(edge)) return;
    if (m_source.waiting && acknowledged) m_source.waiting = false;
}

/// The tick sampled by `edge` ends a window; its word goes on its way unless the last one is still out.
bool EndpointStatus::offer_word(cycle_t edge) {
    pass_tick();
    sample_to(edge - 1);
    const std::uint32_t lowest_tags = m_window_tags;
    const std::uint32_t lowest_words = m_window_words;
    sample_to(edge);
    restart_window();
    if (m_source.waiting) return false;
    m_source.word = {m_pins, lowest_tags, lowest_words};
    m_source.toggle = !m_source.toggle;
    m_source.waiting = true;
    return true;
}

void EndpointStatus::step_destination(cycle_t edge, bool request, const Word& sent) {
    m_destination_next = edge + 1;
    apply_mark_clears(edge);
    if (edge == m_mi_reset.next()) {
        if (!m_mi_reset.held) {
            m_destination = Destination{};
            m_registers = StatusPins{};
            m_lowest_tags = all_tags;
            m_lowest_words = all_words;
            m_mi_reset.held = true;
            return;
        }
        m_mi_reset = Reset{};
    }
    const bool load = m_destination.request.pulse();
    m_destination.request.step(request);
    m_destination.sent = m_destination.toggle;
    if (m_destination.valid) {
        update_registers(m_destination.word);
        m_destination.toggle = !m_destination.toggle;
        m_destination.valid = false;
    } else {
        m_destination.valid = load;
    }
    if (load) m_destination.word = sent;
    apply_mark_clears(edge + 1);  // a clear at this edge wins over the update
}

void EndpointStatus::update_registers(const Word& word) {
    m_registers = word.now;
    m_lowest_tags = std::min(m_lowest_tags, word.lowest_tags);
    m_lowest_words = std::min(m_lowest_words, word.lowest_words);
}

/// Carries out the clears at edges below `end`.
void EndpointStatus::apply_mark_clears(cycle_t end) {
    while (!m_mark_clears.empty() && m_mark_clears.front() < end) {
        m_lowest_tags = all_tags;
        m_lowest_words = all_words;
        m_mark_clears.pop();
    }
}

/// Nothing is crossing and no reset is there or in sight.
bool EndpointStatus::undisturbed() const {
    return !m_source.waiting && source_settled() && destination_settled() && m_pcie_reset.absent() &&
           m_mi_reset.absent() && m_last_tick_edge == never;
}

void EndpointStatus::flip_toggles() {
    for (bool* toggle : {&m_source.toggle, &m_source.sent, &m_destination.toggle, &m_destination.sent}) {
        *toggle = !*toggle;
    }
    m_source.acknowledge.flip();
    m_destination.request.flip();
}

/// Takes the next word across in one step, if all of its way lies before `t` and before the next tick.
bool EndpointStatus::transfer_at_once(time_fs t) {
    const cycle_t tick = tick_edge();
    if (tick == never || m_pcie.time_of(tick) >= t || !undisturbed()) return false;
    const time_fs request_leaves = m_pcie.time_of(tick + 1);
    if (request_leaves >= t) return false;
    const cycle_t arrives = m_mi.first_after(request_leaves) + 4;
    const time_fs acknowledge_leaves = m_mi.time_of(arrives + 1);
    if (acknowledge_leaves >= t) return false;
    const cycle_t ready = m_pcie.first_after(acknowledge_leaves) + 3;
    if (m_pcie.time_of(ready) >= t || ready >= tick + m_probe.timing().drain_period) return false;

    offer_word(tick);
    m_source.waiting = false;
    m_source.toggle = m_source.sent;  // flipped below with all the others
    flip_toggles();
    apply_mark_clears(arrives);
    update_registers(m_source.word);
    m_destination.word = m_source.word;
    apply_mark_clears(arrives + 1);  // a clear at this edge wins over the update
    return true;
}

/// While nothing changes, every window sends the same word: passes all of them but the last two at once.
void EndpointStatus::skip_equal_windows(time_fs t) {
    const cycle_t next = tick_edge();
    if (next == never || !m_pending.empty() || !m_mark_clears.empty() || !undisturbed()) return;
    const Word& last = m_source.word;
    const bool equal = last.now.free_tags == m_pins.free_tags && last.now.free_words == m_pins.free_words &&
                       last.now.settings == m_pins.settings && last.lowest_tags == m_pins.free_tags &&
                       last.lowest_words == m_pins.free_words && m_window_tags == m_pins.free_tags &&
                       m_window_words == m_pins.free_words;
    if (!equal || m_pcie.known_edges() != never || m_mi.known_edges() != never) return;
    const cycle_t period = m_probe.timing().drain_period;
    // There and back: two and five PCIe edges, six MI edges; only then is every word taken.
    if ((period - 8) * m_pcie.period_fs() < 8 * m_mi.period_fs()) return;
    const std::int64_t ticks = (m_pcie.first_at_or_after(t) - next) / period;
    if (ticks <= 2) return;
    const std::int64_t skipped = ticks - 2;
    m_window += skipped;
    if (skipped % 2 != 0) flip_toggles();
    update_registers(last);
}

time_fs EndpointStatus::quiet_until() const {
    if (!source_settled() || !destination_settled() || !m_mark_clears.empty()) return 0;
    if (m_pcie_reset.next() != never || m_mi_reset.next() != never) return 0;
    const cycle_t tick = tick_edge();
    return tick == never ? never : m_pcie.time_of(tick);
}

}  // namespace tlmetry::telemetry
