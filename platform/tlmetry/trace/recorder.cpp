// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/recorder.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tlmetry::trace {

namespace {

constexpr std::uint64_t bus_address = 0x1'0000'0000;  // of the buffers, one behind the other
constexpr unsigned buffers = ptt::TraceDriver::buffers;

std::array<ptt::DmaBuffer, buffers> ring(const std::array<std::uint8_t*, buffers>& memory,
                                         std::uint32_t bytes) {
    std::array<ptt::DmaBuffer, buffers> result;
    for (std::size_t b = 0; b < buffers; ++b)
        result[b] = {bus_address + b * bytes, memory[b]};
    return result;
}

}  // namespace

ptt::TraceTargets targets_of(const device::SimulatedCard::Config& card, std::uint32_t core) {
    const card::Topology topology = card::topology(card.card, card.generics);
    ptt::TraceTargets targets;
    for (std::uint32_t e = 0; e < topology.endpoints; ++e) {
        if (topology.core_of(e) != core) continue;
        targets.plug_root_port(topology.root_port(topology.port_of(e)));
        if (card.card.link_up) targets.plug_requester(topology.endpoint(e));
    }
    return targets;
}

Recorder::Recorder(device::SimulatedCard& card, const Config& config,
                   const std::array<std::uint8_t*, ptt::TraceDriver::buffers>& memory,
                   ptt::TraceDriver::Sink sink)
    : m_simulated(card),
      m_config(config),
      m_sink(std::move(sink)),
      m_tap(*card.card()),
      m_unit({card::topology(card.config().card, card.config().generics), config.core, config.tick_fs},
             [this](std::uint64_t address, std::uint32_t) { return m_driver.memory_at(address); }),
      m_bus(m_unit),
      m_driver(m_bus, ring(memory, config.buffer_bytes), config.buffer_bytes) {
    config.trace.validate("");
    targets_of(card.config(), config.core).validate(config.trace.filter, "filter");
    m_unit.on_interrupt([this](time_fs at) { interrupt(at); });
    card.card()->on_advance([this](time_fs t) { advance(t); });
}

Recorder::~Recorder() {
    m_simulated.card()->on_advance({});
    m_tap.release();
}

/// The models may be some time behind the card.
void Recorder::catch_up() {
    m_simulated.card()->advance(m_simulated.now());
    advance(m_simulated.now());
}

void Recorder::start() {
    catch_up();
    m_driver.start(m_config.trace);
}

void Recorder::stop() {
    catch_up();
    m_driver.stop(m_sink);
}

void Recorder::advance(time_fs t) {
    while (m_passed < t) {
        // An interrupt in between is not served before the end of the piece.
        time_fs until = std::min(t, m_serve);
        if (m_config.reader_delay_fs != 0) until = std::min(until, m_passed + m_config.reader_delay_fs);
        const ptt::LinkTap::Tlps tlps = m_tap.take_before(until);
        m_unit.pass(tlps.begin, tlps.end);
        m_passed = until;
        if (m_passed != m_serve) continue;
        m_serve = never;
        serve();
    }
}

void Recorder::serve() {
    m_driver.serve(m_sink);
    m_unit.memory_changed();
}

void Recorder::interrupt(time_fs at) {
    if (m_config.reader_delay_fs == 0)
        serve();
    else if (m_serve == never)
        m_serve = at + m_config.reader_delay_fs;
}

}  // namespace tlmetry::trace
