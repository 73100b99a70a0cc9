// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>
#include <tlmetry/base/time.hpp>

#include <cstdint>
#include <string_view>

namespace tlmetry::endpoint {

/// One direction of a link: TLPs one behind the other, and again those that arrive damaged.
class LinkDirection {
public:
    LinkDirection(std::uint64_t byte_time, std::uint32_t errors, time_fs nak_latency_fs, std::uint64_t seed,
                  std::string_view name)
        : m_byte_time(byte_time), m_errors(errors), m_nak_latency(nak_latency_fs), m_random(seed, name) {}

    /// Sends a TLP that is ready at time `ready`; tells when it is through.
    time_fs send(time_fs ready, std::uint32_t bytes) {
        if (ready > m_free) {
            m_free = ready;
            m_fraction = 0;
        }
        occupy(bytes);
        if (m_errors != 0) repeat(bytes);
        m_statistics.sent_bytes += bytes;
        return m_free;
    }

    /// TLPs are sent at this rate from now on: time of one byte in 2^-16 fs.
    void set_byte_time(std::uint64_t byte_time) { m_byte_time = byte_time; }
    /// Nothing is sent before time `t`.
    void hold_until(time_fs t) {
        if (t > m_free) {
            m_free = t;
            m_fraction = 0;
        }
    }
    time_fs free() const { return m_free; }
    /// Nothing is under way, and the link is free from time `t` on.
    void restart(time_fs t) {
        m_free = t;
        m_fraction = 0;
    }

    struct Statistics {
        std::uint64_t sent_bytes = 0;      ///< of TLPs that came through
        std::uint64_t repeated_bytes = 0;  ///< of TLPs that were sent in vain
        std::uint64_t busy_fs = 0;         ///< in which TLPs were sent
    };
    const Statistics& statistics() const { return m_statistics; }

private:
    void occupy(std::uint32_t bytes) {
        m_fraction += bytes * m_byte_time;
        const auto duration = static_cast<time_fs>(m_fraction >> fraction_bits);
        m_fraction &= (std::uint64_t{1} << fraction_bits) - 1;
        m_free += duration;
        m_statistics.busy_fs += static_cast<std::uint64_t>(duration);
    }
    [[gnu::noinline]] void repeat(std::uint32_t bytes) {
        while (static_cast<std::uint32_t>(m_random.next() >> 32) < m_errors) {
            m_free += m_nak_latency;
            occupy(bytes);
            m_statistics.repeated_bytes += bytes;
        }
    }

    static constexpr unsigned fraction_bits = 16;

    std::uint64_t m_byte_time;
    std::uint32_t m_errors;  // of 2^32
    time_fs m_nak_latency;
    Random m_random;
    time_fs m_free = 0;
    std::uint64_t m_fraction = 0;  // of it
    Statistics m_statistics;
};

}  // namespace tlmetry::endpoint
