// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_telemetry/random_case.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <algorithm>

namespace tlmetry::testing {

namespace {

std::uint32_t random_bytes(Random& random, std::uint32_t item_bytes) {
    return item_bytes << random.below(6);
}

telemetry::Config random_config(Random& random) {
    telemetry::Config config;
    config.pcie_endpoints = random.chance(1, 4) ? 2 : 1;
    config.dma_ports = random.chance(1, 4) ? random.between(2, 3) : 1;
    for (std::uint32_t* regions : {&config.pcie_rq_mfb_regions, &config.pcie_rc_mfb_regions,
                                   &config.dma_up_mfb_regions, &config.dma_down_mfb_regions}) {
        *regions = random.chance(1, 8) ? random.between(5, 9) : random.between(1, 4);
    }
    for (std::uint32_t* bytes : {&config.pcie_rq_mfb_region_bytes, &config.pcie_rc_mfb_region_bytes,
                                 &config.dma_up_mfb_region_bytes, &config.dma_down_mfb_region_bytes}) {
        *bytes = random_bytes(random, config.mfb_item_bytes);
    }
    config.pcie_eof_pos_width = telemetry::clog2(
        std::max(config.pcie_rq_mfb_region_bytes, config.pcie_rc_mfb_region_bytes) / config.mfb_item_bytes);
    config.dma_eof_pos_width = telemetry::clog2(
        std::max(config.dma_up_mfb_region_bytes, config.dma_down_mfb_region_bytes) / config.mfb_item_bytes);
    config.padding = random.chance(1, 2) ? telemetry::Padding::as_built : telemetry::Padding::documented;
    config.tag_capacity = random.between(1, 40);
    config.stfifo_capacity = random.between(1, 100);
    const telemetry::Layout layout(config);
    config.drain_period = 1;
    while (config.drain_period <= std::max(layout.pcie.sweep_cycles, layout.dma.sweep_cycles))
        config.drain_period *= 2;
    config.drain_period <<= random.chance(1, 2) ? 0 : random.below(4);
    return config;
}

ClockDomain random_clock(Random& random) {
    const time_fs period = random.chance(1, 3) ? 2'500'000 : random.between(1'000'000, 12'000'000);
    return ClockDomain(period, random.chance(1, 3) ? 0 : random.below(static_cast<std::uint32_t>(period)));
}

}  // namespace

MadeUpEndpoint::MadeUpEndpoint(Random& random, telemetry::Telemetry& component, std::uint32_t index,
                               cycle_t pcie_end, cycle_t dma_end)
    : m_random(random.next(), "show"),
      m_index(index),
      m_pcie(component.pcie_probe(index).clock()),
      m_dma(component.dma_probe(index).clock()),
      m_brake_masks(static_cast<std::size_t>(pcie_end)),
      m_start_tags(random.between(0, 50)),
      m_start_words(random.between(0, 120)),
      m_tags(random, m_start_tags, pcie_end),
      m_words(random, m_start_words, pcie_end) {
    const auto add_mfb = [&](const telemetry::BusShape& shape, cycle_t end) {
        MfbBus& bus = m_mfb.emplace_back();
        if (random.chance(7, 8)) bus.script.items = random_pieces(random, shape, end);
        bus.pins = pins_of(bus.script.items, shape, end);
    };
    add_mfb(component.pcie_bus(0), pcie_end);
    add_mfb(component.pcie_bus(1), pcie_end);
    for (std::uint32_t b = 0; b < 2 * component.config().dma_ports; ++b) {
        add_mfb(component.dma_bus(b), dma_end);
        MvbBus& bus = m_mvb.emplace_back();
        if (random.chance(7, 8)) bus.script.items = random_headers(random, dma_end);
        bus.words = words_of(bus.script.items, dma_end);
    }
    for (std::uint32_t b = 0; b < telemetry::brake_pins; ++b) {
        if (random.chance(1, 4)) continue;
        m_brakes[b].script.items = random_intervals(random, pcie_end);
        mark(m_brakes[b].script.items, b, m_brake_masks);
    }
    const std::vector<std::uint32_t> tags = values_of(m_tags, m_start_tags, pcie_end);
    const std::vector<std::uint32_t> words = values_of(m_words, m_start_words, pcie_end);
    for (std::size_t c = 0; c < tags.size(); ++c)
        m_status.push_back({tags[c], words[c], 0});
}

endpoint_telemetry::EndpointLogs MadeUpEndpoint::logs() {
    endpoint_telemetry::EndpointLogs logs;
    const auto mfb = [&](std::size_t bus) {
        return endpoint_telemetry::EndpointLogs::Mfb{&m_mfb[bus].shown.log, &m_mfb[bus].shown.since};
    };
    const auto mvb = [&](std::size_t bus) {
        return endpoint_telemetry::EndpointLogs::Mvb{&m_mvb[bus].shown.log, &m_mvb[bus].shown.since};
    };
    logs.rq = mfb(0);
    logs.rc = mfb(1);
    for (std::size_t b = 0; b < m_mvb.size(); b += 2)
        logs.ports.push_back({mfb(2 + b), mfb(3 + b), mvb(b), mvb(b + 1)});
    for (std::size_t b = 0; b < m_brakes.size(); ++b)
        logs.brakes[b] = {&m_brakes[b].shown.log, &m_brakes[b].shown.since};
    logs.tags = {&m_tag_falls.log, &m_tag_rises.log, m_start_tags};
    logs.words = {&m_word_falls.log, &m_word_rises.log, m_start_words};
    return logs;
}

void MadeUpEndpoint::show_to(time_fs t) {
    const cycle_t pcie_end = m_pcie.first_at_or_after(t);
    const cycle_t dma_end = m_dma.first_at_or_after(t);
    for (std::size_t b = 0; b < m_mfb.size(); ++b)
        m_mfb[b].script.show_to(b < 2 ? pcie_end : dma_end, m_random, m_mfb[b].shown);
    for (MvbBus& bus : m_mvb)
        bus.script.show_to(dma_end, m_random, bus.shown);
    for (BrakePin& brake : m_brakes)
        brake.script.show_to(pcie_end, m_random, brake.shown);
    m_tags.falls.show_to(pcie_end, m_random, m_tag_falls);
    m_tags.rises.show_to(pcie_end, m_random, m_tag_rises);
    m_words.falls.show_to(pcie_end, m_random, m_word_falls);
    m_words.rises.show_to(pcie_end, m_random, m_word_rises);
}

void MadeUpEndpoint::tell(time_fs t, telemetry::Telemetry& component) {
    const cycle_t pcie_end = std::min(m_pcie.first_at_or_after(t), static_cast<cycle_t>(m_status.size()));
    telemetry::Probe& pcie = component.pcie_probe(m_index);
    for (; m_pcie_told < pcie_end; ++m_pcie_told) {
        const auto c = static_cast<std::size_t>(m_pcie_told);
        for (std::uint32_t b = 0; b < 2; ++b)
            pcie.mfb(b).hold(m_pcie_told, component.pcie_bus(b).decode(m_mfb[b].pins[c]));
        pcie.brakes().hold(m_pcie_told, {m_brake_masks[c]});
        component.status(m_index).hold(m_pcie_told, m_status[c]);
    }
    const cycle_t dma_end = m_dma.first_at_or_after(t);
    telemetry::Probe& dma = component.dma_probe(m_index);
    for (; m_dma_told < dma_end; ++m_dma_told) {
        const auto c = static_cast<std::size_t>(m_dma_told);
        for (std::uint32_t b = 0; b < m_mvb.size(); ++b) {
            dma.mfb(b).hold(m_dma_told, component.dma_bus(b).decode(m_mfb[2 + b].pins[c]));
            dma.mvb(b).hold(m_dma_told, m_mvb[b].words[c]);
        }
    }
}

void MadeUpEndpoint::settings(time_fs t, std::uint32_t word) {
    for (auto c = static_cast<std::size_t>(m_pcie.first_after(t)); c < m_status.size(); ++c)
        m_status[c].settings = word;
}

CaseOutcome play_case(std::uint64_t seed) {
    Random random(seed, "case");
    const telemetry::Config config = random_config(random);
    telemetry::Clocks clocks{random_clock(random), random_clock(random), {}};
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e)
        clocks.pcie.push_back(random_clock(random));
    time_fs slowest = clocks.dma.period_fs();
    for (const ClockDomain& clock : clocks.pcie)
        slowest = std::max(slowest, clock.period_fs());
    const time_fs drain = slowest * static_cast<time_fs>(config.drain_period);
    const time_fs end = drain * random.between(3, random.chance(1, 4) ? 60 : 12);
    const bool watch = random.chance(3, 4);

