// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/up_port.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

namespace {

// Requests that are taken from the source at a time: about those of a turn under full load.
constexpr std::size_t block = 64;

}  // namespace

UpPort::UpPort(const Config& config, const Edges& dma, const Edges& pcie, RequestSource& source)
    : m_dma(dma),
      m_source(source),
      m_to_pcie(dma, pcie, config.ptc.sync_cycles),
      m_sync_cycles(config.ptc.sync_cycles),
      m_fifo_words(config.ptc.up_fifo_words),
      m_group_items(config.buses.mvb_up_items),
      m_regions(config.buses.up_regions),
      m_region_items(config.buses.up_region_items),
      m_storage_words(config.ptc.word_bytes),
      m_rcb_blocks(config.host.rcb),
      m_mvb_freed(Crossing(pcie, dma, config.ptc.sync_cycles)),
      m_mfb_freed(Crossing(pcie, dma, config.ptc.sync_cycles)) {}

void UpPort::advance(cycle_t end) {
    advance_mvb(end);
    advance_mfb(end);
}

/// Takes the next requests from the source; false if none arrives before D cycle `end`, as far as is known.
bool UpPort::fetch(cycle_t end) {
    const std::size_t count = m_source.fetch(m_ahead.extend(block), block, m_dma.time_of(end));
    m_ahead.take_back(block - count);
    return count != 0;
}

void UpPort::know_ahead(std::size_t most) {
    if (m_ahead.size() >= most || !m_source.is_open()) return;
    const std::size_t more = most - m_ahead.size();
    m_ahead.take_back(more - m_source.fetch(m_ahead.extend(more), more, never));
}

/// Makes a slot of the request whose header is presented in `cycle`.
void UpPort::add_slot(cycle_t cycle) {
    Slot& slot = m_slots.extend();
    slot.request = m_ahead.front();
    slot.offered = cycle;
    slot.moved = never;
    slot.shared = false;
    const Request& request = slot.request;
    if (request.read) {
        slot.words = m_storage_words.touched(request.address, request.length);
        slot.entries = m_rcb_blocks.touched(request.address, request.length);
        slot.regions = 0;
    } else {
        slot.words = 0;
        slot.regions = m_region_items.count(items_of(request.length));
    }
    m_ahead.pop();
}

void UpPort::advance_mvb(cycle_t end) {
    while (m_formed || form_group(end)) {
        Group& group = m_groups.back();
        const cycle_t presented = group.presented;
        cycle_t moved = presented;
        if (m_mvb_freed.room(m_fifo_words, m_mvb_words, presented) == 0) {
            moved = m_mvb_freed.when_room(m_fifo_words, m_mvb_words);
            if (moved == never) {
                mvb_waiting = presented;
                return;
            }
        }
        mvb_waiting = never;
        m_formed = false;
        ++m_mvb_words;
        m_mvb_free = moved + 1;
        group.crossed = m_to_pcie(moved);
        mvb.push({presented, moved, group.requests});
    }
}

/// Presents the next word of headers, if that is before D cycle `end`.
bool UpPort::form_group(cycle_t end) {
    if (!knows(0, end)) return false;
    const cycle_t presented = std::max(m_mvb_free, m_dma.first_at_or_after(m_ahead.front().arrival));
    if (presented >= end) return false;
    const time_fs time = m_dma.time_of(presented);
    Group& group = m_groups.extend();
    group = {};
    group.presented = presented;
    group.crossed = never;
    group.first = m_mvb_next;
    do {
        add_slot(presented);
        const Slot& slot = this->slot(m_mvb_next);
        if (slot.request.read) {
            ++group.reads;
            group.words += slot.words;
            group.entries += slot.entries;
        }
        ++m_mvb_next;
        ++group.requests;
    } while (group.requests < m_group_items && knows(0, end) && m_ahead.front().arrival <= time);
    return m_formed = true;
}

void UpPort::take_group(cycle_t cycle) {
    m_groups.pop();
    m_mvb_freed.give(cycle, 1);
}

void UpPort::advance_mfb(cycle_t end) {
    while (m_mfb_next != m_mvb_next) {
        if (slot(m_mfb_next).regions != 0 && !place_frame(end)) return;
        ++m_mfb_next;
        m_placed = 0;
    }
}

