// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry_sc/outcome.hpp"

#include "reference/ticking_telemetry.hpp"
#include "telemetry_sc/scenario_player.hpp"

#include <tlmetry/telemetry/mi_pins.hpp>
#include <tlmetry/telemetry/probe_pins.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

namespace tlmetry::testing {

namespace {

TickingConfig ticking_config(const telemetry::Config& c) {
    TickingConfig t;
    t.pcie_endpoints = c.pcie_endpoints;
    t.dma_ports = c.dma_ports;
    t.pcie_rq_mfb_regions = c.pcie_rq_mfb_regions;
    t.pcie_rc_mfb_regions = c.pcie_rc_mfb_regions;
    t.dma_up_mfb_regions = c.dma_up_mfb_regions;
    t.dma_down_mfb_regions = c.dma_down_mfb_regions;
    t.pcie_rq_mfb_region_bytes = c.pcie_rq_mfb_region_bytes;
    t.pcie_rc_mfb_region_bytes = c.pcie_rc_mfb_region_bytes;
    t.dma_up_mfb_region_bytes = c.dma_up_mfb_region_bytes;
    t.dma_down_mfb_region_bytes = c.dma_down_mfb_region_bytes;
    t.mfb_item_bytes = c.mfb_item_bytes;
    t.pcie_eof_pos_width = c.pcie_eof_pos_width;
    t.dma_eof_pos_width = c.dma_eof_pos_width;
    t.cnt_width = c.cnt_width;
    t.drain_period = c.drain_period;
    t.tag_capacity = c.tag_capacity;
    t.stfifo_capacity = c.stfifo_capacity;
    t.padding_documented = c.padding == telemetry::Padding::documented;
    t.memory_ones = c.memory_starts_at_ones;
    return t;
}

class TickingModel {
public:
    explicit TickingModel(const Scenario& scenario)
        : m_scenario(scenario), m_ticking(ticking_config(scenario.config)) {
        m_ticking.mi.reset = m_ticking.dma_reset = false;
        for (auto& pins : m_ticking.pcie)
            pins.reset = false;
        m_ticking.resets_changed();
        m_ticking.record_deltas();
    }

    void edges(const Edges& now) {
        if (now.mi || now.dma || now.pcie != 0) m_ticking.edges(now.mi, now.dma, now.pcie);
        if (!now.mi) return;
        m_outcome.answers.emplace_back();
        if (m_ticking.mi_drdy()) m_outcome.answers.back() = m_ticking.mi_drd();
    }
    void drive_mi() {
        const bool reset = m_ticking.mi.reset;
        m_ticking.mi = m_scenario.mi_pins;
        m_ticking.mi.reset = reset;
    }
    void drive_dma() { m_ticking.dma = m_scenario.dma_pins; }
    void drive_pcie(std::uint32_t e) {
        const bool reset = m_ticking.pcie[e].reset;
        m_ticking.pcie[e] = m_scenario.pcie_pins[e];
        m_ticking.pcie[e].reset = reset;
    }
    void reset(const ResetEvent& event) {
        if (event.line == 0) {
            m_ticking.mi.reset = event.level;
        } else if (event.line == 1) {
            m_ticking.dma_reset = event.level;
        } else {
            m_ticking.pcie[event.line - 2].reset = event.level;
        }
        m_ticking.resets_changed();
    }

    Outcome outcome() {
        for (const auto& d : m_ticking.deltas)
            m_outcome.deltas.push_back({d.stream, d.channel, d.value});
        for (std::uint32_t i = 0; i < m_ticking.entries(); ++i) {
            m_outcome.live.push_back(m_ticking.live(i));
            m_outcome.snapshot.push_back(m_ticking.snapshot(i));
        }
        return std::move(m_outcome);
    }

private:
    const Scenario& m_scenario;
    TickingTelemetry m_ticking;
    Outcome m_outcome;
};

class RunsModel {
public:
    RunsModel(const Scenario& scenario, Drive drive)
        : m_scenario(scenario),
          m_drive(drive),
          m_clocks(clocks(scenario)),
          m_core(scenario.config, m_clocks),
          m_mi(m_core),
          m_pcie_edges(scenario.pcie.size(), 0) {
        m_core.on_delta([this](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
            m_outcome.deltas.push_back({stream, word.channel, word.delta});
        });
        drive_dma();
        for (std::uint32_t e = 0; e < m_pcie_edges.size(); ++e)
            drive_pcie(e);
    }

