// SPDX-License-Identifier: BSD-3-Clause
//
// Random scenarios through the model and through the literal ticking reference: every MI answer, the order of
// the deltas, the memory and the flags must be equal.
//
//   random_against_ticking [--first N] [--count M] [--seconds S]
#include "reference/ticking_telemetry.hpp"
#include "telemetry/random_scenario.hpp"

#include <tlmetry/telemetry/telemetry.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>

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

/// How one scenario is told to the model: with endless clocks or with clocks recorded edge by edge, with or
/// without watching the deltas (which keeps idle stretches from being passed at once).
struct Way {
    bool recorded_clocks = false;
    bool watch_deltas = false;
};

class Comparison {
public:
    Comparison(std::uint64_t seed, const Way& way)
        : m_scenario(seed),
          m_way(way),
          m_clocks(make_clocks()),
          m_model(m_scenario.config, m_clocks),
          m_reference(ticking_config(m_scenario.config)) {
        m_reference.mi.reset = false;
        m_reference.dma_reset = false;
        for (auto& pins : m_reference.pcie)
            pins.reset = false;
        m_reference.resets_changed();
        if (way.watch_deltas) {
            m_reference.record_deltas();
            m_model.on_delta([this](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
                m_deltas.push_back({stream, word.channel, word.delta});
            });
        }
        for (std::uint32_t e = 0; e < m_scenario.config.pcie_endpoints; ++e) {
            tell_pcie(e, 0);
            tell_dma(e, 0);
        }
    }

    const Scenario& scenario() const { return m_scenario; }
    std::uint64_t answers() const { return m_answers; }
    std::uint64_t dropped() const { return m_model.dropped_deltas(); }
    std::uint64_t skipped() const { return m_model.skipped_stretches(); }

    /// Empty if all is equal, else the first difference.
    std::string run() {
        std::size_t next_reset = 0;
        time_fs mi_time = m_scenario.mi.first;
        time_fs dma_time = m_scenario.dma.first;
        std::vector<time_fs> pcie_time;
        for (const auto& clock : m_scenario.pcie)
            pcie_time.push_back(clock.first);
        while (m_error.empty()) {
            time_fs now = std::min(mi_time, dma_time);
            for (const time_fs t : pcie_time)
                now = std::min(now, t);
            if (next_reset < m_scenario.resets.size())
                now = std::min(now, m_scenario.resets[next_reset].time);
            if (now > m_scenario.end) break;

            const bool mi_edge = mi_time == now;
            const bool dma_edge = dma_time == now;
            std::uint32_t pcie_mask = 0;
            for (std::size_t e = 0; e < pcie_time.size(); ++e)
                pcie_mask |= (pcie_time[e] == now ? 1u : 0u) << e;
            if (m_way.recorded_clocks) {
                if (mi_edge) m_clocks.mi.append(now);
                if (dma_edge) m_clocks.dma.append(now);
                for (std::size_t e = 0; e < pcie_time.size(); ++e) {
                    if (pcie_time[e] == now) m_clocks.pcie[e].append(now);
                }
            }
            if (mi_edge) access_model();
            if (mi_edge || dma_edge || pcie_mask != 0) m_reference.edges(mi_edge, dma_edge, pcie_mask);
            if (mi_edge) {
                check_answer(now);
                ++m_mi_edges;
                m_scenario.after_mi_edge();
                const bool reset = m_reference.mi.reset;
                m_reference.mi = m_scenario.mi_pins;
                m_reference.mi.reset = reset;
                mi_time += m_scenario.mi.period;
            }
            if (dma_edge) {
                ++m_dma_edges;
                if (m_scenario.after_dma_edge()) {
                    for (std::uint32_t e = 0; e < pcie_time.size(); ++e)
                        tell_dma(e, m_dma_edges);
                }
                dma_time += m_scenario.dma.period;
            }
            for (std::uint32_t e = 0; e < pcie_time.size(); ++e) {
                if (pcie_time[e] != now) continue;
                ++m_pcie_edges[e];
                if (m_scenario.after_pcie_edge(e)) tell_pcie(e, m_pcie_edges[e]);
                pcie_time[e] += m_scenario.pcie[e].period;
            }
            for (; next_reset < m_scenario.resets.size() && m_scenario.resets[next_reset].time == now;
                 ++next_reset) {
                change_reset(m_scenario.resets[next_reset]);
            }
        }
        if (m_error.empty()) check_end();
        return m_error;
    }

private:
    telemetry::Clocks make_clocks() {
        const auto clock = [&](const ScenarioClock& c) {
            return m_way.recorded_clocks ? ClockDomain() : ClockDomain(c.period, c.first);
        };
        telemetry::Clocks clocks{clock(m_scenario.mi), clock(m_scenario.dma), {}};
        for (const auto& c : m_scenario.pcie)
            clocks.pcie.push_back(clock(c));
        m_pcie_edges.assign(m_scenario.pcie.size(), 0);
        return clocks;
    }

