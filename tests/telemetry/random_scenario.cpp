// SPDX-License-Identifier: BSD-3-Clause
#include "telemetry/random_scenario.hpp"

#include <algorithm>

namespace tlmetry::testing {

namespace {

std::uint32_t pick(Random& random, std::initializer_list<std::uint32_t> values) {
    return *(values.begin() + random.below(static_cast<std::uint32_t>(values.size())));
}

const char* name_of(Style style) {
    return style == Style::mixed ? "mixed" : style == Style::quiet ? "quiet" : "crowded";
}

}  // namespace

Scenario::Scenario(std::uint64_t seed) : m_mi_random(seed, "mi") {
    Random random(seed, "scenario");
    const std::uint32_t kind = random.below(32);
    style = kind < 8 ? Style::quiet : kind < 9 ? Style::crowded : Style::mixed;
    choose_config(random);
    choose_clocks(random);
    choose_drain(random);
    choose_end(random);
    choose_resets(random);

    const telemetry::Layout layout(config);
    m_entries = layout.entries;
    const auto bus_pins = [](const telemetry::ProbeShape& shape) {
        BusPins bus;
        bus.eof_pos.resize(shape.regions);
        return std::vector<BusPins>(shape.buses, bus);
    };
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
        const std::string name = std::to_string(e);
        PciePins pins;
        pins.bus = bus_pins(layout.pcie);
        pins.reset = false;
        pcie_pins.push_back(pins);
        dma_pins.push_back({bus_pins(layout.dma)});
        m_pcie_moods.push_back({Random(seed, "pcie" + name), 0, 0});
        m_dma_moods.push_back({Random(seed, "dma" + name), 0, 0});
    }
    mi_pins.reset = false;
    m_mi_style = m_mi_random.below(4);
    description = "seed " + std::to_string(seed) + ": " + name_of(style) + ", " +
                  std::to_string(config.pcie_endpoints) + " endpoints, " + std::to_string(config.dma_ports) +
                  " ports, drain " + std::to_string(config.drain_period) + ", MI " +
                  std::to_string(mi.period) + " DMA " + std::to_string(dma.period) + " PCIe " +
                  std::to_string(pcie[0].period) + " fs, " + std::to_string(resets.size()) +
                  " reset events, " + std::to_string(end / fs_per_ns) + " ns";
}

void Scenario::choose_config(Random& random) {
    telemetry::Config& c = config;
    c.pcie_endpoints = random.chance(1, 2) ? 1 : random.between(1, 4);
    if (style == Style::quiet) c.pcie_endpoints = random.chance(3, 4) ? 1 : 2;
    if (style == Style::crowded) c.pcie_endpoints = random.between(5, telemetry::max_endpoints);
    c.dma_ports = random.chance(2, 3) ? 1 : random.between(1, 3);
    const auto regions = [&] { return random.chance(1, 2) ? 2u : pick(random, {1, 3, 4, 5, 8}); };
    c.pcie_rq_mfb_regions = regions();
    c.pcie_rc_mfb_regions = random.chance(1, 2) ? c.pcie_rq_mfb_regions : regions();
    c.dma_up_mfb_regions = regions();
    c.dma_down_mfb_regions = random.chance(1, 2) ? c.dma_up_mfb_regions : regions();
    c.mfb_item_bytes = pick(random, {1, 4, 4, 8});
    const auto bytes = [&] { return c.mfb_item_bytes << random.below(5); };
    c.pcie_rq_mfb_region_bytes = bytes();
    c.pcie_rc_mfb_region_bytes = bytes();
    c.dma_up_mfb_region_bytes = bytes();
    c.dma_down_mfb_region_bytes = bytes();
    const auto width = [&](std::uint32_t a, std::uint32_t b) {
        return telemetry::clog2(std::max(a, b) / c.mfb_item_bytes);
    };
    c.pcie_eof_pos_width = width(c.pcie_rq_mfb_region_bytes, c.pcie_rc_mfb_region_bytes);
    c.dma_eof_pos_width = width(c.dma_up_mfb_region_bytes, c.dma_down_mfb_region_bytes);
    c.cnt_width = random.between(33, 64);
    c.tag_capacity = random.between(1, 1024);
    c.stfifo_capacity = random.between(1, 4096);
    c.padding = random.chance(1, 4) ? telemetry::Padding::documented : telemetry::Padding::as_built;
    c.memory_starts_at_ones = random.chance(1, 4);
}

