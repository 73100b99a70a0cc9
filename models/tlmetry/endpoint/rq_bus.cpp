// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/rq_bus.hpp"

namespace tlmetry::endpoint {

/// First cycle from `cycle` on in which the TX buffer has room for a word, after all TLPs so far.
cycle_t RqBus::room(cycle_t cycle) {
    // Transmissions that are over by then, and as many more as have to be.
    const time_fs now = m_pcie.time_of(cycle);
    time_fs last = -1;
    while (!m_sent.empty() && (m_sent.front().at < now || m_taken >= m_link.tx_buffer_bytes + m_sent_bytes)) {
        last = m_sent.front().at;
        m_sent_bytes += m_sent.front().bytes;
        m_sent.pop();
    }
    if (last >= 0) m_sent_by = std::max(m_sent_by, m_pcie.first_after(last));
    return std::max(cycle, m_sent_by);
}

/// The general case of pass(): word by word where one may have to wait. Tells when the first is presented.
cycle_t RqBus::place(bool joins, cycle_t available, std::uint32_t regions, std::uint32_t last_items) {
    Piece piece;
    piece.flags = Piece::flags_of(!joins, true, false);
    if (joins) {
        piece.presented = m_word.presented;
        piece.moved = m_word.moved;
        piece.first_region = static_cast<std::uint8_t>(m_word.used);
    } else {
        piece.presented = std::max(m_word.moved + 1, available);
        piece.moved = m_duty.next(room(piece.presented));
    }
    const cycle_t first_presented = piece.presented;
    std::uint32_t left = regions;
    for (;;) {
        std::uint32_t words = m_regions.touched(piece.first_region, left);
        // All its words go without a stall if the next one needs none.
        if (words > 1 && !(m_duty.always() && room(piece.moved + 1) == piece.moved + 1)) words = 1;
        piece.regions = std::min(left, words * m_regions.count() - piece.first_region);
        left -= piece.regions;
        if (left == 0) piece.flags |= Piece::eof_flag;
        piece.last_items = static_cast<std::uint16_t>(last_items);
        log.push(piece);
        m_word.used = piece.first_region + piece.regions - (words - 1) * m_regions.count();
        m_word.moved = piece.moved + words - 1;
        m_word.presented = words > 1 ? m_word.moved : piece.presented;
        if (left == 0) return first_presented;
        piece.flags = Piece::opens_flag;
        piece.first_region = 0;
        piece.presented = m_word.moved + 1;
        piece.moved = m_duty.next(room(piece.presented));
    }
}

}  // namespace tlmetry::endpoint