    static telemetry::MfbWord decode(const telemetry::BusShape& shape, const BusPins& bus) {
        return shape.decode({bus.src_rdy, bus.dst_rdy, bus.sof, bus.eof, bus.eof_pos});
    }

    void tell_pcie(std::uint32_t e, cycle_t from) {
        const PciePins& pins = m_scenario.pcie_pins[e];
        const bool reset = m_reference.pcie[e].reset;
        m_reference.pcie[e] = pins;
        m_reference.pcie[e].reset = reset;
        telemetry::Probe& probe = m_model.pcie_probe(e);
        for (std::uint32_t b = 0; b < 2; ++b)
            probe.mfb(b).hold(from, decode(m_model.pcie_bus(b), pins.bus[b]));
        probe.brakes().hold(from, {pins.brake});
        telemetry::StatusPins status;
        status.free_tags = pins.tag_free;
        status.free_words = pins.stfifo_free;
        status.settings = pins.mps | pins.mrrs << 3 | (pins.ext_tag ? 1u << 6 : 0) |
                          (pins.tag10 ? 1u << 7 : 0) | (pins.rcb ? 1u << 8 : 0) |
                          (pins.link_up ? 1u << 9 : 0);
        m_model.status(e).hold(from, status);
    }

    void tell_dma(std::uint32_t e, cycle_t from) {
        const DmaPins& pins = m_scenario.dma_pins[e];
        m_reference.dma[e] = pins;
        telemetry::Probe& probe = m_model.dma_probe(e);
        for (std::uint32_t b = 0; b < pins.bus.size(); ++b) {
            const BusPins& bus = pins.bus[b];
            probe.mfb(b).hold(from, decode(m_model.dma_bus(b), bus));
            probe.mvb(b).hold(from, {bus.mvb_src_rdy, bus.mvb_dst_rdy,
                                     static_cast<std::uint32_t>(__builtin_popcountll(bus.mvb_vld))});
        }
    }

    void change_reset(const ResetEvent& event) {
        if (event.line == 0) {
            m_reference.mi.reset = event.level;
            m_model.set_mi_reset(event.time, event.level);
        } else if (event.line == 1) {
            m_reference.dma_reset = event.level;
            m_model.set_dma_reset(event.time, event.level);
        } else {
            m_reference.pcie[event.line - 2].reset = event.level;
            m_model.set_pcie_reset(event.time, event.line - 2, event.level);
        }
        m_reference.resets_changed();
    }

    /// The MI edge as the model's bench sees it: pins as they stood before the edge.
    void access_model() {
        const MiPins& pins = m_reference.mi;
        m_drdy = pins.reset ? Answer{} : m_reading;
        m_reading = Answer{};
        if (pins.wr) m_model.write(m_mi_edges, pins.addr, pins.dwr, static_cast<std::uint8_t>(pins.be));
        if (pins.rd && !pins.reset) m_reading = {true, pins.addr, m_model.read(m_mi_edges, pins.addr)};
    }