void Scenario::choose_clocks(Random& random) {
    const auto odd = [&](time_fs low, time_fs high) {
        return low + static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(high - low));
    };
    std::uint32_t kind = random.below(5);
    if (style == Style::quiet && kind == 3) kind = 2;  // a slow MI is never done with a drain
    const auto clock = [&](time_fs period, bool aligned) {
        return ScenarioClock{period, aligned ? period : 1 + odd(0, period)};
    };
    const bool aligned = random.chance(1, 4);
    switch (kind) {
        case 0:  // the usual frequencies
            mi = clock(10 * fs_per_ns, aligned);
            dma = clock(5 * fs_per_ns, aligned);
            break;
        case 1:  // all equal
            mi = clock(4 * fs_per_ns, aligned);
            dma = clock(4 * fs_per_ns, aligned);
            break;
        case 2:  // MI faster than the probes
            mi = clock(odd(1'000'000, 3'000'000), false);
            dma = clock(odd(3'000'000, 30'000'000), false);
            break;
        case 3:  // MI much slower
            mi = clock(odd(15'000'000, 60'000'000), false);
            dma = clock(odd(2'000'000, 6'000'000), false);
            break;
        default:  // nothing in common
            mi = clock(odd(3'000'000, 20'000'000), false);
            dma = clock(odd(2'000'000, 10'000'000), false);
            break;
    }
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
        switch (kind) {
            case 0:
                pcie.push_back(clock(random.chance(1, 2) ? 2'500'000 : 4'000'000, aligned));
                break;
            case 1:
                pcie.push_back(clock(4 * fs_per_ns, aligned));
                break;
            case 2:
                pcie.push_back(clock(odd(2'000'000, 30'000'000), false));
                break;
            default:
                pcie.push_back(clock(odd(1'800'000, 6'000'000), false));
                break;
        }
    }
}

void Scenario::choose_drain(Random& random) {
    const telemetry::Layout layout(config);
    const std::uint32_t sweep = std::max(layout.pcie.sweep_cycles, layout.dma.sweep_cycles);
    // From the shortest legal period, at which deltas are lost all the time, to one with long pauses.
    const std::uint32_t shortest = telemetry::clog2(sweep + 1);
    config.drain_period = 1u << (shortest + random.below(5));
    if (style != Style::quiet) return;
    // Long enough for the accumulator to add a whole drain of every probe and rest, at three MI cycles a
    // delta; at times just so, or too short by a little.
    const time_fs work = static_cast<time_fs>(config.pcie_endpoints * layout.channels_per_endpoint + 8) * 3;
    const time_fs busy = (work + random.below(40)) * mi.period + sweep * slowest_probe().period;
    const time_fs cycles = busy / fastest_probe().period;
    config.drain_period = 1u << std::max(shortest, telemetry::clog2(static_cast<std::uint64_t>(cycles)));
}

