// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// The edges of a clock of one period without end. Says the same as its ClockDomain, without a division.
class Edges {
public:
    /// `clock` must have known all its edges from the start.
    explicit Edges(const ClockDomain& clock)
        : m_start(clock.time_of(0)),
          m_period(static_cast<std::uint64_t>(clock.period_fs())),
          m_inverse(~std::uint64_t{0} / m_period) {}

    time_fs period_fs() const { return static_cast<time_fs>(m_period); }
    time_fs time_of(cycle_t edge) const { return m_start + edge * static_cast<time_fs>(m_period); }

    /// The first edge strictly later than `t`.
    cycle_t first_after(time_fs t) const {
        if (t < m_start) return 0;
        const auto since = static_cast<std::uint64_t>(t - m_start);
        // The product with the rounded inverse is at most one below the quotient.
        std::uint64_t quotient = high_product(since, m_inverse);
        quotient += since - quotient * m_period >= m_period;
        return static_cast<cycle_t>(quotient) + 1;
    }
    /// The first edge at `t` or later.
    cycle_t first_at_or_after(time_fs t) const { return first_after(t - 1); }

private:
    static std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
    }

    time_fs m_start;
    std::uint64_t m_period;
    std::uint64_t m_inverse;
};

/// From one clock into another: what is done in a cycle of the one is seen by the other `sync_cycles` - 1
/// edges behind its first edge that is strictly later.
class Crossing {
public:
    Crossing(const Edges& from, const Edges& to, cycle_t sync_cycles)
        : m_from(&from), m_to(&to), m_more(sync_cycles - 1) {}

    cycle_t operator()(cycle_t cycle) const { return m_to->first_after(m_from->time_of(cycle)) + m_more; }
    /// The last cycle whose doings are seen in cycle `cycle` of the other clock or before.
    cycle_t last_seen(cycle_t cycle) const {
        return m_from->first_at_or_after(m_to->time_of(cycle - m_more)) - 1;
    }

private:
    const Edges* m_from;
    const Edges* m_to;
    cycle_t m_more;
};

}  // namespace tlmetry::endpoint
