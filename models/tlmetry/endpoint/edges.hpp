// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/base/time.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace tlmetry::endpoint {

/// Quotients of a divisor that does not change, without a division.
class Divisor {
public:
    /// `divisor` from 2 to 2^62.
    explicit Divisor(std::uint64_t divisor) {
        while ((divisor - 1) >> m_shift > 1)
            ++m_shift;
        // 2^(64 + shift) / divisor rounded up is below 2^64, as 2^shift is below the divisor. It is too large
        // by less than one part in 2^63, so that quotients of what is below 2^63 are exact.
        const Wide power = Wide{1} << (64 + m_shift);
        m_inverse = static_cast<std::uint64_t>((power + divisor - 1) / divisor);
    }
    /// `dividend` is below 2^63.
    std::uint64_t operator()(std::uint64_t dividend) const {
        return static_cast<std::uint64_t>(Wide{dividend} * m_inverse >> 64) >> m_shift;
    }

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t m_inverse = 0;
    unsigned m_shift = 0;
};

/// The edges of a clock of one period without end. Says the same as its ClockDomain, without a division.
class Edges {
public:
    /// `clock` must have known all its edges from the start.
    explicit Edges(const ClockDomain& clock)
        : m_start(clock.time_of(0)),
          m_period(clock.period_fs()),
          m_cycles(static_cast<std::uint64_t>(m_period)) {}

    time_fs start_fs() const { return m_start; }
    time_fs period_fs() const { return m_period; }
    time_fs time_of(cycle_t edge) const { return m_start + edge * m_period; }

    /// The first edge strictly later than `t`.
    cycle_t first_after(time_fs t) const {
        if (t < m_start) return 0;
        return first_after_started(t);
    }
    /// The same where `t` is not before the first edge.
    cycle_t first_after_started(time_fs t) const {
        // Not a difference of signed numbers, which compilers would multiply as such.
        return static_cast<cycle_t>(
                   m_cycles(static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(m_start))) +
               1;
    }
    /// The first edge at `t` or later.
    cycle_t first_at_or_after(time_fs t) const { return first_after(t - 1); }

private:
    time_fs m_start;
    time_fs m_period;
    Divisor m_cycles;
};

/// From one clock into another: what is done in a cycle of the one is seen by the other `sync_cycles` - 1
/// edges behind its first edge that is strictly later.
class Crossing {
public:
    Crossing(const Edges& from, const Edges& to, cycle_t sync_cycles)
        : Crossing(from, to, sync_cycles, std::gcd(from.period_fs(), to.period_fs()),
                   to.period_fs() <= from.period_fs() && from.period_fs() % to.period_fs() == 0 ? 2 : 1) {}

    cycle_t operator()(cycle_t cycle) const {
        const auto since = static_cast<std::uint64_t>(cycle * m_step + m_offset);
        // Below 0 nothing is over. Of numbers that they know to be signed compilers multiply more.
        return static_cast<cycle_t>(m_cycles(since & ~(std::uint64_t{0} - (since >> 63)))) + m_more;
    }
    /// Edges behind the first that is strictly later.
    cycle_t more() const { return m_more; }
    /// The last cycle whose doings are seen in cycle `cycle` of the other clock or before.
    cycle_t last_seen(cycle_t cycle) const {
        return m_from->first_at_or_after(m_to->time_of(cycle - m_more)) - 1;
    }

private:
    /// `unit`: of which both periods are multiples; `parts`: of it that are counted, so that no period is
    /// one.
    Crossing(const Edges& from, const Edges& to, cycle_t sync_cycles, time_fs unit, std::int64_t parts)
        : m_from(&from),
          m_to(&to),
          m_more(sync_cycles - 1),
          m_step(parts * (from.period_fs() / unit)),
          m_offset(parts * (rounded_down(from.start_fs() - to.start_fs(), unit) + to.period_fs() / unit)),
          m_cycles(static_cast<std::uint64_t>(parts * (to.period_fs() / unit))) {}
    static std::int64_t rounded_down(time_fs t, time_fs unit) {
        return (t - (t % unit + unit) % unit) / unit;
    }

    const Edges* m_from;
    const Edges* m_to;
    cycle_t m_more;
    // From edge to edge, and from the edge before the first of the other clock to the first.
    std::int64_t m_step;
    std::int64_t m_offset;
    Divisor m_cycles;
};

}  // namespace tlmetry::endpoint
