// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/random.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tlmetry::endpoint {

/// One direction of a link: TLPs one behind the other. One that arrives damaged is sent again when the
/// transmitter has learned of it, and with it everything behind it that has been sent meanwhile.
class LinkDirection {
public:
    static constexpr unsigned fraction_bits = 16;  ///< of times of a byte
    static constexpr std::uint32_t dllp_bytes = 8;

    /// Damaged are `errors` of 2^32 transmissions, at random, and those whose numbers from 0 are in
    /// `damaged`.
    LinkDirection(std::uint64_t byte_time, std::uint32_t errors, std::vector<std::uint64_t> damaged,
                  time_fs nak_latency_fs, std::uint64_t seed, std::string_view name)
        : m_byte_time(byte_time),
          m_fails(errors != 0 || !damaged.empty()),
          m_errors(errors),
          m_damaged(std::move(damaged)),
          m_nak_latency(nak_latency_fs),
          m_random(seed, name) {
        std::sort(m_damaged.begin(), m_damaged.end());
    }

    /// Sends a TLP that is ready at time `ready`; tells when it is through.
    time_fs send(time_fs ready, std::uint32_t bytes) {
        if (m_fails) send_in_vain(ready, bytes);
        hold_until(ready);
        occupy(bytes);
        if (m_fails) repeat(bytes);
        m_statistics.sent_bytes += bytes;
        return m_free;
    }

    /// Sends TLPs and DLLPs like send() and send_dllp(), in fewer steps and with all that changes in a place
    /// of its own, which the compiler need not keep in memory. The link knows of it behind its end.
    class Row;
    /// A Row can be sent of what is ready from time `from` to `to`: no TLP arrives damaged, and the numbers
    /// of the row are large enough.
    bool takes_row(time_fs from, time_fs to) const {
        constexpr time_fs most = time_fs{1} << 45;
        return !m_fails && std::max(to, m_free) - from < most;
    }

    /// Sends a DLLP not before time `at`.
    void send_dllp(time_fs at) {
        hold_until(at);
        occupy(dllp_bytes);
        m_statistics.dllp_bytes += dllp_bytes;
    }

    /// TLPs are sent at this rate from now on: time of one byte in 2^-16 fs.
    void set_byte_time(std::uint64_t byte_time) { m_byte_time = byte_time; }
    /// Nothing is sent before time `t`.
    void hold_until(time_fs t) {
        // Without a branch: whether the link waits is as good as random.
        const time_fs wait = t - m_free;
        m_fraction = only_if(wait <= 0, m_fraction);
        m_free += only_if(wait > 0, wait);
    }
    time_fs free() const { return m_free; }
    /// Nothing is under way, and the link is free from time `t` on.
    void restart(time_fs t) {
        m_free = t;
        m_fraction = 0;
        m_vain.clear();
    }

    struct Statistics {
        std::uint64_t sent_bytes = 0;      ///< of TLPs that came through
        std::uint64_t repeated_bytes = 0;  ///< of TLPs that were sent in vain
        std::uint64_t naks = 0;            ///< times that a TLP arrived damaged
        std::uint64_t dllp_bytes = 0;      ///< of DLLPs
        std::uint64_t all_bytes = 0;       ///< on the lanes: all of these
        std::uint64_t busy_fs = 0;         ///< in which any of these were sent
    };
    const Statistics& statistics() const { return m_statistics; }

private:
    void occupy(std::uint32_t bytes) {
        m_fraction += bytes * m_byte_time;
        m_free += static_cast<time_fs>(m_fraction >> fraction_bits);
        m_fraction &= fraction_mask;
        count(bytes);
    }
    void count(std::uint64_t bytes) {
        m_statistics.all_bytes += bytes;
        m_busy_fraction += bytes * m_byte_time;
        m_statistics.busy_fs += m_busy_fraction >> fraction_bits;
        m_busy_fraction &= fraction_mask;
    }
    bool arrives_damaged() {
        const std::uint64_t number = m_transmissions++;
        bool damaged = m_errors != 0 && static_cast<std::uint32_t>(m_random.next() >> 32) < m_errors;
        for (; m_next_damaged < m_damaged.size() && m_damaged[m_next_damaged] <= number; ++m_next_damaged)
            damaged = damaged || m_damaged[m_next_damaged] == number;
        return damaged;
    }
    /// Sends the last TLP until it arrives.
    [[gnu::noinline]] void repeat(std::uint32_t bytes) {
        while (arrives_damaged()) {
            m_vain.push_back({m_free, m_free + m_nak_latency});
            m_free += m_nak_latency;
            occupy(bytes);
            m_statistics.repeated_bytes += bytes;
            ++m_statistics.naks;
        }
    }
    /// Counts what of a TLP has been sent while the link waited for NAKs of those before it.
    [[gnu::noinline]] void send_in_vain(time_fs ready, std::uint32_t bytes) {
        while (!m_vain.empty() && m_vain.front().until <= ready)
            m_vain.erase(m_vain.begin());
        for (Vain& vain : m_vain) {
            vain.from = std::max(vain.from, ready);
            if (vain.from >= vain.until) continue;
            // The one that is under way when the NAK comes is cut short.
            std::uint64_t sent = bytes;
            if (m_byte_time != 0) {
                const auto room = static_cast<std::uint64_t>(vain.until - vain.from);
                sent = std::min(sent, (room << fraction_bits) / m_byte_time);
                const std::uint64_t taken = std::min(room, (bytes * m_byte_time) >> fraction_bits);
                vain.from += static_cast<time_fs>(taken);
                m_statistics.busy_fs += taken;
            }
            m_statistics.repeated_bytes += sent;
            m_statistics.all_bytes += sent;
        }
    }