void Scenario::choose_end(Random& random) {
    // Enough for some drains of the slowest probe, but a bounded number of edges.
    const time_fs drain = slowest_probe().period * static_cast<time_fs>(config.drain_period);
    const time_fs cycle = fastest_probe().period;
    switch (style) {
        case Style::mixed:
            end = std::min(cycle * (random.chance(1, 8) ? 120'000 : 25'000), drain * random.between(3, 60));
            break;
        case Style::quiet:
            end = std::min(cycle * 120'000, drain * random.between(20, 100));
            break;
        case Style::crowded:
            end = std::min(cycle * 60'000 / config.pcie_endpoints, drain * random.between(3, 60));
            break;
    }
}

ScenarioClock Scenario::slowest_probe() const {
    ScenarioClock slowest = dma;
    for (const ScenarioClock& clock : pcie)
        slowest = clock.period > slowest.period ? clock : slowest;
    return slowest;
}

ScenarioClock Scenario::fastest_probe() const {
    ScenarioClock fastest = dma;
    for (const ScenarioClock& clock : pcie)
        fastest = clock.period < fastest.period ? clock : fastest;
    return fastest;
}

void Scenario::choose_resets(Random& random) {
    const std::uint32_t lines = 2 + config.pcie_endpoints;
    const auto clock_of = [&](std::uint32_t line) {
        return line == 0 ? mi : line == 1 ? dma : pcie[line - 2];
    };
    const auto pulse = [&](std::uint32_t line, time_fs from, time_fs length) {
        resets.push_back({from, line, true});
        resets.push_back({from + length, line, false});
    };
    const bool power_up = random.chance(1, 2);
    std::vector<time_fs> free_from(lines, 0);
    for (std::uint32_t line = 0; line < lines; ++line) {
        if (!power_up) continue;
        const time_fs length = clock_of(line).period * random.between(1, 15);
        pulse(line, 0, length);
        free_from[line] = length + 1;
    }
    const std::uint32_t pulses = random.chance(1, 2) ? 0 : random.between(1, 6);
    for (std::uint32_t i = 0; i < pulses; ++i) {
        const std::uint32_t line = random.below(lines);
        const ScenarioClock clock = clock_of(line);
        time_fs from = static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(end));
        if (random.chance(1, 3)) {
            // About at a tick, as the ticks lie after the last reset of this line or of MI.
            const ScenarioClock& probe = line < 2 ? random.chance(1, 2) ? dma : pcie[0] : clock;
            const std::uint32_t cycles = random.between(1, 6) * config.drain_period + random.below(12) - 4;
            const time_fs tick = std::max(free_from[0], free_from[line]) + cycles * probe.period;
            if (tick < end) from = tick;
        }
        from = std::max(from, free_from[line]);
        // Half of them change right behind an edge of their own clock, as registers do.
        const bool synchronous = random.chance(1, 2);
        if (synchronous && from >= clock.first) from -= (from - clock.first) % clock.period;
        if (from < free_from[line]) continue;
        time_fs length = clock.period * random.between(1, 20);
        if (!synchronous)
            length += static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(clock.period));
        if (random.chance(1, 6))
            length = 1 + static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(clock.period));
        pulse(line, from, length);
        free_from[line] = from + length + 1;
    }
    std::stable_sort(resets.begin(), resets.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
}

bool Scenario::moves(Mood& mood) {
    if (mood.cycles_left-- <= 0) {
        const std::uint32_t kind =
            style == Style::quiet && mood.random.chance(3, 4) ? 0 : mood.random.below(4);
        mood.change_share = kind == 0 ? 0 : kind == 1 ? 2 : kind == 2 ? 100 : 256;
        // Pauses of many drains let whole windows pass at once.
        const auto drain = static_cast<std::int64_t>(config.drain_period);
        mood.cycles_left = kind == 0 ? mood.random.below(static_cast<std::uint32_t>(20 * drain))
                                     : mood.random.below(static_cast<std::uint32_t>(2 * drain));
    }
    return mood.random.chance(mood.change_share, 256);
}

void Scenario::move_bus(Random& random, BusPins& bus, std::uint32_t regions, std::uint32_t eof_pos_width,
                        bool mvb) {
    const std::uint64_t mask = (std::uint64_t{1} << regions) - 1;
    bus.src_rdy = random.chance(3, 4);
    bus.dst_rdy = random.chance(3, 4);
    bus.sof = random.next() & mask;
    bus.eof = random.next() & mask;
    if (random.chance(1, 3)) bus.sof &= random.next();
    if (random.chance(1, 3)) bus.eof = 0;
    for (auto& pos : bus.eof_pos)
        pos = random.below(1u << eof_pos_width);
    if (mvb) {
        bus.mvb_vld = random.next() & mask;
        bus.mvb_src_rdy = random.chance(3, 4);
        bus.mvb_dst_rdy = random.chance(3, 4);
    }
}

bool Scenario::after_pcie_edge(std::uint32_t endpoint) {
    Mood& mood = m_pcie_moods[endpoint];
    if (!moves(mood)) return false;
    PciePins& pins = pcie_pins[endpoint];
    Random& random = mood.random;
    const auto regions = static_cast<std::uint32_t>(pins.bus[0].eof_pos.size());
    if (random.chance(3, 4)) {
        move_bus(random, pins.bus[random.below(2)], regions, config.pcie_eof_pos_width, false);
    }
    if (random.chance(1, 2)) pins.brake = random.below(64);
    if (random.chance(1, 2)) {
        pins.tag_free = random.chance(1, 8) ? 0 : random.below(std::min(2048u, config.tag_capacity + 8));
        pins.stfifo_free = random.chance(1, 8) ? 0 : random.below(config.stfifo_capacity + 8);
    }
    if (random.chance(1, 16)) {
        pins.mps = random.below(8), pins.mrrs = random.below(8);
        pins.ext_tag = random.chance(1, 2), pins.tag10 = random.chance(1, 2);
        pins.rcb = random.chance(1, 2), pins.link_up = random.chance(1, 2);
    }
    return true;
}

