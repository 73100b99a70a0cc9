// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/link_direction.hpp>
#include <tlmetry/endpoint/logs.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint {

/// The RQ bus and the link behind it, up to the arrival of a TLP at the host.
class RqBus {
public:
    RqBus(const Config& config, const Edges& pcie)
        : link(config.link.up_byte_time, config.link.up_errors, config.link.up_damaged,
               config.link.nak_latency_fs, config.seed, "link up"),
          m_pcie(pcie),
          m_link(config.link),
          m_duty(config.rq),
          m_regions(config.buses.rq_regions),
          m_one_start(config.buses.one_start) {}

    struct Passage {
        cycle_t presented = 0;  ///< P cycle of the word with its start
        cycle_t moved = 0;      ///< P cycle of its last word
        time_fs arrival = 0;    ///< at the host
    };

    /// Passes a frame that is available from P cycle `available` on and is `tlp_bytes` long on the link.
    Passage pass(cycle_t available, std::uint32_t regions, std::uint32_t last_items,
                 std::uint32_t tlp_bytes) {
        Passage passage;
        const bool joined = joins(available);
        if (m_duty.always() && has_room(start(available))) {
            // Every word moves in the cycle in which it is presented.
            const Place place = m_word.place(available, regions, m_regions, joined);
            log_frame(log, place, regions, last_items);
            passage.presented = place.presented;
        } else {
            passage.presented = place(joined, available, regions, last_items);
        }
        passage.moved = m_word.moved;
        passage.arrival = send(m_pcie.time_of(m_word.moved), tlp_bytes);
        return passage;
    }

    MfbLog log;

    /// In reset from P cycle `from` on, afresh from `first` on.
    void restart(cycle_t from, cycle_t first) {
        end_log(log, m_regions.count(), from);
        m_word = {first - 1, first - 1, 0};
        m_sent.clear();
        m_taken = m_sent_bytes = 0;
        m_sent_by = 0;
        link.restart(m_pcie.time_of(first));
    }

    LinkDirection link;

private:
    friend class Endpoint;  // its way past everything that cannot bind

    /// A frame that is available from `available` on would start in this cycle if nothing stalled it.
    cycle_t start(cycle_t available) const {
        return joins(available) ? m_word.presented : std::max(m_word.moved + 1, available);
    }
    /// The last word has moved without a stall.
    bool flows() const { return m_word.presented == m_word.moved; }
    /// From `cycle` on, so many bytes can go into the TX buffer without a stall, by what is known.
    std::int64_t sure_bytes(cycle_t cycle) {
        if (room(cycle) != cycle) return 0;
        return static_cast<std::int64_t>(m_link.tx_buffer_bytes + m_sent_bytes - m_taken);
    }

    /// By what is known, there is room for a word in `cycle`.
    bool has_room(cycle_t cycle) const {
        return m_taken < m_link.tx_buffer_bytes + m_sent_bytes && m_sent_by <= cycle;
    }
    bool joins(cycle_t available) const { return !m_one_start && m_word.takes(available, m_regions.count()); }
    struct Sent {
        time_fs at = 0;
        std::uint32_t bytes = 0;
    };

    /// Sends a TLP whose last word moved at time `moved`; tells when it is at the host.
    time_fs send(time_fs moved, std::uint32_t bytes) {
        const time_fs end = link.send(moved + m_link.tx_latency_fs, bytes);
        m_taken += bytes;
        m_sent.extend() = {end, bytes};
        return end + m_link.propagation_fs;
    }
    /// Notes TLPs of together `all_bytes` bytes that have been sent by link.send(), each through at its
    /// `through`. Nobody asks any more what was in the TX buffer at time `now` or before.
    template <class Through, class Bytes>
    void sent_row(const Through& through, std::size_t count, time_fs now, std::uint32_t all_bytes,
                  const Bytes& bytes) {
        m_taken += all_bytes;
        std::size_t over = count;
        while (over != 0 && through(over - 1) >= now)
            all_bytes -= bytes(--over);
        if (over != 0) m_sent.extend() = {through(over - 1), all_bytes};
        for (; over != count; ++over)
            m_sent.extend() = {through(over), bytes(over)};
    }
    cycle_t room(cycle_t cycle);
    cycle_t place(bool joins, cycle_t available, std::uint32_t regions, std::uint32_t last_items);

    const Edges& m_pcie;
    Link m_link;
    Duty m_duty;
    Regions m_regions;
    bool m_one_start;

    OpenWord m_word;
    std::uint64_t m_taken = 0;       // bytes of complete TLPs that went into the TX buffer
    std::uint64_t m_sent_bytes = 0;  // of them that are known to be out
    cycle_t m_sent_by = 0;           // first cycle in which the last of these is
    SlidingQueue<Sent> m_sent;       // the others
};

}  // namespace tlmetry::endpoint
