// SPDX-License-Identifier: BSD-3-Clause
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "telemetry_sc/pins_outcome.hpp"

#include "telemetry_sc/pin_signals.hpp"

#include <tlmetry/systemc/time.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

namespace tlmetry::testing {

namespace {

using sc_core::sc_clock;

/// The bench around one pin adapter: clocks, a driver of each clock's pins, the resets, and a master's eyes.
class Bench : public sc_core::sc_module {
public:
    Bench(const sc_core::sc_module_name& name, Scenario& scenario, Drive drive)
        : sc_module(name),
          m_scenario(scenario),
          m_drive(drive),
          m_signals(scenario.config),
          m_adapter("adapter", scenario.config) {
        m_signals.bind(m_adapter);
        m_adapter.core().on_delta([this](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
            m_outcome.deltas.push_back({stream, word.channel, word.delta});
        });
        sc_clock& mi = add_clock("mi_clk", scenario.mi, [this] {
            m_scenario.after_mi_edge();
            m_signals.drive(m_scenario.mi_pins);
        });
        m_adapter.mi_clk(mi);
        sc_core::sc_spawn_options look;
        look.spawn_method();
        look.set_sensitivity(&mi.posedge_event());
        look.dont_initialize();
        sc_core::sc_spawn([this] { look_at_answer(); }, "look_at_answer", &look);
        m_adapter.dma_clk(add_clock("dma_clk", scenario.dma, [this] {
            if (!m_scenario.after_dma_edge()) return;
            for (std::uint32_t e = 0; e < m_scenario.pcie.size(); ++e)
                m_signals.drive(e, m_scenario.dma_pins[e]);
        }));
        for (std::uint32_t e = 0; e < scenario.pcie.size(); ++e) {
            m_adapter.pcie_clk[e](add_clock("pcie_clk", scenario.pcie[e], [this, e] {
                if (m_scenario.after_pcie_edge(e)) m_signals.drive(e, m_scenario.pcie_pins[e]);
            }));
        }
        sc_core::sc_spawn([this] { drive_resets(); }, "drive_resets");
    }

    Outcome outcome() {
        m_adapter.core().advance_to(m_scenario.end + 1);
        // The last answer stands on the pins already.
        if (!m_outcome.answers.empty() || m_edges > 0) record_answer();
        m_outcome.answers.resize(static_cast<std::size_t>(m_edges));
        for (std::uint32_t i = 0; i < m_adapter.core().layout().entries; ++i) {
            m_outcome.live.push_back(m_adapter.core().live_counter(i));
            m_outcome.snapshot.push_back(m_adapter.core().snapshot_counter(i));
        }
        m_outcome.dropped_deltas = m_adapter.core().dropped_deltas();
        return std::move(m_outcome);
    }

private:
    /// A clock and the process that drives its pins, behind its edges or together with them.
    sc_clock& add_clock(const char* name, const ScenarioClock& timing, std::function<void()> drive) {
        m_clocks.push_back(std::make_unique<sc_clock>(
            sc_core::sc_gen_unique_name(name), to_sc_time(timing.period), 0.5, to_sc_time(timing.first)));
        sc_core::sc_spawn_options options;
        if (m_drive == Drive::after) {
            options.spawn_method();
            options.set_sensitivity(&m_clocks.back()->posedge_event());
            options.dont_initialize();
            sc_core::sc_spawn(
                [this, drive = std::move(drive)] {
                    if (in_time()) drive();
                },
                sc_core::sc_gen_unique_name("drive"), &options);
        } else {
            sc_core::sc_spawn(
                [this, timing, drive = std::move(drive)] {
                    sc_core::wait(to_sc_time(timing.first));
                    for (; in_time(); sc_core::wait(to_sc_time(timing.period)))
                        drive();
                },
                sc_core::sc_gen_unique_name("drive"), &options);
        }
        return *m_clocks.back();
    }

    bool in_time() const { return kernel_now() <= m_scenario.end; }

    void drive_resets() {
        for (const ResetEvent& event : m_scenario.resets) {
            const time_fs ahead = event.time - kernel_now();
            if (ahead > 0) sc_core::wait(to_sc_time(ahead));
            // Behind the delta cycle in which clocks rise.
            if (m_drive == Drive::after) sc_core::wait(sc_core::SC_ZERO_TIME);
            if (event.line == 0) {
                m_signals.mi_reset.write(event.level);
            } else if (event.line == 1) {
                m_signals.dma_reset.write(event.level);
            } else {
                m_signals.pcie[event.line - 2].reset.write(event.level);
            }
        }
    }

    /// What a master samples at an edge stands there since the edge before.
    void look_at_answer() {
        if (m_signals.mi_ardy.read() != (m_signals.mi_rd.read() || m_signals.mi_wr.read()) &&
            m_drive == Drive::after) {
            throw std::runtime_error("mi_ardy is not mi_rd or mi_wr");
        }
        if (m_edges > 0) record_answer();
        if (in_time()) ++m_edges;
    }
    void record_answer() {
        m_outcome.answers.emplace_back();
        if (m_signals.mi_drdy.read()) m_outcome.answers.back() = m_signals.mi_drd.read();
    }

    Scenario& m_scenario;
    Drive m_drive;
    PinSignals m_signals;
    telemetry::PinAdapter m_adapter;
    std::vector<std::unique_ptr<sc_clock>> m_clocks;
    std::int64_t m_edges = 0;  // of MI
    Outcome m_outcome;
};

}  // namespace

Outcome pins_outcome(std::uint64_t seed, Drive drive) {
    Scenario scenario(seed);
    Bench bench("bench", scenario, drive);
    sc_core::sc_start(to_sc_time(scenario.end + 1));
    return bench.outcome();
}

bool fits_pin_adapter(const telemetry::Config& config) {
    const telemetry::Layout layout(config);
    const auto fits = [](const telemetry::ProbeShape& probe, std::uint32_t eof_pos_width) {
        return probe.buses * probe.regions * std::max(1u, eof_pos_width) <= 64;
    };
    return fits(layout.pcie, config.pcie_eof_pos_width) && fits(layout.dma, config.dma_eof_pos_width);
}

}  // namespace tlmetry::testing
