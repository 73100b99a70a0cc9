// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/rq_steps.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

RqSteps::RqSteps(const Config& config, const Edges& pcie, Reads& reads, MfbLog& log, LinkDirection& link,
                 DllpTimer& acks, SlidingQueue<Arrival>& arrivals)
    : credits(config.link),
      m_pcie(pcie),
      m_reads(reads),
      m_log(log),
      m_link(link),
      m_acks(acks),
      m_arrivals(arrivals),
      m_duty(config.rq),
      m_regions(config.buses.rq_regions),
      m_one_start(config.buses.one_start),
      m_buffer(config.link.tx_buffer_bytes),
      m_tx_latency(config.link.tx_latency_fs),
      m_propagation(config.link.propagation_fs) {}

void RqSteps::advance(cycle_t pcie_end, time_fs end) {
    m_end = end;
    while (!m_frames.empty()) {
        const Frame& frame = m_frames.front();
        const bool starts = m_placed == 0;
        if (!starts || !joins(frame.available)) {
            if (!settle(pcie_end)) break;
            open_word(starts ? std::max(m_word.moved + 1, frame.available) : m_word.moved + 1);
        }
        if (starts && frame.ends_group)
            left.push({m_word.presented, frame.by_payload && m_word.presented == frame.available});
        put(frame);
        if (m_placed != frame.regions) continue;
        m_placed = 0;
        m_frames.pop();
    }
    const bool waits = !settle(pcie_end) && m_word.presented < pcie_end;
    waiting = waits ? m_word.presented : never;
    transmit();
}

void RqSteps::open_word(cycle_t presented) {
    m_word = {presented, never, 0};
}

/// Adds what the word has room for.
void RqSteps::put(const Frame& frame) {
    Piece piece;
    piece.presented = m_word.presented;
    piece.moved = m_word.moved;
    piece.first_region = static_cast<std::uint8_t>(m_word.used);
    piece.regions = std::min(frame.regions - m_placed, m_regions.count() - m_word.used);
    const bool eof = m_placed + piece.regions == frame.regions;
    piece.flags = Piece::flags_of(m_word.used == 0, m_placed == 0, eof);
    m_placed += piece.regions;
    m_word.used += piece.regions;
    piece.last_items = static_cast<std::uint16_t>(frame.last_items);
    if (m_word.moved == never) {
        m_pieces.push_back(piece);
        if (eof) m_ending.push_back(frame);
    } else {
        m_log.push(piece);
        if (eof) finish(frame);
    }
}

/// Lets the word move that is presented; false if it does not before the end of the turn.
bool RqSteps::settle(cycle_t pcie_end) {
    if (m_word.moved != never) return true;
    if (m_word.presented >= pcie_end) return false;
    const cycle_t free = room(m_word.presented);
    if (free >= pcie_end) return false;
    const cycle_t cycle = m_duty.next(free);
    if (cycle >= pcie_end) return false;
    m_word.moved = cycle;
    for (Piece& piece : m_pieces) {
        piece.moved = cycle;
        m_log.push(piece);
    }
    m_pieces.clear();
    for (const Frame& frame : m_ending)
        finish(frame);
    m_ending.clear();
    return true;
}

/// The last word of a frame has moved.
void RqSteps::finish(const Frame& frame) {
    m_taken += frame.tlp_bytes;
    m_waiting.push(
        {m_pcie.time_of(m_word.moved) + m_tx_latency, frame.offered, frame.tlp_bytes, frame.arrival});
    moved.push({m_word.moved, frame});
}

/// First cycle from `cycle` on in which the TX buffer has room for a word; `never` if it has none before the
/// end of the turn.
cycle_t RqSteps::room(cycle_t cycle) {
    transmit();
    const time_fs now = m_pcie.time_of(cycle);
    while (!m_sent.empty() &&
           (m_sent.front().at < now || (m_taken >= m_buffer + m_out && m_sent.front().at < m_end))) {
        m_out += m_sent.front().bytes;
        m_out_by = m_pcie.first_after(m_sent.front().at);
        m_sent.pop();
    }
    return m_taken < m_buffer + m_out ? std::max(cycle, m_out_by) : never;
}

/// Starts all TLPs that start in this turn.
void RqSteps::transmit() {
    for (; !m_waiting.empty(); m_waiting.pop()) {
        Waiting& tlp = m_waiting.front();
        if (!answers.empty() && !answer_before(std::max(tlp.ready, credits.when(tlp.arrival)))) return;
        for (; m_acks.due() <= tlp.offered; m_acks.sent())
            m_link.send_dllp(m_acks.due());
        const time_fs could = std::max(tlp.ready, m_link.free());
        const time_fs ready = std::max(tlp.ready, credits.when(tlp.arrival));
        const time_fs start = std::max(could, ready);
        if (start >= m_end) return;
        credit_wait_fs += static_cast<std::uint64_t>(start - could);
        credits.take(tlp.arrival);
        m_last = tlp.arrival;
        const time_fs through = m_link.send(ready, tlp.bytes);
        m_sent.push({through, tlp.bytes});
        tlp.arrival.at = through + m_propagation;
        if (tlp.arrival.read) m_reads[tlp.arrival.tag].sent = through;
        m_arrivals.push(tlp.arrival);
    }
}

/// Sends the answers that are due before or when a TLP is ready; false if not all of them start in this turn.
bool RqSteps::answer_before(time_fs ready) {
    for (; !answers.empty() && answers.front().at <= ready; answers.pop()) {
        Answer& answer = answers.front();
        if (answer.at >= m_end) return false;
        for (; m_acks.due() <= answer.at; m_acks.sent())
            m_link.send_dllp(m_acks.due());
        if (m_link.free() >= m_end) return false;
        answer.at = m_link.send(answer.at, answer.bytes);
        answered.push(answer);
    }
    return true;
}

void RqSteps::link_down(time_fs t, time_fs until) {
    answers.clear();
    credits.restart();
    time_fs free = until;
    if (!m_sent.empty() && m_sent.back().at > t) {
        m_sent.back().at += until - t;
        free = m_sent.back().at;
        credits.take(m_last);
    }
    m_link.restart(free);
}

RqSteps::Writes RqSteps::writes_waiting() const {
    Writes writes;
    for (const Waiting& tlp : m_waiting) {
        if (tlp.arrival.read) continue;
        ++writes.count;
        writes.bytes += tlp.arrival.length;
    }
    return writes;
}

void RqSteps::restart(cycle_t from, cycle_t first) {
    // What waits without an end known waits until the reset.
    if (waiting < from) m_log.push({waiting, from, 0, 0, 0, Piece::opens_flag});
    waiting = never;
    m_frames.clear();
    m_placed = 0;
    m_word = {first - 1, first - 1, 0};
    m_pieces.clear();
    m_ending.clear();
    m_waiting.clear();
    answers.clear();
    m_sent.clear();
    m_taken = m_out = 0;
    m_out_by = 0;
    credits.restart();
}

}  // namespace tlmetry::endpoint
