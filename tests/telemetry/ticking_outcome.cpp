// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_telemetry.hpp"
#include "telemetry/outcome.hpp"
#include "telemetry/scenario_player.hpp"

#include <utility>

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
    TickingModel(const Scenario& scenario, bool watch_deltas)
        : m_scenario(scenario), m_ticking(ticking_config(scenario.config)) {
        m_ticking.mi.reset = m_ticking.dma_reset = false;
        for (auto& pins : m_ticking.pcie)
            pins.reset = false;
        m_ticking.resets_changed();
        if (watch_deltas) m_ticking.record_deltas();
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

}  // namespace

Outcome ticking_outcome(std::uint64_t seed, Drive drive, bool watch_deltas) {
    Scenario scenario(seed);
    TickingModel model(scenario, watch_deltas);
    play(scenario, drive, model);
    return model.outcome();
}

}  // namespace tlmetry::testing
