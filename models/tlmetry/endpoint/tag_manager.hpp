// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/reads.hpp>
#include <tlmetry/endpoint/returns.hpp>
#include <tlmetry/endpoint/tag_fifo.hpp>
#include <tlmetry/endpoint/up_port.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint {

/// A group on its way from the tag manager to RQ.
struct Granted {
    cycle_t cycle = 0;  // P
    std::uint32_t port = 0;
    std::uint64_t first = 0;  // number of its first request at the port
    std::uint32_t requests = 0;
    cycle_t arrived = 0;  // P cycle from which on it was at the tag manager
};

/// Grants groups of requests: tags, storage FIFO words, completion headers, and the place before RQ.
class TagManager {
public:
    static constexpr std::size_t brakes = 4;  ///< PCIE_PTC_BRAKE 0 to 3
    /// Cycles from a completion on RC to its entries.
    static constexpr cycle_t entries_cycles = 4;

    TagManager(const Config& config, std::vector<UpPort>& ports, Reads& reads);

    /// Grants the next group, if that is before P cycle `end`. The ports know what is presented before D
    /// cycle `dma_end`.
    bool grant(cycle_t end, cycle_t dma_end, Granted& granted);

    /// The oldest group that had not left has left for RQ: its last start was presented in cycle `presented`.
    /// `by_payload`: then its payload came, which it had waited for.
    void left(cycle_t presented, bool by_payload = false) {
        const std::uint64_t place = m_groups_left++ & m_left_mask;
        m_left[place] = presented;
        m_left_by_payload[place] = by_payload;
    }

    /// The same for `count` groups, none of which waited for its payload longer than for anything else.
    void left_flowing(const cycle_t* presented, std::size_t count) {
        const std::size_t first = count - std::min(count, m_left.size());
        for (std::size_t i = first; i != count; ++i) {
            const std::uint64_t place = (m_groups_left + i) & m_left_mask;
            m_left[place] = presented[i];
            m_left_by_payload[place] = 0;
        }
        m_groups_left += count;
    }

    // A header left the storage FIFO in `cycle`, and with it come back:
    void words_back_from(cycle_t cycle, std::uint32_t words) {
        if (words == 0) return;
        m_words.give(cycle + m_words_cycles, words);
        m_word_steps += words;
        words_back.extend() = {cycle + m_words_cycles, static_cast<std::int32_t>(words)};
    }
    /// The same of headers that left one after the other, with `count` numbers of words.
    void words_back_from(const cycle_t* cycles, const std::uint32_t* words, std::size_t count) {
        Step* step = words_back.extend(count);
        Returns::Return* back = m_words.extend(count);
        std::size_t given = 0;
        std::int64_t steps = 0;
        for (std::size_t i = 0; i != count; ++i) {
            const cycle_t at = cycles[i] + m_words_cycles;
            step[given] = {at, static_cast<std::int32_t>(words[i])};
            back[given] = {at, words[i]};
            given += words[i] != 0;
            steps += words[i];
        }
        m_word_steps += steps;
        words_back.take_back(count - given);
        m_words.take_back(count - given);
    }
    void tag_back_from(cycle_t cycle, std::uint32_t tag) {
        m_hold_cycles += static_cast<std::uint64_t>(cycle - m_reads[tag].granted);
        m_tags.release(cycle, tag);
        tags_back.extend() = {cycle + TagFifo::pool_cycles, 1};
        ++m_tag_steps;
    }
    /// Completion headers are metered.
    bool meters_entries() const { return m_completion_headers != 0; }
    void entries_back(cycle_t moved, std::uint32_t entries) {
        const cycle_t at = moved + entries_cycles;
        // Those of a lost read may come before others that are known.
        if (at < m_entries_back) return m_entries.give_earlier(at, entries);
        m_entries_back = at;
        m_entries.give(at, entries);
    }
    /// The same of `count` completions, each of which moved in the cycle `moved(i)` and returns `entries(i)`,
    /// none before the one in front of it.
    template <class Moved, class Entries>
    void entries_back(const Moved& moved, const Entries& entries, std::size_t count) {
        if (moved(0) + entries_cycles < m_entries_back) {
            for (std::size_t i = 0; i != count; ++i)
                entries_back(moved(i), entries(i));
            return;
        }
        Returns::Return* const back = m_entries.extend(count);
        cycle_t at = 0;
        for (std::size_t i = 0; i != count; ++i) {
            at = moved(i) + entries_cycles;
            back[i] = {at, entries(i)};
        }
        m_entries_back = at;
    }

    /// In reset from P cycle `from` on, with everything free; afresh from `first` on. To be told while reads
    /// that it loses are outstanding.
    void restart(cycle_t from, cycle_t first);

    std::array<BrakeLog, brakes> brake;
    std::array<cycle_t, brakes> brake_since{never, never, never, never};
    LevelLog tags_taken, tags_back;    ///< steps of the pool level
    LevelLog words_taken, words_back;  ///< steps of the free words

    /// Tags and words that have been taken and are not known to come back.
    std::int64_t tags_held() const { return -m_tag_steps; }
    std::int64_t words_held() const { return -m_word_steps; }