bool Scenario::after_dma_edge() {
    bool changed = false;
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
        Mood& mood = m_dma_moods[e];
        if (!moves(mood)) continue;
        std::vector<BusPins>& buses = dma_pins[e].bus;
        BusPins& bus = buses[mood.random.below(static_cast<std::uint32_t>(buses.size()))];
        move_bus(mood.random, bus, static_cast<std::uint32_t>(bus.eof_pos.size()), config.dma_eof_pos_width,
                 true);
        changed = true;
    }
    return changed;
}

/// MI edges until software looks again; when it looks rarely, the model can pass many drains at once.
std::int64_t Scenario::pause_of_software(Random& random) const {
    const auto drain_edges =
        static_cast<std::uint32_t>(config.drain_period * slowest_probe().period / mi.period);
    if (style != Style::quiet) return random.below(m_mi_style == 1 ? 40 * drain_edges + 1 : 200);
    const time_fs awake = mi.first + (m_mi_edges + random.between(8, 24) * drain_edges) * mi.period;
    if (random.chance(1, 3)) return (awake - mi.first) / mi.period - m_mi_edges;
    // Into a sweep of one of the probes, the time right before it or the adding behind it, as they lie unless
    // a reset has moved them.
    const std::uint32_t probe = random.below(config.pcie_endpoints + 1);
    const ScenarioClock& clock = probe == 0 ? dma : pcie[probe - 1];
    const time_fs drain = clock.period * static_cast<time_fs>(config.drain_period);
    const telemetry::Layout layout(config);
    const auto& shape = probe == 0 ? layout.dma : layout.pcie;
    const time_fs sweep = awake - (awake - clock.first) % drain;
    const time_fs look = sweep + random.below(shape.sweep_cycles) * clock.period +
                         random.below(3 * shape.channels + 40) * mi.period - 20 * mi.period;
    return std::max<time_fs>(0, (look - mi.first) / mi.period - m_mi_edges);
}

void Scenario::after_mi_edge() {
    Random& random = m_mi_random;
    ++m_mi_edges;
    mi_pins.rd = mi_pins.wr = false;
    mi_pins.be = random.below(16);
    mi_pins.addr = static_cast<std::uint32_t>(random.next());
    mi_pins.dwr = static_cast<std::uint32_t>(random.next());
    if (m_mi_pause > 0) {
        --m_mi_pause;
        return;
    }
    const std::uint32_t above = random.chance(1, 4) ? random.below(0x10000) << 16 : 0;
    const std::uint32_t rarely = style == Style::quiet ? 30
                                 : m_mi_style == 0     ? 400
                                 : m_mi_style == 1     ? 20
                                                       : 60;
    if (random.chance(1, rarely)) m_mi_pause = pause_of_software(random);
    const std::uint32_t kind = random.below(64);
    if (kind < (m_mi_style == 3 ? 8u : 1u)) {
        mi_pins.wr = true;
        mi_pins.addr = above | random.below(128) << 8 | 0x20 | random.below(4);
        const std::uint32_t command = random.chance(1, 2) ? 1u << random.below(4) : random.below(16);
        mi_pins.dwr = (static_cast<std::uint32_t>(random.next()) & 0xFFFFFFF0) | command;
    } else if (kind < 10) {
        mi_pins.wr = random.chance(1, 4);
        mi_pins.rd = !mi_pins.wr;
        mi_pins.addr = above | 0x28;
    } else if (kind < 20) {
        mi_pins.rd = true;
        mi_pins.addr = above | random.below(64) << 2;
    } else if (kind < 30) {
        mi_pins.rd = true;
        mi_pins.addr = 0x24;
    } else if (kind < 56) {
        mi_pins.rd = true;
        mi_pins.addr = above | 0x8000 | random.below(2 * m_entries) << 2;
    } else if (kind < 57) {
        mi_pins.wr = true;  // writes that must do nothing
        mi_pins.addr = above | 0x8000 | random.below(0x8000);
    }
}

}  // namespace tlmetry::testing
