// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/layout.hpp>
#include <tlmetry/driver/mi_bus.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace tlmetry::driver {

/// The STATUS register.
struct Status {
    bool busy = false;
    bool lost_deltas = false;
    bool readout_overrun = false;

    static Status decode(std::uint32_t word);
};

/// Everything read after one SNAPSHOT command.
struct Snapshot {
    RegisterValues registers;  ///< STATUS, and PCIE_STATUS, PCIE_TAGS, PCIE_STFIFO of each endpoint
    std::vector<std::uint64_t> counters;  ///< as many as the window holds, each below 2^counter_width
    double time = 0;                      ///< seconds of the clock at the command
};

/// The snapshots of one measurement: its start and its end, or one alone for the totals since the last clear.
struct Recording {
    Snapshot first;
    std::optional<Snapshot> second;

    /// Length of the interval; none without a second snapshot.
    std::optional<double> seconds() const {
        return second ? std::optional<double>(second->time - first.time) : std::nullopt;
    }
};

/// Driver of one telemetry component. Every method may throw UserError (from the bus, or of its own).
class Telemetry {
public:
    /// Reads the configuration registers and refuses a component it cannot understand.
    Telemetry(MiBus& bus, Clock& clock);

    const Layout& layout() const { return m_layout; }
    const RegisterValues& configuration() const { return m_configuration; }

    /// Copies all counters at one moment and reads the copy, the status and the levels.
    Snapshot snapshot();

    /// Clears flags and marks and takes two snapshots `interval_s` seconds apart; for 0, takes one and clears
    /// nothing.
    Recording record(double interval_s);

    /// Zeroes the counters, the flags and the lowest values, and waits until that is done.
    void clear();

    /// Clears the flags of lost deltas and overrun.
    void clear_flags();

    /// Restarts the lowest values of the free tags and the free storage FIFO words.
    void clear_marks();

    Status status();

private:
    void command_and_wait(std::uint32_t command);

    MiBus& m_bus;
    Clock& m_clock;
    RegisterValues m_configuration;
    Layout m_layout;
};

}  // namespace tlmetry::driver
