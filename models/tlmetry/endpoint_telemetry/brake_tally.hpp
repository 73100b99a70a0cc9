// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <array>
#include <cstdint>

namespace tlmetry::endpoint_telemetry {

/// A condition of which each cycle counts: its log, and since when it holds with no end known (`never`: it
/// does not).
struct Brake {
    endpoint::BrakeLog* log = nullptr;
    const cycle_t* since = nullptr;
};

/// Counts the cycles of all PCIE_PTC_BRAKE into their channels, and takes intervals that are over out of
/// their logs.
class BrakeTally {
public:
    /// Logs and cycles must live as long as this.
    explicit BrakeTally(const std::array<Brake, telemetry::brake_pins>& brakes) : m_brakes(brakes) {}

    /// First cycle in which something is to be counted.
    cycle_t next() const;
    /// Counts what happens below `end`.
    void pass(cycle_t end, std::uint64_t* counts, bool&);

private:
    std::array<Brake, telemetry::brake_pins> m_brakes;
    cycle_t m_passed = 0;
};

}  // namespace tlmetry::endpoint_telemetry
