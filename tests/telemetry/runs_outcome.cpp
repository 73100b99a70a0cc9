// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry/outcome.hpp"
#include "telemetry/scenario_player.hpp"

#include <tlmetry/telemetry/mi_pins.hpp>
#include <tlmetry/telemetry/probe_pins.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <utility>

namespace tlmetry::testing {

namespace {

class RunsModel {
public:
    RunsModel(const Scenario& scenario, Drive drive, const Way& way)
        : m_scenario(scenario),
          m_drive(drive),
          m_way(way),
          m_clocks(clocks(scenario, way)),
          m_core(scenario.config, m_clocks),
          m_mi(m_core),
          m_pcie_edges(scenario.pcie.size(), 0) {
        if (way.watch_deltas) {
            m_core.on_delta([this](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
                m_outcome.deltas.push_back({stream, word.channel, word.delta});
            });
        }
        drive_dma();
        for (std::uint32_t e = 0; e < m_pcie_edges.size(); ++e)
            drive_pcie(e);
    }

    void edges(const Edges& now) {
        if (m_way.recorded_clocks) record(now);
        if (now.dma) ++m_dma_edges;
        for (std::uint32_t e = 0; e < m_pcie_edges.size(); ++e)
            m_pcie_edges[e] += now.pcie >> e & 1;
        if (!now.mi) return;
        const MiPins& pins = m_mi_pins;
        m_mi.edge(m_mi_edges++,
                  {m_mi_reset, pins.rd, pins.wr, pins.addr, pins.dwr, static_cast<std::uint8_t>(pins.be)});
        m_outcome.answers.emplace_back();
        if (m_mi.answer()) m_outcome.answers.back() = m_mi.answer()->data;
    }
    void drive_mi() { m_mi_pins = m_scenario.mi_pins; }
    void drive_dma() {
        for (std::uint32_t e = 0; e < m_pcie_edges.size(); ++e) {
            const std::vector<BusPins>& buses = m_scenario.dma_pins[e].bus;
            telemetry::Probe& probe = m_core.dma_probe(e);
            for (std::uint32_t b = 0; b < buses.size(); ++b) {
                const BusPins& bus = buses[b];
                probe.mfb(b).hold(m_dma_edges, decode(m_core.dma_bus(b), bus));
                probe.mvb(b).hold(m_dma_edges,
                                  {bus.mvb_src_rdy, bus.mvb_dst_rdy,
                                   static_cast<std::uint32_t>(__builtin_popcountll(bus.mvb_vld))});
            }
        }
    }
    void drive_pcie(std::uint32_t e) {
        const PciePins& pins = m_scenario.pcie_pins[e];
        const cycle_t from = m_pcie_edges[e];
        telemetry::Probe& probe = m_core.pcie_probe(e);
        for (std::uint32_t b = 0; b < 2; ++b)
            probe.mfb(b).hold(from, decode(m_core.pcie_bus(b), pins.bus[b]));
        probe.brakes().hold(from, {pins.brake});
        m_core.status(e).hold(from, {pins.tag_free, pins.stfifo_free,
                                     telemetry::settings_of_pins(pins.mps, pins.mrrs, pins.ext_tag,
                                                                 pins.tag10, pins.rcb, pins.link_up)});
    }
    void reset(const ResetEvent& event) {
        const time_fs t = m_drive == Drive::after ? event.time : event.time - 1;
        if (event.line == 0) {
            m_mi_reset = event.level;
            m_core.set_mi_reset(t, event.level);
        } else if (event.line == 1) {
            m_core.set_dma_reset(t, event.level);
        } else {
            m_core.set_pcie_reset(t, event.line - 2, event.level);
        }
    }

    Outcome outcome() {
        m_core.advance_to(m_scenario.end + 1);
        for (std::uint32_t i = 0; i < m_core.layout().entries; ++i) {
            m_outcome.live.push_back(m_core.live_counter(i));
            m_outcome.snapshot.push_back(m_core.snapshot_counter(i));
        }
        m_outcome.dropped_deltas = m_core.dropped_deltas();
        m_outcome.skipped_stretches = m_core.skipped_stretches();
        return std::move(m_outcome);
    }

private:
    static telemetry::Clocks clocks(const Scenario& s, const Way& way) {
        const auto clock = [&](const ScenarioClock& c) {
            return way.recorded_clocks ? ClockDomain() : ClockDomain(c.period, c.first);
        };
        telemetry::Clocks clocks{clock(s.mi), clock(s.dma), {}};
        for (const auto& c : s.pcie)
            clocks.pcie.push_back(clock(c));
        return clocks;
    }
    void record(const Edges& now) {
        if (now.mi) m_clocks.mi.append(now.time);
        if (now.dma) m_clocks.dma.append(now.time);
        for (std::size_t e = 0; e < m_clocks.pcie.size(); ++e) {
            if ((now.pcie >> e & 1) != 0) m_clocks.pcie[e].append(now.time);
        }
    }
    static telemetry::MfbWord decode(const telemetry::BusShape& shape, const BusPins& bus) {
        return shape.decode({bus.src_rdy, bus.dst_rdy, bus.sof, bus.eof, bus.eof_pos});
    }

    const Scenario& m_scenario;
    Drive m_drive;
    Way m_way;
    telemetry::Clocks m_clocks;
    telemetry::Telemetry m_core;
    telemetry::MiPins m_mi;
    MiPins m_mi_pins;
    bool m_mi_reset = false;
    cycle_t m_mi_edges = 0;
    cycle_t m_dma_edges = 0;
    std::vector<cycle_t> m_pcie_edges;
    Outcome m_outcome;
};

}  // namespace

Outcome runs_outcome(std::uint64_t seed, Drive drive, const Way& way) {
    Scenario scenario(seed);
    RunsModel model(scenario, drive, way);
    play(scenario, drive, model);
    return model.outcome();
}

}  // namespace tlmetry::testing