    void check_answer(time_fs now) {
        if (m_drdy.valid) ++m_answers;
        if (m_drdy.valid == m_reference.mi_drdy() && (!m_drdy.valid || m_drdy.data == m_reference.mi_drd()))
            return;
        std::ostringstream text;
        text << "MI edge " << m_mi_edges << " at " << now << " fs: expected DRDY " << m_reference.mi_drdy()
             << std::hex << " DRD 0x" << m_reference.mi_drd() << ", found DRDY " << m_drdy.valid << " DRD 0x"
             << m_drdy.data << " of address 0x" << m_drdy.address;
        m_error = text.str();
    }

    void check_end() {
        m_model.advance_to(m_scenario.end + 1);
        for (std::uint32_t i = 0; i < m_reference.entries(); ++i) {
            if (m_model.live_counter(i) != m_reference.live(i) ||
                m_model.snapshot_counter(i) != m_reference.snapshot(i)) {
                m_error = "counter " + std::to_string(i) + " at the end: expected " +
                          std::to_string(m_reference.live(i)) + "/" +
                          std::to_string(m_reference.snapshot(i)) + ", found " +
                          std::to_string(m_model.live_counter(i)) + "/" +
                          std::to_string(m_model.snapshot_counter(i));
                return;
            }
        }
        if (!m_way.watch_deltas) return;
        if (m_deltas.size() != m_reference.deltas.size()) {
            m_error = "deltas: expected " + std::to_string(m_reference.deltas.size()) + ", found " +
                      std::to_string(m_deltas.size());
            return;
        }
        for (std::size_t i = 0; i < m_deltas.size(); ++i) {
            const auto& a = m_deltas[i];
            const auto& b = m_reference.deltas[i];
            if (a.stream != b.stream || a.channel != b.channel || a.value != b.value) {
                m_error = "delta " + std::to_string(i) + " differs";
                return;
            }
        }
    }

    struct Answer {
        bool valid = false;
        std::uint32_t address = 0;
        std::uint32_t data = 0;
    };

    Scenario m_scenario;
    Way m_way;
    std::vector<cycle_t> m_pcie_edges;  // edges so far
    telemetry::Clocks m_clocks;
    telemetry::Telemetry m_model;
    TickingTelemetry m_reference;
    std::vector<TickingTelemetry::Delta> m_deltas;
    cycle_t m_mi_edges = 0;
    cycle_t m_dma_edges = 0;
    Answer m_reading;
    Answer m_drdy;
    std::uint64_t m_answers = 0;
    std::string m_error;
};

}  // namespace

int compare_many(std::uint64_t first, std::uint64_t count, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t scenarios = 0;
    std::uint64_t answers = 0;
    std::uint64_t dropped = 0;
    std::uint64_t with_resets = 0;
    std::uint64_t skipped = 0;
    std::uint64_t bad = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) break;
        Comparison comparison(seed, {seed % 3 == 1, seed % 2 == 1});
        const std::string error = comparison.run();
        ++scenarios;
        answers += comparison.answers();
        dropped += comparison.dropped();
        skipped += comparison.skipped();
        with_resets += comparison.scenario().resets.empty() ? 0 : 1;
        if (!error.empty()) {
            ++bad;
            std::cout << comparison.scenario().description << "\n  " << error << "\n";
            if (bad == 10) break;
        }
    }
    std::cout << scenarios << " scenarios, " << with_resets << " with resets, " << answers << " MI answers, "
              << dropped << " dropped deltas, " << skipped << " stretches skipped, " << bad << " different\n";
    // A run that met none of the hard regimes proves nothing.
    const bool met_all = answers > 0 && (scenarios < 100 || (dropped > 0 && skipped > 0 && with_resets > 0));
    return bad == 0 && met_all ? 0 : 1;
}

}  // namespace tlmetry::testing

int main(int argc, char** argv) {
    std::uint64_t first = 1;
    std::uint64_t count = 100;
    double seconds = 1e9;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--first") == 0) first = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--count") == 0) count = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::strtod(argv[i + 1], nullptr);
    }
    return tlmetry::testing::compare_many(first, count, seconds);
}
