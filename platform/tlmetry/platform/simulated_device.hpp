// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>
#include <tlmetry/mi/initiator.hpp>

#include <functional>
#include <string>

namespace tlmetry::platform {

/// A component of the platform as the driver sees it. For the one SC_THREAD that owns the initiator.
class SimulatedBus : public driver::MiBus {
public:
    /// `base` is the address of the component on the bus. `posted_writes`: see mi::MiBus.
    SimulatedBus(mi::MiInitiator& initiator, std::uint32_t base, bool posted_writes)
        : m_initiator(initiator), m_base(base), m_posted_writes(posted_writes) {}

    std::string name() const override { return "simulated telemetry"; }
    std::uint32_t read32(std::uint32_t address) override;
    void write32(std::uint32_t address, std::uint32_t value) override;
    std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) override;
    bool posted_writes() const override { return m_posted_writes; }

private:
    mi::MiInitiator& m_initiator;
    std::uint32_t m_base;
    bool m_posted_writes;
};

/// Simulated time as software sees it: sleeping lets it pass.
class SimulatedClock : public driver::Clock {
public:
    /// Called after every piece of a long sleep with the time reached; false ends the sleep at once, and so
    /// every later one.
    using Watch = std::function<bool(time_fs now)>;

    /// A sleep passes in pieces of at most `piece_fs`; how long they are changes no result.
    SimulatedClock(mi::MiInitiator& initiator, time_fs piece_fs, Watch watch)
        : m_initiator(initiator), m_piece_fs(piece_fs), m_watch(std::move(watch)) {}

    double now() override;
    void sleep(double seconds) override;

private:
    mi::MiInitiator& m_initiator;
    time_fs m_piece_fs;
    Watch m_watch;
};

}  // namespace tlmetry::platform