    Twin twin(config, clocks, watch);
    std::deque<MadeUpEndpoint> endpoints;
    std::deque<endpoint_telemetry::LogFeed> feeds;
    for (std::uint32_t e = 0; e < config.pcie_endpoints; ++e) {
        endpoints.emplace_back(random, twin.bulk, e, clocks.pcie[e].first_after(end) + 1,
                               clocks.dma.first_after(end) + 1);
        feeds.emplace_back(endpoints[e].logs(), twin.bulk, e);
    }
    CaseOutcome outcome;
    const auto commit = [&](time_fs t) {
        ++outcome.commits;
        for (std::size_t e = 0; e < feeds.size(); ++e) {
            endpoints[e].show_to(t);
            feeds[e].commit(t);
        }
    };
    twin.bulk.on_look(commit);
    twin.plain.on_look([&](time_fs t) {
        for (MadeUpEndpoint& endpoint : endpoints)
            endpoint.tell(t, twin.plain);
    });

    const std::uint32_t reset_share = random.chance(1, 2) ? 0 : random.between(1, 4);
    std::vector<bool> reset(2 + config.pcie_endpoints, false);
    time_fs now = 0;
    cycle_t last_edge = -1;
    while (now < end && twin.difference().empty()) {
        const time_fs last = now;
        const time_fs longest = random.chance(1, 3)   ? drain / 20
                                : random.chance(1, 3) ? 20 * drain
                                                      : 2 * drain;
        now =
            std::min(end, now + 1 + static_cast<time_fs>(random.below(1u << 16)) * (longest / 65536) +
                              (random.chance(1, 2) ? 0 : random.below(static_cast<std::uint32_t>(slowest))));
        // Some commits go ahead of the look.
        for (time_fs t = last; random.chance(1, 2) && t < now;) {
            t += 1 + (now - t) / random.between(1, 4);
            commit(std::min(t, now));
        }
        if (random.chance(reset_share, 8)) {
            const std::uint32_t line = random.below(static_cast<std::uint32_t>(reset.size()));
            reset[line] = !reset[line];
            ++outcome.resets;
            twin.both([&](telemetry::Telemetry& component) {
                if (line == 0) {
                    component.set_mi_reset(now, reset[0]);
                } else if (line == 1) {
                    component.set_dma_reset(now, reset[1]);
                } else {
                    component.set_pcie_reset(now, line - 2, reset[line]);
                }
            });
            ++now;  // the reset looked up to here
        } else if (random.chance(1, 2)) {
            const cycle_t edge = std::max(clocks.mi.first_at_or_after(now), last_edge + 1);
            if (clocks.mi.time_of(edge) >= end) break;
            now = clocks.mi.time_of(edge);
            last_edge = edge;
            if (random.chance(1, 2)) {
                const std::uint32_t command = random.below(16);
                twin.both([&](telemetry::Telemetry& c) { c.write(edge, regs::command, command, 0xF); });
            } else {
                const std::uint32_t addresses[] = {regs::status, regs::pcie_status, regs::pcie_tags,
                                                   regs::pcie_tags + 0x40};
                twin.read(edge, addresses[random.below(4)]);
            }
            now = std::max(now, twin.bulk.now());
        } else {
            twin.look(now);
        }
        if (random.chance(1, 8)) {
            const std::uint32_t word = random.below(256);
            for (std::size_t e = 0; e < feeds.size(); ++e) {
                feeds[e].settings(now, word);
                endpoints[e].settings(now, word);
            }
        }
    }
    twin.look(end);
    outcome.difference = twin.difference();
    outcome.deltas = twin.deltas();
    outcome.dropped = twin.bulk.dropped_deltas();
    outcome.skipped = twin.bulk.skipped_stretches();
    return outcome;
}

}  // namespace tlmetry::testing