/// Puts what is left of the next frame into words; false when it cannot be finished yet.
bool UpPort::place_frame(cycle_t end) {
    Slot& frame = slot(m_mfb_next);
    while (m_placed != frame.regions) {
        const bool starts = m_placed == 0;
        const bool joins = m_word.used != 0 && m_word.used < m_regions.count() &&
                           (!starts || frame.offered <= m_word.presented);
        Piece piece;
        piece.flags = Piece::flags_of(!joins, starts, false);
        std::uint32_t words = 0;
        if (starts && m_last_write != m_mfb_next) {
            next_frame(joins);
            m_last_write = m_mfb_next;
        }
        if (joins) {
            piece.presented = m_word.presented;
            piece.moved = m_word.moved;
            piece.first_region = static_cast<std::uint8_t>(m_word.used);
        } else {
            m_word.used = 0;
            piece.presented = starts ? std::max(m_word.moved + 1, frame.offered) : m_word.moved + 1;
            if (piece.presented >= end) return false;
            piece.moved = piece.presented;
            if (m_mfb_freed.room(m_fifo_words, m_mfb_words, piece.presented) == 0) {
                piece.moved = m_mfb_freed.when_room(m_fifo_words, m_mfb_words);
                if (piece.moved == never) {
                    mfb_waiting = piece.presented;
                    return false;
                }
            }
            mfb_waiting = never;
        }
        // As many words as have room without a stall.
        std::uint32_t left = frame.regions - m_placed;
        words = m_regions.touched(piece.first_region, left);
        const std::uint32_t fresh = words - (joins ? 1 : 0);
        // The first of them has been looked after.
        const auto room = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            fresh, std::max<std::uint64_t>(joins ? 0 : 1,
                                           m_mfb_freed.room(m_fifo_words, m_mfb_words, piece.moved, fresh))));
        if (room < fresh) {
            words -= fresh - room;
            left = words * m_regions.count() - piece.first_region;
        }
        m_mfb_words += room;
        piece.regions = left;
        m_placed += left;
        const bool ends = m_placed == frame.regions;
        if (ends) piece.flags |= Piece::eof_flag;
        piece.last_items = static_cast<std::uint16_t>(
            m_region_items.last(ends ? items_of(frame.request.length) : m_region_items.size()));
        const std::uint32_t used = piece.first_region + left - (words - 1) * m_regions.count();
        m_word.used = used;
        if (words > 1) {
            m_word.moved = piece.moved + words - 1;
            m_word.presented = m_word.moved;
        } else {
            m_word.presented = piece.presented;
            m_word.moved = piece.moved;
        }
        mfb.push(piece);
    }
    frame.moved = m_word.moved;
    frame.last_word = m_mfb_words - 1;
    return true;
}

void UpPort::write_left(std::uint64_t number, cycle_t cycle) {
    const Slot& write = slot(number);
    // Its last word is out with it, unless another frame starts there or may yet start.
    const bool last = number == m_last_write;
    const std::uint64_t words = write.last_word + (write.shared || last ? 0 : 1);
    if (words > m_freed_words) {
        m_mfb_freed.give(cycle, static_cast<std::uint32_t>(words - m_freed_words));
        m_freed_words = words;
    }
    if (last) {
        m_last_word_left = true;
        m_last_word_cycle = cycle;
    }
}

void UpPort::restart(cycle_t from, cycle_t first, bool source_runs, cycle_t pcie_first) {
    const std::uint64_t kept = m_mvb_next;
    const std::uint64_t granted = m_groups.empty() ? kept : m_groups.front().first;
    // What waits without an end known waits until the reset.
    if (mfb_waiting < from) mfb.push({mfb_waiting, from, 0, 0, 0, Piece::opens_flag});
    if (mvb_waiting < from) mvb.push({mvb_waiting, from, 0});
    end_log(mfb, m_regions.count(), from);
    end_log(mvb, from);
    mfb_waiting = mvb_waiting = never;
    const time_fs now = m_dma.time_of(first);
    for (std::uint64_t r = std::max(granted, m_first_slot); r < kept; ++r) {
        if (slot(r).request.read) m_source.read_lost(r, now);
    }
    forget_before(kept);
    m_groups.clear();
    m_formed = false;
    m_mfb_next = kept;
    m_mvb_words = m_mfb_words = m_freed_words = 0;
    m_mvb_freed.restart();
    m_mfb_freed.restart();
    m_placed = 0;
    m_last_word_left = false;
    const cycle_t next = source_runs ? from : first;
    m_mvb_free = next;
    m_word = {next - 1, next - 1, 0};
    if (!source_runs) return;
    // A crossing in reset is full.
    m_mvb_words = m_mfb_words = m_freed_words = m_fifo_words;
    const auto words = static_cast<std::uint32_t>(m_fifo_words);
    m_mvb_freed.give(pcie_first, words);
    m_mfb_freed.give(pcie_first, words);
}

}  // namespace tlmetry::endpoint