    static constexpr std::uint64_t fraction_mask = (std::uint64_t{1} << fraction_bits) - 1;

    std::uint64_t m_byte_time;
    bool m_fails;
    std::uint32_t m_errors;                // of 2^32
    std::vector<std::uint64_t> m_damaged;  // numbers of transmissions
    std::size_t m_next_damaged = 0;        // of them
    std::uint64_t m_transmissions = 0;
    time_fs m_nak_latency;
    Random m_random;
    /// From the end of a damaged TLP until its NAK.
    struct Vain {
        time_fs from;  // what of it is not used yet
        time_fs until;
    };
    std::vector<Vain> m_vain;  // in which TLPs may have been sent that are not known yet
    time_fs m_free = 0;
    std::uint64_t m_fraction = 0;       // of it
    std::uint64_t m_busy_fraction = 0;  // of Statistics::busy_fs
    Statistics m_statistics;
};

class LinkDirection::Row {
public:
    /// Nothing of the row is ready before time `from`. See takes_row().
    Row(LinkDirection& link, time_fs from)
        : m_link(link), m_byte_time(link.m_byte_time), m_from(std::max(from, link.m_free)) {
        m_free = only_if(link.m_free >= from, static_cast<time_fs>(link.m_fraction));
    }
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;
    ~Row() {
        if (m_bytes == 0 && m_dllps == 0) return;
        m_link.m_free = m_from + (m_free >> fraction_bits);
        m_link.m_fraction = static_cast<std::uint64_t>(m_free) & fraction_mask;
        m_link.m_statistics.sent_bytes += m_bytes;
        m_link.m_statistics.dllp_bytes += std::uint64_t{dllp_bytes} * m_dllps;
        m_link.count(m_bytes + std::uint64_t{dllp_bytes} * m_dllps);
    }
    /// Sends a TLP that is ready.
    time_fs send(std::uint32_t bytes) {
        occupy(bytes);
        m_bytes += bytes;
        return m_from + (m_free >> fraction_bits);
    }
    void send_dllp(time_fs at) {
        hold_until(at);
        occupy(dllp_bytes);
        ++m_dllps;
    }
    void hold_until(time_fs t) {
        // Who need not wait goes on in the middle of a femtosecond.
        m_free = std::max(m_free, (t - m_from) * (time_fs{1} << fraction_bits));
    }

    // For who finds out where a row comes to himself: all times are since from() in 2^-16 fs.
    time_fs from() const { return m_from; }
    time_fs free() const { return m_free; }
    std::uint64_t byte_time() const { return m_byte_time; }
    /// TLPs of so many bytes and so many DLLPs have been sent, and the link is free again at `free`.
    void sent(std::uint64_t bytes, std::uint64_t dllps, time_fs free) {
        m_bytes += bytes;
        m_dllps += dllps;
        m_free = free;
    }

private:
    void occupy(std::uint32_t bytes) { m_free += static_cast<time_fs>(bytes * m_byte_time); }

    LinkDirection& m_link;
    std::uint64_t m_byte_time;
    time_fs m_from;
    time_fs m_free;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_dllps = 0;
};

}  // namespace tlmetry::endpoint
