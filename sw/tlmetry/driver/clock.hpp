// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tlmetry::driver {

/// Intervals that can be measured, in seconds: from below the resolution of any clock, so that every rate
/// stays finite, to decades.
inline constexpr double shortest_interval_s = 1e-18;
inline constexpr double longest_interval_s = 1e9;

/// The time in which a bus lives: host time for a card, simulated time inside a simulation.
class Clock {
public:
    virtual ~Clock() = default;

    /// Seconds since some fixed moment; never goes back.
    virtual double now() = 0;

    /// Returns when `seconds` have passed.
    virtual void sleep(double seconds) = 0;
};

/// Time of the host (monotonic).
class HostClock : public Clock {
public:
    double now() override;
    void sleep(double seconds) override;
};

}  // namespace tlmetry::driver