    void edges(const Edges& now) {
        if (now.dma) ++m_dma_edges;
        for (std::uint32_t e = 0; e < m_pcie_edges.size(); ++e)
            m_pcie_edges[e] += now.pcie >> e & 1;
        if (!now.mi) return;
        const MiPins& pins = m_mi_pins;
        m_mi.edge(m_mi_edges++, {m_mi_reset, pins.rd, pins.wr, pins.addr, pins.dwr, 0xF});
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
        return std::move(m_outcome);
    }

private:
    static telemetry::Clocks clocks(const Scenario& s) {
        telemetry::Clocks clocks{{s.mi.period, s.mi.first}, {s.dma.period, s.dma.first}, {}};
        for (const auto& clock : s.pcie)
            clocks.pcie.emplace_back(clock.period, clock.first);
        return clocks;
    }
    static telemetry::MfbWord decode(const telemetry::BusShape& shape, const BusPins& bus) {
        return shape.decode({bus.src_rdy, bus.dst_rdy, bus.sof, bus.eof, bus.eof_pos});
    }

    const Scenario& m_scenario;
    Drive m_drive;
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

template <class Value>
std::string text(const Value& value) {
    return std::to_string(value);
}
std::string text(const std::optional<std::uint32_t>& answer) {
    return answer ? "data " + std::to_string(*answer) : std::string("no data");
}
std::string text(const Outcome::Delta& d) {
    return std::to_string(d.value) + " of channel " + std::to_string(d.channel) + ", stream " +
           std::to_string(d.stream);
}

template <class T>
std::string first_difference(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
        if (found[i] == expected[i]) continue;
        return std::string(what) + " " + std::to_string(i) + ": expected " + text(expected[i]) + ", found " +
               text(found[i]);
    }
    if (found.size() == expected.size()) return {};
    return std::string("number of ") + what + "s: expected " + std::to_string(expected.size()) + ", found " +
           std::to_string(found.size());
}

}  // namespace

std::uint64_t Outcome::answer_count() const {
    return static_cast<std::uint64_t>(
        std::count_if(answers.begin(), answers.end(), [](const auto& answer) { return answer.has_value(); }));
}

std::string Outcome::difference(const Outcome& expected) const {
    std::string text = first_difference("answer behind MI edge", answers, expected.answers);
    if (text.empty()) text = first_difference("delta", deltas, expected.deltas);
    if (text.empty()) text = first_difference("live counter", live, expected.live);
    if (text.empty()) text = first_difference("snapshot counter", snapshot, expected.snapshot);
    return text;
}

Outcome ticking_outcome(std::uint64_t seed, Drive drive) {
    Scenario scenario(seed);
    TickingModel model(scenario);
    play(scenario, drive, model);
    return model.outcome();
}

Outcome runs_outcome(std::uint64_t seed, Drive drive) {
    Scenario scenario(seed);
    RunsModel model(scenario, drive);
    play(scenario, drive, model);
    return model.outcome();
}

bool fits_pin_adapter(const telemetry::Config& config) {
    const telemetry::Layout layout(config);
    const auto fits = [](const telemetry::ProbeShape& probe, std::uint32_t eof_pos_width) {
        return probe.buses * probe.regions * std::max(1u, eof_pos_width) <= 64;
    };
    return fits(layout.pcie, config.pcie_eof_pos_width) && fits(layout.dma, config.dma_eof_pos_width);
}

}  // namespace tlmetry::testing
