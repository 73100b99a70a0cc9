// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_pins/wave_recorder.hpp"

#include <algorithm>
#include <utility>

namespace tlmetry::endpoint_pins {

namespace {

// Changes of one side that are kept while the content of a waiting word is not known.
constexpr std::size_t most_waiting = 1 << 20;

/// Picoseconds where every edge is at one.
time_fs tick_of(const telemetry::Clocks& clocks) {
    std::vector<const ClockDomain*> all{&clocks.mi, &clocks.dma};
    for (const ClockDomain& clock : clocks.pcie)
        all.push_back(&clock);
    const bool whole = std::all_of(all.begin(), all.end(), [](const ClockDomain* clock) {
        return clock->period_fs() % fs_per_ps == 0 && clock->time_of(0) % fs_per_ps == 0;
    });
    return whole ? fs_per_ps : 1;
}

}  // namespace

WaveRecorder::WaveRecorder(const Config& config, telemetry::Telemetry& component,
                           const std::vector<endpoint_telemetry::EndpointLogs>& logs,
                           const std::vector<endpoint::ResetSpan>& resets)
    : m_component(component),
      m_from(config.from),
      m_to(config.to),
      m_has_mi(config.from == 0),
      m_writer(config.path, tick_of(component.clocks()),
               "PCIE_TELEMETRY_MI; time stamps are 1 ns later than in the simulation") {
    for (std::uint32_t e = 0; e < logs.size(); ++e) {
        for (const bool pcie : {true, false}) {
            m_sides.push_back({});
            m_sides.back().pins = std::make_unique<SidePins>(logs[e], component, e, pcie);
        }
    }
    // Edges at the very time of a reset see it, which those of a change of pins do not.
    const time_fs tick = tick_of(component.clocks());
    const auto change = [&](time_fs t, const endpoint::ResetSpan& reset, bool level) {
        m_reset_changes.push_back({(t - 1) / tick * tick, reset.of_pcie(), reset.of_dma(), level});
    };
    for (const endpoint::ResetSpan& reset : resets) {
        change(reset.from, reset, true);
        change(reset.until, reset, false);
    }
    declare();
}

void WaveRecorder::declare() {
    const telemetry::Clocks& clocks = m_component.clocks();
    const auto domain = [&](const std::string& name, const ClockDomain& clock) -> Domain& {
        Domain& result = m_domains.emplace_back();
        result.clock = &clock;
        result.edge = clock.first_at_or_after(m_from);
        result.handle = m_writer.add(name, 1);
        return result;
    };
    m_writer.open_scope("pcie_telemetry_mi");
    if (m_has_mi) {
        domain("mi_clk", clocks.mi);
        m_mi_reset = m_writer.add("mi_reset", 1);
        m_mi.dwr = m_writer.add("mi_dwr", 32);
        m_mi.addr = m_writer.add("mi_addr", 32);
        m_mi.be = m_writer.add("mi_be", 4);
        m_mi.rd = m_writer.add("mi_rd", 1);
        m_mi.wr = m_writer.add("mi_wr", 1);
        m_mi.drd = m_writer.add("mi_drd", 32);
        m_mi.ardy = m_writer.add("mi_ardy", 1);
        m_mi.drdy = m_writer.add("mi_drdy", 1);
    }
    m_dma = m_domains.size();
    domain("dma_clk", clocks.dma);
    m_dma_reset = m_writer.add("dma_reset", 1);
    for (std::uint32_t e = 0; e < clocks.pcie.size(); ++e) {
        const std::string number = "_" + std::to_string(e);
        Domain& pcie = domain("pcie_clk" + number, clocks.pcie[e]);
        m_pcie_resets.push_back(m_writer.add("pcie_reset" + number, 1));
        Domain& dma = m_domains[m_dma];
        for (const auto& [owner, index] : {std::pair(&pcie, 2 * e), std::pair(&dma, 2 * e + 1)}) {
            Side& side = m_sides[index];
            for (const Pin& pin : side.pins->pins())
                side.handles.push_back(pin.width == 0 ? 0 : m_writer.add(pin.base + number, pin.width));
            owner->sides.push_back(&side);
        }
    }
    m_writer.close_scope();
}

void WaveRecorder::advance(time_fs t) {
    if (m_finished) return;
    m_mi_known = m_component.clocks().mi.first_at_or_after(t);
    for (Side& side : m_sides) {
        if (t <= m_from) {
            side.pins->skip(t);
        } else {
            side.pins->expand(t);
            if (side.pins->waiting() > most_waiting) side.pins->finish(t);
        }
    }
    try {
        write(never);
    } catch (...) {
        m_finished = true;
        throw;
    }
}

void WaveRecorder::finish(time_fs t) {
    if (std::exchange(m_finished, true)) return;
    for (Side& side : m_sides)
        side.pins->finish(t);
    write(t);
    m_writer.finish();
}

/// What the next edge of a clock shows is known: the pins of the edge behind it.
bool WaveRecorder::known(const Domain& domain) const {
    const cycle_t cycle = domain.edge + 1;
    if (domain.clock == &m_component.clocks().mi) return cycle < m_mi_known;
    return std::all_of(domain.sides.begin(), domain.sides.end(),
                       [&](const Side* side) { return cycle < side->pins->known(); });
}

/// Writes all events that are known, or before `end` what there is.
void WaveRecorder::write(time_fs end) {
    const bool all = end != never;
    if (!m_begun) {
        if (!all &&
            !std::all_of(m_domains.begin(), m_domains.end(), [&](const Domain& d) { return known(d); }))
            return;
        m_begun = true;
        write_first_values();
    }
    end = std::min(end, m_to);
    for (;;) {
        Domain* first = nullptr;
        time_fs at = end;
        for (Domain& domain : m_domains) {
            if (domain.event >= at) continue;
            at = domain.event;
            first = &domain;
        }
        if (!m_reset_changes.empty() && m_reset_changes.front().at <= at &&
            m_reset_changes.front().at < end) {
            m_writer.time(m_reset_changes.front().at + lead_fs);
            show_reset(m_reset_changes.front());
            m_reset_changes.pop_front();
            continue;
        }
        if (first == nullptr) break;
        if (!first->high && !all && !known(*first)) return;
        m_writer.time(at + lead_fs);
        if (first->high) {
            m_writer.change(first->handle, 0);
            first->high = false;
            first->event = first->clock->time_of(first->edge);
        } else {
            rise(*first);
        }
    }
    if (all || m_finished) return;
    m_finished = true;
    m_writer.finish();
}

void WaveRecorder::write_first_values() {
    m_writer.begin(m_from);
    if (m_has_mi) m_writer.change(m_mi_reset, 0);
    bool pcie_level = false;
    bool dma_level = false;
    for (; !m_reset_changes.empty() && m_reset_changes.front().at < m_from; m_reset_changes.pop_front()) {
        const ResetChange& change = m_reset_changes.front();
        if (change.pcie) pcie_level = change.level;
        if (change.dma) dma_level = change.level;
    }
    show_reset({m_from, true, false, pcie_level});
    show_reset({m_from, false, true, dma_level});
    for (Domain& domain : m_domains) {
        domain.event = domain.clock->time_of(domain.edge);
        m_writer.change(domain.handle, 0);
        for (Side* side : domain.sides)
            show(*side, domain.edge, true);
    }
    if (!m_has_mi) return;
    show_access(0, true);
    m_writer.change(m_mi.drd, 0);
    m_writer.change(m_mi.drdy, 0);
}

void WaveRecorder::show_reset(const ResetChange& change) {
    if (change.dma) m_writer.change(m_dma_reset, change.level);
    for (std::size_t e = 0; change.pcie && e < m_pcie_resets.size(); ++e)
        m_writer.change(m_pcie_resets[e], change.level);
}

void WaveRecorder::rise(Domain& domain) {
    m_writer.change(domain.handle, 1);
    domain.high = true;
    domain.event += domain.clock->period_fs() / 2;
    const cycle_t edge = domain.edge++;
    if (m_has_mi && &domain == &m_domains.front()) {
        show_answer(edge);
        show_access(edge + 1, false);
    }
    for (Side* side : domain.sides)
        show(*side, edge + 1, false);
}

/// Shows what a side's pins are in `cycle`: all of them, or those that change.
void WaveRecorder::show(Side& side, cycle_t cycle, bool all) {
    SidePins& pins = *side.pins;
    bool taken = false;
    while (pins.next() <= cycle) {
        pins.take();
        taken = true;
    }
    if (!taken && !all) return;
    for (std::size_t p = 0; p < side.handles.size(); ++p) {
        const Pin& pin = pins.pins()[p];
        if (pin.width != 0 && (pin.changed || all))
            m_writer.change_words(side.handles[p], pin.value.data(), pin.unknown.data());
    }
}

/// Shows the inputs that MI edge `edge` samples.
void WaveRecorder::show_access(cycle_t edge, bool all) {
    const mi::MiAccess* access = nullptr;
    for (std::size_t i = 0; i < m_accesses.size() && m_accesses[i].edge <= edge; ++i) {
        if (m_accesses[i].edge == edge) access = &m_accesses[i];
    }
    if (access == nullptr && !m_accessed && !all) return;
    m_accessed = access != nullptr;
    const mi::MiAccess shown = m_accessed ? *access : mi::MiAccess();
    m_writer.change(m_mi.rd, m_accessed && !shown.write);
    m_writer.change(m_mi.wr, m_accessed && shown.write);
    m_writer.change(m_mi.ardy, m_accessed);
    m_writer.change(m_mi.addr, shown.address);
    m_writer.change(m_mi.be, shown.enables);
    m_writer.change(m_mi.dwr, shown.write ? shown.data : 0);
}

/// Shows behind MI edge `edge` the answer to a read that the edge before it sampled.
void WaveRecorder::show_answer(cycle_t edge) {
    while (!m_accesses.empty() && m_accesses.front().edge < edge - 1)
        m_accesses.pop();
    const bool answers =
        !m_accesses.empty() && m_accesses.front().edge == edge - 1 && !m_accesses.front().write;
    if (answers) m_writer.change(m_mi.drd, m_accesses.front().data);
    if (answers != m_answers) m_writer.change(m_mi.drdy, answers);
    m_answers = answers;
}

}  // namespace tlmetry::endpoint_pins
