// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_telemetry/log_feed.hpp"

#include <algorithm>
#include <stdexcept>

namespace tlmetry::endpoint_telemetry {

LogFeed::LogFeed(const EndpointLogs& logs, telemetry::Telemetry& component, std::uint32_t endpoint_index)
    : m_component(component),
      m_pcie(component.pcie_probe(endpoint_index)),
      m_dma(component.dma_probe(endpoint_index)),
      m_rq(*logs.rq.log, *logs.rq.waiting, component.pcie_bus(0)),
      m_rc(*logs.rc.log, *logs.rc.waiting, component.pcie_bus(1)),
      m_brakes(logs.brakes),
      m_tags(*logs.tags.falls, *logs.tags.rises, logs.tags.start, component.config().tag_capacity),
      m_words(*logs.words.falls, *logs.words.rises, logs.words.start, component.config().stfifo_capacity),
      m_level_tally(m_tags, m_words, m_pcie, component.status(endpoint_index)) {
    std::uint32_t bus = 0;
    for (const EndpointLogs::Port& port : logs.ports) {
        add_dma_bus(bus++, port.up, port.up_headers);
        add_dma_bus(bus++, port.down, port.down_headers);
    }
}

endpoint::LookCycles LogFeed::looks(const telemetry::Probe& probe, cycle_t begin, time_fs end) {
    if (!probe.running()) return {};
    // Windows close around each tick, and the first one opens a period before the first. Some cycles more do
    // no harm.
    constexpr cycle_t registers = 8;
    const telemetry::DrainTiming& timing = probe.timing();
    const cycle_t period = timing.drain_period;
    const cycle_t first = timing.first_tick - period - registers;
    return {first + std::max<cycle_t>(0, begin - first) / period * period, period,
            telemetry::slots_per_drain * timing.slot_cycles + 2 * registers,
            probe.clock().first_at_or_after(end)};
}

void LogFeed::add_dma_bus(std::uint32_t bus, const EndpointLogs::Mfb& mfb, const EndpointLogs::Mvb& mvb) {
    m_dma_buses.push_back({m_dma.mfb(bus), MfbTally(*mfb.log, *mfb.waiting, m_component.dma_bus(bus))});
    m_dma_headers.push_back({m_dma.mvb(bus), MvbTally(*mvb.log, *mvb.waiting)});
}

void LogFeed::commit(time_fs t) {
    if (t <= m_committed) return;
    if (m_component.now() > m_committed) throw std::logic_error("LogFeed: a look went ahead of the commits");
    const cycle_t pcie_end = m_pcie.clock().first_at_or_after(t);
    m_pcie.advance(m_pcie.mfb(0), pcie_end, m_rq);
    m_pcie.advance(m_pcie.mfb(1), pcie_end, m_rc);
    m_pcie.advance(m_pcie.brakes(), pcie_end, m_brakes);
    m_level_tally.begin(m_pcie_end);
    m_pcie.advance(m_pcie.bands(), pcie_end, m_level_tally);
    m_pcie_end = pcie_end;

    const cycle_t dma_end = m_dma.clock().first_at_or_after(t);
    for (MfbBus& bus : m_dma_buses)
        m_dma.advance(bus.group, dma_end, bus.tally);
    for (MvbBus& bus : m_dma_headers) {
        m_dma.advance(bus.group, dma_end, bus.tally);
        if (bus.group.running() || dma_end == m_dma_end) continue;
        // The reset may end such that the probe still takes what the bus showed last.
        bus.group.hold(dma_end - 1, bus.tally.shown(dma_end - 1));
        bus.group.hold(dma_end, {});
    }
    m_dma_end = dma_end;
    m_committed = t;
}

}  // namespace tlmetry::endpoint_telemetry
