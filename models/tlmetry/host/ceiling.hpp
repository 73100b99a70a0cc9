// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/host/wide.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tlmetry::host {

/// Bytes per second as time per cache line, in steps of 2^-16 fs; 0 for no limit.
std::uint64_t line_time(std::uint64_t bytes_per_s);

/// Lines one after the other at a rate, in the order in which they are asked for.
class Ceiling {
public:
    void set_rate(std::uint64_t bytes_per_s) { m_line_time = line_time(bytes_per_s); }
    bool limits() const { return m_line_time != 0; }

    /// Takes `lines` at time `t`, not before that of the call before.
    void take(time_fs t, std::uint32_t lines) {
        if (t > m_free) {
            m_free = t;
            m_fraction = 0;
        }
        m_first = m_free;
        // Kept, so that any number of lines takes as long as all of them at once.
        m_fraction += lines * m_line_time;
        m_free = std::min(m_free + static_cast<time_fs>(m_fraction >> 16), never);
        m_fraction &= 0xFFFF;
    }
    /// When a line, from 0, of those taken last is begun.
    time_fs start(std::uint32_t line) const {
        return m_first + static_cast<time_fs>(line * m_line_time >> 16);
    }

private:
    std::uint64_t m_line_time = 0;
    time_fs m_free = 0;
    std::uint64_t m_fraction = 0;
    time_fs m_first = 0;
};

/// Reads and writes at one rate together. While both wait each gets its share of the rate, else the one that
/// does gets all of it, as if lines were infinitely small. How much is waiting is exact at any time; when
/// something will be served is told under the assumption that nothing else comes, so what comes later delays
/// what is asked for after it.
class SharedCeiling {
public:
    enum Direction : std::size_t { read, write };

    void set_rate(std::uint64_t bytes_per_s, std::uint32_t read_weight, std::uint32_t write_weight);
    bool limits() const { return m_line_time != 0; }

    /// Takes `lines` at time `t`, not before that of the call before.
    void take(Direction direction, time_fs t, std::uint32_t lines) {
        serve_until(t);
        m_direction = direction;
        m_before = m_waiting[direction];
        m_other = m_waiting[1 - direction];
        m_fraction += lines * m_line_time;
        m_waiting[direction] = std::min(m_before + static_cast<time_fs>(m_fraction >> 16), most_waiting);
        m_fraction &= 0xFFFF;
    }
    /// When a line, from 0, of those taken last is begun.
    time_fs start(std::uint32_t line) const {
        const time_fs mine = m_before + static_cast<time_fs>((line + 1) * m_line_time >> 16);
        const Wide slowed = static_cast<Wide>(mine) * m_slowdown[m_direction] >> 32;
        const time_fs all = mine + m_other;
        const time_fs end = slowed < static_cast<Wide>(all) ? static_cast<time_fs>(slowed) : all;
        return m_now + end - static_cast<time_fs>(m_line_time >> 16);
    }

private:
    static constexpr time_fs most_waiting = never / 4;  // keeps sums of times in range

    void serve_until(time_fs t) {
        const time_fs passed = t - m_now;
        m_now = t;
        if (m_waiting[read] + m_waiting[write] <= passed) {
            m_waiting = {0, 0};
            return;
        }
        auto reads = static_cast<time_fs>(static_cast<Wide>(passed) * m_read_share >> 32);
        reads = std::min(reads, m_waiting[read]);
        const time_fs writes = std::min(passed - reads, m_waiting[write]);
        m_waiting[read] -= passed - writes;
        m_waiting[write] -= writes;
    }

    std::uint64_t m_line_time = 0;
    std::uint64_t m_read_share = 0;             // 2^-32
    std::array<std::uint64_t, 2> m_slowdown{};  // one divided by the share, 2^-32
    std::array<time_fs, 2> m_waiting{};         // as time at the whole rate
    std::uint64_t m_fraction = 0;
    time_fs m_now = 0;
    // What was taken last.
    Direction m_direction = read;
    time_fs m_before = 0;
    time_fs m_other = 0;
};

}  // namespace tlmetry::host
