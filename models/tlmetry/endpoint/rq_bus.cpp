// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/rq_bus.hpp"

namespace tlmetry::endpoint {

/// First cycle in which the TX buffer has room for a word, after all TLPs so far.
cycle_t RqBus::room() {
    // Less than the buffer may be taken: the word comes on top.
    return m_sent.when_room(m_link.tx_buffer_bytes, m_taken, 1);
}

RqBus::Passage RqBus::pass(cycle_t available, std::uint32_t regions, std::uint32_t last_items,
                           std::uint32_t tlp_bytes) {
    Passage passage;
    place(available, regions, last_items, passage.presented);
    passage.moved = m_word.moved;
    m_taken += tlp_bytes;

    const time_fs ready = m_pcie.time_of(passage.moved) + m_link.tx_latency_fs;
    if (ready > m_free) {
        m_free = ready;
        m_fraction = 0;
    }
    m_fraction += tlp_bytes * m_link.up_byte_time;
    const auto duration = static_cast<time_fs>(m_fraction >> 16);
    m_fraction &= 0xFFFF;
    m_free += duration;
    m_busy += duration;
    m_sent.give(m_pcie.first_after(m_free), tlp_bytes);
    passage.arrival = m_free + m_link.propagation_fs;
    return passage;
}

void RqBus::place(cycle_t available, std::uint32_t regions, std::uint32_t last_items,
                  cycle_t& first_presented) {
    const bool joins =
        !m_one_start && m_word.used != 0 && m_word.used < m_regions.count() && available <= m_word.presented;
    Piece piece;
    piece.sof = true;
    piece.opens_word = !joins;
    if (joins) {
        piece.presented = m_word.presented;
        piece.moved = m_word.moved;
        piece.first_region = static_cast<std::uint8_t>(m_word.used);
    } else {
        piece.presented = std::max(m_word.moved + 1, available);
        piece.moved = m_duty.next(std::max(piece.presented, room()));
    }
    first_presented = piece.presented;
    std::uint32_t left = regions;
    for (;;) {
        std::uint32_t words = m_regions.touched(piece.first_region, left);
        // All its words go without a stall if the last needs none.
        if (words > 1 && !(m_duty.always() && room() <= piece.moved + 1)) words = 1;
        piece.regions = std::min(left, words * m_regions.count() - piece.first_region);
        left -= piece.regions;
        piece.eof = left == 0;
        piece.last_items = static_cast<std::uint8_t>(piece.eof ? last_items : 0xFF);
        log.push(piece);
        m_word.used = piece.first_region + piece.regions - (words - 1) * m_regions.count();
        m_word.moved = piece.moved + words - 1;
        m_word.presented = words > 1 ? m_word.moved : piece.presented;
        if (left == 0) return;
        piece.sof = false;
        piece.opens_word = true;
        piece.first_region = 0;
        piece.presented = m_word.moved + 1;
        piece.moved = m_duty.next(std::max(piece.presented, room()));
    }
}

}  // namespace tlmetry::endpoint
