// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/mi/device.hpp>
#include <tlmetry/telemetry/accumulator.hpp>
#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/telemetry/delta_stream.hpp>
#include <tlmetry/telemetry/endpoint_status.hpp>
#include <tlmetry/telemetry/probe.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tlmetry::telemetry {

/// The rising edges of all clocks of the component. DMA_CLK is one for all endpoints.
struct Clocks {
    ClockDomain mi;
    ClockDomain dma;
    std::vector<ClockDomain> pcie;  ///< one per endpoint
};

/// PCIE_TELEMETRY_MI as a plain class over integers: probes, FIFOs, accumulator, status registers and MI
/// registers, exact to the clock edge, without a kernel and without ticking
/// (models/tlmetry/telemetry/README.md).
///
/// The observed pins are told to the probes and the status as words *held from* a cycle on; resets, reads and
/// writes come in time order. A look at time t always sees what the hardware shows at t. Words may be told
/// ahead of time, or on demand by the stimulus hook, but never for a cycle that a look has passed.
class Telemetry : public mi::MiDevice {
public:
    /// `clocks` must live as long as the component. Throws UserError for a configuration the hardware
    /// refuses.
    Telemetry(const Config& config, const Clocks& clocks);

    const Config& config() const { return m_config; }
    const Layout& layout() const { return m_layout; }
    const Clocks& clocks() const { return m_clocks; }

    Probe& pcie_probe(std::uint32_t endpoint) { return *m_probes[std::size_t{2} * endpoint]; }
    Probe& dma_probe(std::uint32_t endpoint) { return *m_probes[std::size_t{2} * endpoint + 1]; }
    EndpointStatus& status(std::uint32_t endpoint) { return *m_status[endpoint]; }
    /// What the pins of a bus mean. PCIe buses: 0 RQ, 1 RC. DMA buses: 2*port UP, 2*port+1 DOWN.
    const BusShape& pcie_bus(std::uint32_t bus) const { return m_pcie_buses[bus]; }
    const BusShape& dma_bus(std::uint32_t bus) const { return m_dma_buses[bus % 2]; }

    /// Called before the component looks at times before `t`: tell all words up to there.
    void on_look(std::function<void(time_fs t)> stimulus) { m_stimulus = std::move(stimulus); }

    /// The stimulus hook, called for a time behind `t`, will change reset pins at `t`: no look before it
    /// takes what is behind it as known. `never`: it will not. To be told again from there.
    void expect_reset(time_fs t) { m_expected_reset = t; }

    /// Reset pins change at time `t`; edges at `t` itself still see the old level.
    void set_mi_reset(time_fs t, bool level);
    void set_dma_reset(time_fs t, bool level);
    void set_pcie_reset(time_fs t, std::uint32_t endpoint, bool level);

    // MI accesses sampled at an edge of the MI clock, in the order of their edges.
    std::uint32_t read(cycle_t edge, std::uint32_t address) override;
    void write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t enables) override;
    std::uint32_t peek(time_fs now, std::uint32_t address) override;

    /// Begins with the memory of counters and the READ_SEL of another component of the same configuration.
    void take_over_counters(const Telemetry& other) {
        m_accumulator->take_over_memory(*other.m_accumulator);
        m_read_live = other.m_read_live;
    }

    /// Goes through all edges of all clocks before `t`.
    void advance_to(time_fs t);
    /// All edges before this time have been gone through: nothing can be told about them any more.
    time_fs now() const { return m_now; }

    /// Stretches of time passed at once because nothing could depend on their course.
    std::uint64_t skipped_stretches() const { return m_skipped; }
    /// Deltas dropped at full FIFOs since the start, of all probes.
    std::uint64_t dropped_deltas() const;
    /// Called with each delta that the accumulator takes, in order; stream 2*e is the PCIe probe of endpoint
    /// e, 2*e+1 its DMA probe. Idle stretches are then walked through like all others.
    void on_delta(std::function<void(std::uint32_t stream, const DeltaFifo::Word& word)> watch) {
        m_accumulator->on_delta(std::move(watch));
    }
    /// What counter `entry` would hold if everything counted before the last look had arrived in the memory:
    /// the live copy plus what is still in the probe and on the way. Modulo 2^CNT_WIDTH.
    std::uint64_t counted(std::uint32_t entry) const;
    /// Counter `entry` of the live copy, as of the last look.
    std::uint64_t live_counter(std::uint32_t entry) const { return m_accumulator->live(entry); }
    std::uint64_t snapshot_counter(std::uint32_t entry) const { return m_accumulator->snapshot(entry); }

private:
    /// Resets of one probe, as its clock sees them.
    struct ProbeReset {
        bool pin = false;
        bool hit = false;          // an edge has seen a reset since the last restart
        cycle_t pin_from = never;  // first edge that may see the pin high
        cycle_t pin_free = 0;      // first edge that sees it low again
        cycle_t mi_free = 3;  // first edge that sees the synchronised MI_RESET low; power-up counts as one
        cycle_t stop = never;
        // Edges [from, to) of the last reset that was seen.
        cycle_t last_stop = never;
        cycle_t last_start = never;
    };

    bool probe_reset(std::size_t probe) const { return m_mi_reset || m_resets[probe].pin; }
    void begin_reset(std::size_t probe, time_fs t, bool by_pin);
    void end_reset(std::size_t probe, time_fs t, bool by_pin);

    void go_to(time_fs t);
    bool skip_idle(time_fs t);
    bool find_restart(time_fs t, time_fs& restart, std::vector<std::int64_t>& windows) const;
    bool idle();
    time_fs busy_bound() const;
    void update_quiet();

    std::uint32_t look(cycle_t edge, std::uint32_t address);
    std::uint32_t register_value(cycle_t edge, std::uint32_t offset);
    std::uint32_t counter_word(std::uint32_t address) const;
    void make_constant_registers();

    Config m_config;
    Layout m_layout;
    const Clocks& m_clocks;
    BusShape m_pcie_buses[2];
    BusShape m_dma_buses[2];

    // Probe 2*e is the PCIe probe of endpoint e, 2*e+1 its DMA probe; streams are numbered alike.
    std::vector<std::unique_ptr<Probe>> m_probes;
    std::vector<std::unique_ptr<EndpointStatus>> m_status;
    std::vector<DeltaStream> m_streams;
    std::unique_ptr<Accumulator> m_accumulator;
    std::vector<ProbeReset> m_resets;
    bool m_mi_reset = false;
    cycle_t m_mi_reset_from = never;
    cycle_t m_mi_free_from = 0;  // first MI edge behind the last reset
    std::function<void(time_fs)> m_stimulus;

    time_fs m_now = 0;  // all edges before it have been gone through
    time_fs m_expected_reset = never;
    time_fs m_quiet_until = 0;  // a look before it sees what a look at m_now sees
    bool m_uniform_clocks = false;
    time_fs m_shortest_drain = never;
    time_fs m_longest_drain = never;
    time_fs m_busy_bound = never;  // longest time the accumulator can be busy in a row; never = not provable

    std::vector<std::uint32_t> m_constants;  // the registers below 0x100 that never change
    bool m_read_live = false;
    bool m_flag_toggle = false;
    cycle_t m_last_edge = -1;
    std::uint64_t m_skipped = 0;
};

}  // namespace tlmetry::telemetry
