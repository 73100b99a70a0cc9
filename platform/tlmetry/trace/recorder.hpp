// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/device/simulated_card.hpp>
#include <tlmetry/ptt/link_tap.hpp>
#include <tlmetry/ptt/trace_config.hpp>
#include <tlmetry/ptt/trace_unit.hpp>
#include <tlmetry/ptt_driver/trace_driver.hpp>
#include <tlmetry/ptt_driver/trace_targets.hpp>
#include <tlmetry/ptt_driver/unit_bus.hpp>

#include <array>
#include <cstdint>

namespace tlmetry::trace {

/// The root ports of a core and the endpoints behind them, if their links are up.
ptt::TraceTargets targets_of(const device::SimulatedCard::Config& card, std::uint32_t core);

/// Traces a simulated card: a trace unit listens to its links, its driver hands over what it writes.
///
///     links -> tap -> trace unit -> four buffers -> driver -> sink
class Recorder {
public:
    struct Config {
        ptt::TraceConfig trace;
        std::uint32_t core = 0;
        std::uint32_t buffer_bytes = ptt::TraceDriver::buffer_bytes;
        time_fs tick_fs = fs_per_ns;  ///< of the times of records
        /// From an interrupt until the driver serves it: 0, or not so short that it takes long to simulate.
        time_fs reader_delay_fs = 0;

        static constexpr time_fs least_delay_fs = fs_per_us;
    };

    /// The card must have requests of its own, and not be restarted (SimulatedCard::restart_fs) while this
    /// lives. Throws UserError for a filter that is none of its targets.
    /// `memory` is that of the ring.
    Recorder(device::SimulatedCard& card, const Config& config,
             const std::array<std::uint8_t*, ptt::TraceDriver::buffers>& memory, ptt::TraceDriver::Sink sink);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Begins and ends the trace at the present time of the card.
    void start();
    void stop();

    const ptt::TraceDriver::Statistics& statistics() const { return m_driver.statistics(); }
    const ptt::TraceUnit::Statistics& unit_statistics() const { return m_unit.statistics(); }

private:
    /// BAR 2 of the unit.
    class Bus : public ptt::UnitBus {
    public:
        explicit Bus(ptt::TraceUnit& unit) : m_unit(unit) {}
        std::uint32_t read32(std::uint32_t offset) override { return m_unit.read(offset).value_or(0); }
        void write32(std::uint32_t offset, std::uint32_t value) override { m_unit.write(offset, value); }

    private:
        ptt::TraceUnit& m_unit;
    };

    void serve();
    void catch_up();
    void advance(time_fs t);
    void interrupt(time_fs at);

    device::SimulatedCard& m_simulated;
    Config m_config;
    ptt::TraceDriver::Sink m_sink;
    ptt::LinkTap m_tap;
    ptt::TraceUnit m_unit;
    Bus m_bus;
    ptt::TraceDriver m_driver;
    time_fs m_passed = 0;     // the unit has seen everything before
    time_fs m_serve = never;  // when the driver comes
};

}  // namespace tlmetry::trace