    /// What groups wait for at the manager.
    enum Wait : std::size_t {
        for_tags,     ///< brake 0
        for_ports,    ///< brake 1
        for_space,    ///< brake 2
        for_headers,  ///< brake 3
        for_queue,    ///< the place before RQ, which a group holds that waits for RQ or the link
        for_payload,  ///< the same, while that group waits for its payload on UP
    };
    static constexpr std::size_t waits = 6;
    struct Statistics {
        std::uint64_t groups = 0;  ///< granted, one a cycle
        /// Cycles in which the group that is considered was not granted, by what came last: of those before a
        /// look, by what was known then.
        std::array<std::uint64_t, waits> waited{};
        std::uint64_t hold_cycles = 0;  ///< sum over reads that gave their tag back, from grant to release
        std::uint64_t tag_cycles = 0;   ///< the same with those lost in a reset or under way, up to now
    };
    /// With the group that waits since it was considered, up to P cycle `now`. No count goes back between two
    /// looks.
    Statistics statistics(cycle_t now) const;

private:
    friend class Endpoint;  // its way past everything that cannot bind

    /// Tags and entries are certainly there for so many reads in cycle `cycle`, when all that leaves or
    /// arrives before `end` has been told.
    bool certain(cycle_t cycle, cycle_t end, std::uint32_t reads, std::uint32_t entries) {
        return m_tags.shows(cycle, reads, end) &&
               (!meters_entries() ||
                m_entries.has_room(m_completion_headers, m_entries_taken, entries, cycle));
    }
    /// Storage words that are free in `cycle` and later, by what is known; a group needs one more than it
    /// takes.
    std::int64_t sure_words(cycle_t cycle) { return m_words.sure(m_storage_words, m_words_taken, cycle); }
    /// Entries that are free in `cycle` and later, by what is known.
    std::int64_t sure_entries(cycle_t cycle) {
        return m_entries.sure(m_completion_headers, m_entries_taken, cycle);
    }
    /// The queue before RQ, from which all groups have left some time, has no place in `cycle`.
    bool queue_is_full(cycle_t cycle) const {
        return m_groups >= m_queue && m_left[(m_groups - m_queue) & m_left_mask] >= cycle;
    }
    bool choose(cycle_t end);
    cycle_t bound(const Group& group, cycle_t end);
    void take(UpPort& port, const Group& group, cycle_t cycle);
    /// Why the place before RQ that the next group needs was taken so long.
    Wait queue_wait() const {
        return m_left_by_payload[(m_groups - m_queue) & m_left_mask] != 0 ? for_payload : for_queue;
    }
    /// The group that is considered waited from P cycle `from` to `to`, if no look has counted that.
    void count_wait(Wait wait, cycle_t from, cycle_t to) const {
        m_waited[wait] += static_cast<std::uint64_t>(std::max<cycle_t>(0, to - std::max(from, m_counted)));
    }
    cycle_t count_window_wait(cycle_t cycle) const;
    void count_wait_so_far(cycle_t now) const;
    std::uint64_t cycles_under_way(cycle_t now) const;
    /// A read of port `port`, its `number`-th request, gets a tag in `cycle`.
    std::uint32_t take_tag(cycle_t cycle, std::uint32_t port, const Request& request, std::uint64_t number,
                           std::uint32_t words, std::uint32_t entries) {
        const std::uint32_t tag = m_tags.take(cycle);
        Read& read = m_reads[tag];
        read.address = request.address;
        read.length = request.length;
        read.port = port;
        read.outstanding = true;
        read.words = words;
        read.entries = entries;
        read.number = m_reads_granted++;
        read.granted = cycle;
        read.request = number;
        return tag;
    }
    /// So much has been taken in `cycle`.
    void taken(cycle_t cycle, std::uint32_t reads, std::uint32_t words, std::uint32_t entries) {
        tags_taken.extend() = {cycle + 1, -static_cast<std::int32_t>(reads)};
        words_taken.extend() = {cycle + 1, -static_cast<std::int32_t>(words)};
        m_tag_steps -= reads;
        m_word_steps -= words;
        m_words_taken += words;
        m_entries_taken += entries;
    }

    std::vector<UpPort>& m_ports;
    Reads& m_reads;
    cycle_t m_up_cycles;
    cycle_t m_words_cycles;  // from a header that leaves to its words
    std::uint32_t m_tag_count;
    std::uint32_t m_write_ports;
    std::uint32_t m_read_ports;
    TagFifo m_tags;
    Returns m_words;
    Returns m_entries;
    std::uint64_t m_storage_words;
    std::uint64_t m_completion_headers;
    std::uint64_t m_words_taken = 0;
    // Sums of all steps of the levels.
    std::int64_t m_tag_steps = 0;
    std::int64_t m_word_steps = 0;
    std::uint64_t m_entries_taken = 0;
    cycle_t m_entries_back = 0;

    // When groups have left, by their number; the queue may be shorter than the ring.
    std::vector<cycle_t> m_left;
    std::vector<std::uint8_t> m_left_by_payload;
    std::uint64_t m_left_mask;
    std::uint64_t m_queue;
    std::uint64_t m_groups = 0;
    std::uint64_t m_groups_left = 0;

    std::uint32_t m_port = 0;
    bool m_chosen = false;
    std::array<bool, brakes> m_told{};           // how long it was held by each brake
    std::array<cycle_t, brakes> m_held_until{};  // by each of them, as far as is known
    cycle_t m_from = 0;                          // first cycle in which the chosen group was considered
    cycle_t m_last = -1;                         // cycle of the last grant
    std::uint64_t m_reads_granted = 0;
    std::uint64_t m_groups_before = 0;  // the last reset
    std::uint64_t m_hold_cycles = 0;
    std::uint64_t m_cut_cycles = 0;  // the same of reads that a reset has ended
    // What a look has told stays so: the wait of the considered group before cycle m_counted. Nor does any
    // count before the first cycle of the tags.
    mutable std::array<std::uint64_t, waits> m_waited{};
    mutable cycle_t m_counted;
};

}  // namespace tlmetry::endpoint
