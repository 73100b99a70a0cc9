// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/tag_manager.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

namespace {

/// Registers in a tree of adders with four inputs each, for so many numbers.
cycle_t adder_levels(std::uint32_t numbers) {
    cycle_t bits = 0;
    while ((1u << bits) < numbers)
        ++bits;
    return bits / 2;
}

std::size_t power_from(std::size_t least) {
    std::size_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

}  // namespace

TagManager::TagManager(const Config& config, std::vector<UpPort>& ports, Reads& reads)
    : m_ports(ports),
      m_reads(reads),
      m_up_cycles(config.ptc.up_cycles),
      m_words_cycles(4 + adder_levels(config.buses.mvb_down_items)),
      m_tag_count(config.ptc.tags),
      m_write_ports(config.buses.mvb_down_items),
      m_read_ports(config.buses.mvb_up_items),
      m_tags(m_tag_count, m_write_ports, m_read_ports, 0),
      m_storage_words(config.ptc.storage_words),
      m_completion_headers(config.ptc.completion_headers),
      m_left(power_from(config.ptc.header_queue), -1),
      m_left_by_payload(m_left.size(), 0),
      m_left_mask(m_left.size() - 1),
      m_queue(config.ptc.header_queue),
      m_counted(m_tags.first_cycle()) {
    // The port behind the last is the first.
    m_port = config.ports - 1;
}

/// Chooses the port whose group is considered next; false if none is there before cycle `end`.
bool TagManager::choose(cycle_t end) {
    cycle_t first = never;
    for (const UpPort& port : m_ports) {
        if (const Group* group = port.group()) first = std::min(first, group->crossed + m_up_cycles);
    }
    first = std::max(first, m_last + 1);
    if (first >= end) return false;
    const auto count = static_cast<std::uint32_t>(m_ports.size());
    if (count == 1) {
        m_port = 0;
    } else {
        do {
            m_port = m_port + 1 == count ? 0 : m_port + 1;
        } while (m_ports[m_port].group() == nullptr ||
                 m_ports[m_port].group()->crossed + m_up_cycles > first);
    }
    m_from = first;
    m_told.fill(false);
    return m_chosen = true;
}

bool TagManager::grant(cycle_t end, cycle_t dma_end, Granted& granted) {
    if (!m_chosen && !choose(end)) return false;
    UpPort& port = m_ports[m_port];
    const Group& group = *port.group();

    cycle_t cycle = std::max(m_from, m_tags.first_cycle());
    // What binds is the exception: first see whether anything does.
    cycle_t waited = 0;  // for the place before RQ
    bool free = m_words.has_room(m_storage_words, m_words_taken, group.words + 1, m_from) &&
                m_groups < m_groups_left + m_queue && cycle < end;
    if (free) {
        if (m_groups >= m_queue) {
            const cycle_t from = cycle;
            cycle = std::max(cycle, m_left[(m_groups - m_queue) & m_left_mask] + 1);
            free = cycle < end;
            waited = cycle - from;
        }
        free = free && (group.reads == 0 ||
                        (!meters_entries() && m_tags.when_shown(m_from, group.reads, end) == m_from));
    }
    if (!free) {
        cycle = bound(group, end);
        if (cycle >= end) return false;
        waited = count_window_wait(cycle);
    }
    if (waited != 0) count_wait(queue_wait(), cycle - waited, cycle);

    if (group.reads != 0) take(port, group, cycle);
    granted = {cycle, m_port, group.first, group.requests, group.crossed + m_up_cycles};
    port.take_group(cycle);
    // One that waited for this room may be considered before what is at other ports.
    if (m_ports.size() > 1 && port.group() == nullptr) port.advance(dma_end);
    ++m_groups;
    m_last = cycle;
    m_chosen = false;
    return true;
}

/// When a group can be granted for which something may be short; tells the brakes.
cycle_t TagManager::bound(const Group& group, cycle_t end) {
    cycle_t pooled = m_from;
    cycle_t shown = m_from;
    cycle_t entries = m_from;
    if (group.reads != 0) {
        pooled = m_tags.when_pooled(m_from, group.reads);
        shown = m_tags.when_shown(m_from, group.reads, end);
        if (meters_entries()) {
            entries = std::max(m_from, m_entries.when_room_before(end, m_completion_headers, m_entries_taken,
                                                                  group.entries));
        }
    }
    const cycle_t space =
        std::max(m_from, m_words.when_room(m_storage_words, m_words_taken, group.words + 1));
    cycle_t queue = m_from;
    if (m_groups >= m_queue)
        queue = m_groups < m_groups_left + m_queue ? m_left[(m_groups - m_queue) & m_left_mask] + 1 : never;
    const cycle_t cycle = std::max({m_from, m_tags.first_cycle(), pooled, shown, space, entries, queue});

    m_held_until = {pooled, shown, space, entries};
    const std::array<Interval, brakes> held{Interval{m_from, pooled}, Interval{pooled, shown},
                                            Interval{m_from, space}, Interval{m_from, entries}};
    for (std::size_t b = 0; b < brakes; ++b) {
        brake_since[b] = never;
        if (held[b].to <= held[b].from || m_told[b]) continue;
        if (held[b].to < end) {
            brake[b].push(held[b]);
            m_told[b] = true;
        } else {
            brake_since[b] = held[b].from;
        }
    }
    return cycle;
}

/// Counts the cycles that the considered group waited for tags, space or headers until P cycle `cycle` for
/// what came last; returns the cycles that are left.
cycle_t TagManager::count_window_wait(cycle_t cycle) const {
    const auto last = std::max_element(m_held_until.begin(), m_held_until.end());
    const cycle_t until = std::min(*last, cycle);
    cycle_t from = m_from;
    if (last - m_held_until.begin() == for_ports) {
        // The pool comes first.
        from = std::min(m_held_until[for_tags], until);
        count_wait(for_tags, m_from, from);
    }
    count_wait(static_cast<Wait>(last - m_held_until.begin()), from, until);
    return cycle - until;
}

/// Counts what the considered group has waited before P cycle `now`.
void TagManager::count_wait_so_far(cycle_t now) const {
    if (!m_chosen || m_from >= now) return;
    const cycle_t left = count_window_wait(now);
    count_wait(for_queue, now - left, now);
    m_counted = std::max(m_counted, now);
}

/// Of reads that have a tag, up to P cycle `now`.
std::uint64_t TagManager::cycles_under_way(cycle_t now) const {
    std::uint64_t cycles = 0;
    for (const Read& read : m_reads) {
        if (read.outstanding && read.granted < now) cycles += static_cast<std::uint64_t>(now - read.granted);
    }
    return cycles;
}

TagManager::Statistics TagManager::statistics(cycle_t now) const {
    count_wait_so_far(now);
    return {m_groups_before + m_groups, m_waited, m_hold_cycles,
            m_hold_cycles + m_cut_cycles + cycles_under_way(now)};
}

void TagManager::take(UpPort& port, const Group& group, cycle_t cycle) {
    for (std::uint64_t r = group.first; r < group.first + group.requests; ++r) {
        UpPort::Slot& slot = port.slot(r);
        if (!slot.request.read) continue;
        slot.tag = take_tag(cycle, m_port, slot.request, r, slot.words, slot.entries);
    }
    taken(cycle, group.reads, group.words, group.entries);
}

void TagManager::restart(cycle_t from, cycle_t first) {
    count_wait_so_far(from);
    m_cut_cycles += cycles_under_way(from);
    for (std::size_t b = 0; b < brakes; ++b) {
        if (brake_since[b] < from) brake[b].push({brake_since[b], from});
        end_log(brake[b], from);
    }
    m_tag_steps -= end_log(tags_taken, from) + end_log(tags_back, from);
    m_word_steps -= end_log(words_taken, from) + end_log(words_back, from);
    if (m_tag_steps != 0) tags_back.push({from, static_cast<std::int32_t>(-m_tag_steps)});
    if (m_word_steps != 0) words_back.push({from, static_cast<std::int32_t>(-m_word_steps)});
    m_tag_steps = m_word_steps = 0;
    m_tags = TagFifo(m_tag_count, m_write_ports, m_read_ports, first);
    m_counted = m_tags.first_cycle();
    m_words = Returns();
    m_entries = Returns();
    m_words_taken = m_entries_taken = 0;
    m_entries_back = first;
    m_groups_before += m_groups;
    m_groups = m_groups_left = 0;
    m_port = static_cast<std::uint32_t>(m_ports.size()) - 1;
    m_chosen = false;
    m_last = first - 1;
    brake_since.fill(never);
}

}  // namespace tlmetry::endpoint
