// SPDX-License-Identifier: BSD-3-Clause
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "tlmetry/pins/pin_check.hpp"

#include <tlmetry/base/quantity.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/systemc/time.hpp>

#include <algorithm>

namespace tlmetry::pins {

namespace {

// Cycles of the slowest clock by which the pins are late: how far the component then goes at a time, and how
// long a word can wait and show its content from its first cycle on.
constexpr cycle_t late_cycles = 4096;

/// "endpoint 1, DMA clock probe, channel 7".
std::string describe_channel(std::uint32_t stream, std::uint32_t channel) {
    return "endpoint " + std::to_string(stream / 2) + (stream % 2 == 0 ? ", PCIe" : ", DMA") +
           " clock probe, channel " + std::to_string(channel);
}

std::string describe_entry(const telemetry::Layout& layout, std::uint32_t entry) {
    const std::uint32_t endpoint = entry / layout.channels_per_endpoint;
    const std::uint32_t channel = entry % layout.channels_per_endpoint;
    const bool pcie = channel < layout.pcie.channels;
    return describe_channel(2 * endpoint + (pcie ? 0 : 1), pcie ? channel : channel - layout.pcie.channels);
}

}  // namespace

PinCheck::Side::Side(const endpoint_telemetry::EndpointLogs& logs, telemetry::Telemetry& component,
                     telemetry::PinAdapter& adapter, std::uint32_t endpoint_index, bool is_pcie,
                     const std::vector<endpoint_pins::MfbRules>& rules,
                     const std::vector<endpoint::ResetSpan>& resets)
    : endpoint(endpoint_index),
      pcie(is_pcie),
      pins(logs, component, endpoint_index, is_pcie),
      checker(pins, rules, is_pcie ? component.layout().pcie.regions : component.layout().dma.regions,
              resets),
      signals(adapter, endpoint_index, is_pcie) {}

PinCheck::PinCheck(const sc_core::sc_module_name& name, telemetry::Telemetry& component,
                   const std::vector<endpoint_telemetry::EndpointLogs>& logs,
                   const std::vector<endpoint_pins::EndpointRules>& rules,
                   std::vector<endpoint::ResetSpan> resets)
    : sc_module(name),
      m_component(component),
      m_adapter("adapter", component.config()),
      m_resets(std::move(resets)) {
    const telemetry::Clocks& clocks = component.clocks();
    m_domains.emplace_back(clocks.mi);
    m_domains.emplace_back(clocks.dma);
    m_adapter.mi_clk(m_domains[0].signal);
    m_adapter.dma_clk(m_domains[1].signal);
    for (std::uint32_t e = 0; e < logs.size(); ++e) {
        Domain& pcie = m_domains.emplace_back(clocks.pcie[e]);
        m_adapter.pcie_clk[e](pcie.signal);
        m_adapter.pcie_reset[e](m_pcie_reset);
        pcie.sides.push_back(
            &m_sides.emplace_back(logs[e], component, m_adapter, e, true, rules[e].pcie, m_resets));
        m_domains[1].sides.push_back(
            &m_sides.emplace_back(logs[e], component, m_adapter, e, false, rules[e].dma, m_resets));
    }
    m_adapter.mi_reset(m_mi_reset), m_adapter.dma_reset(m_dma_reset);
    m_adapter.mi_rd(m_mi_rd), m_adapter.mi_wr(m_mi_wr);
    m_adapter.mi_addr(m_mi_addr), m_adapter.mi_dwr(m_mi_dwr), m_adapter.mi_be(m_mi_be);
    m_adapter.mi_drd(m_mi_drd), m_adapter.mi_drdy(m_mi_drdy), m_adapter.mi_ardy(m_mi_ardy);
    for (const Domain& domain : m_domains)
        m_delay = std::max(m_delay, late_cycles * domain.clock.period_fs());

    component.on_delta([this](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
        m_deltas.push({stream, word.channel, word.delta});
    });
    m_adapter.core().on_delta([this](std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
        compare_delta(stream, word);
    });
    sc_core::sc_spawn_options options;
    options.spawn_method();
    for (Domain& domain : m_domains)
        sc_core::sc_spawn([this, &domain] { tick(domain); }, sc_core::sc_gen_unique_name("tick"), &options);
    sc_core::sc_spawn([this] { change_resets(); }, "change_resets", &options);
}

PinCheck::~PinCheck() {
    m_component.on_delta({});
}

time_fs PinCheck::pin_time() const {
    return kernel_now() - m_delay;
}

void PinCheck::advance(time_fs t) {
    m_known = std::max(m_known, t);
    for (Side& side : m_sides)
        side.pins.expand(t);
}

/// One clock: pins change together with the edge that samples them.
void PinCheck::tick(Domain& domain) {
    const time_fs now = pin_time();
    if (now < 0 || (!domain.high && now < domain.clock.time_of(domain.edge))) {
        sc_core::next_trigger(to_sc_time(domain.clock.time_of(domain.edge) - now));
        return;
    }
    if (domain.high) {
        domain.high = false;
        domain.signal.write(false);
        sc_core::next_trigger(to_sc_time(domain.clock.time_of(domain.edge) - now));
        return;
    }
    // The register bus has an edge more, to look at.
    const bool over = now > m_end || (now == m_end && &domain != &m_domains.front());
    if (over || m_failure) {
        sc_core::next_trigger(m_never);
        return;
    }
    try {
        if (m_known <= now && now < m_end) m_component.advance_to(kernel_now());
        show(domain);
    } catch (...) {
        // An exception must not leave a process of the kernel.
        m_failure = std::current_exception();
    }
    domain.signal.write(true);
    domain.high = true;
    ++domain.edge;
    ++m_edges;
    sc_core::next_trigger(to_sc_time(domain.clock.period_fs() / 2));
}

/// Resets change a step before the first edge that sees them, which may be at the very time of the change.
void PinCheck::change_resets() {
    for (; m_reset_changes < 2 * m_resets.size(); ++m_reset_changes) {
        const endpoint::ResetSpan& reset = m_resets[m_reset_changes / 2];
        const bool level = m_reset_changes % 2 == 0;
        const time_fs at = (level ? reset.from : reset.until) - 1;
        if (at > pin_time()) {
            sc_core::next_trigger(to_sc_time(at - pin_time()));
            return;
        }
        if (reset.of_pcie()) m_pcie_reset.write(level);
        if (reset.of_dma()) m_dma_reset.write(level);
    }
    sc_core::next_trigger(m_never);
}

void PinCheck::show(Domain& domain) {
    for (Side* side : domain.sides) {
        // A word has waited for too long to wait for its content.
        if (side->pins.known() <= domain.edge) side->pins.finish(domain.clock.time_of(domain.edge) + 1);
        if (side->pins.next() != domain.edge) continue;
        side->pins.take();
        side->checker.taken(domain.edge);
        side->signals.drive(side->pins);
    }
    if (&domain == &m_domains.front()) mi_edge(domain.edge);
}

void PinCheck::mi_edge(cycle_t edge) {
    // Answers stand here two edges after the read was sampled.
    const bool expected = !m_to_answer.empty() && m_to_answer.front().edge + 2 == edge;
    if (expected || m_mi_drdy.read()) {
        const std::uint64_t data = m_mi_drdy.read() ? m_mi_drd.read() : ~std::uint64_t{0};
        const mi::MiAccess read = expected ? m_to_answer.front() : mi::MiAccess();
        ++m_compared_answers;
        if (!expected || data != read.data) {
            differ(pin_time(), "read of address " + std::to_string(read.address),
                   expected ? read.data : ~std::uint64_t{0}, data);
        }
        if (expected) m_to_answer.pop();
    }
    mi::MiAccess access;
    const bool any = !m_to_do.empty() && m_to_do.front().edge == edge;
    if (any) {
        access = m_to_do.front();
        m_to_do.pop();
        if (!access.write) m_to_answer.push(access);
    }
    m_mi_rd.write(any && !access.write);
    m_mi_wr.write(any && access.write);
    m_mi_addr.write(access.address);
    m_mi_dwr.write(access.write ? access.data : 0);
    m_mi_be.write(access.enables);
}

void PinCheck::differ(time_fs t, const std::string& what, std::uint64_t expected, std::uint64_t found) {
    if (!m_difference.empty()) return;
    const auto value = [](std::uint64_t v) { return v == ~std::uint64_t{0} ? "none" : std::to_string(v); };
    m_difference = what + " at " + format_quantity(t, time_units) + ": expected " + value(expected) +
                   ", found " + value(found) + " on the pins";
}

void PinCheck::compare(const std::string& what, std::uint64_t expected, std::uint64_t found) {
    ++m_compared_counters;
    if (expected != found) differ(m_end, what, expected, found);
}

void PinCheck::compare_delta(std::uint32_t stream, const telemetry::DeltaFifo::Word& word) {
    const time_fs t = pin_time();
    const std::string where = describe_channel(stream, word.channel);
    ++m_compared_deltas;
    if (m_deltas.empty()) return differ(t, "a delta of " + where, ~std::uint64_t{0}, word.delta);
    const Delta expected = m_deltas.front();
    m_deltas.pop();
    if (expected.stream != stream || expected.channel != word.channel) {
        return differ(t,
                      "order of the deltas, where " + describe_channel(expected.stream, expected.channel) +
                          " comes first and on the pins " + where,
                      expected.value, word.delta);
    }
    if (expected.value != word.delta) differ(t, "delta of " + where, expected.value, word.delta);
}

void PinCheck::finish() {
    // An MI edge behind everything at which both can be looked at.
    const ClockDomain& mi = m_component.clocks().mi;
    cycle_t edge = mi.first_at_or_after(std::max(m_component.now(), kernel_now()));
    for (std::size_t i = 0; i < m_to_do.size(); ++i)
        edge = std::max(edge, m_to_do[i].edge + 1);
    m_component.advance_to(mi.time_of(edge + 3));
    m_end = mi.time_of(edge + 3);
    sc_core::sc_start(to_sc_time(m_end + m_delay + 1 - kernel_now()));
    if (m_failure) std::rethrow_exception(m_failure);
    compare_all();
}

void PinCheck::compare_all() {
    telemetry::Telemetry& pins = m_adapter.core();
    for (std::uint32_t offset = 0; offset < regs::registers_end; offset += 4) {
        compare("register " + std::to_string(offset), m_component.peek(m_end, offset),
                pins.peek(m_end + m_delay, offset));
    }
    for (std::uint32_t i = 0; i < m_component.layout().entries; ++i) {
        const std::string where = describe_entry(m_component.layout(), i);
        compare("counter of " + where, m_component.counted(i), pins.counted(i));
        compare("counter in the memory of " + where, m_component.live_counter(i), pins.live_counter(i));
        compare("snapshot of " + where, m_component.snapshot_counter(i), pins.snapshot_counter(i));
    }
    compare("lost deltas", m_component.dropped_deltas(), pins.dropped_deltas());
    compare("deltas that have not come", 0, m_deltas.size());
    compare("reads without an answer", 0, m_to_do.size() + m_to_answer.size());
    for (Side& side : m_sides) {
        side.checker.advance(side.pins.known());
        const std::string broken = side.checker.broken();
        if (broken.empty() || !m_difference.empty()) continue;
        m_difference = "endpoint " + std::to_string(side.endpoint) + (side.pcie ? ", PCIe" : ", DMA") +
                       " side, " + broken;
    }
}

std::string PinCheck::summary() const {
    std::string text = std::to_string(m_edges) + " clock cycles on pins, " +
                       std::to_string(m_compared_deltas) + " deltas, " + std::to_string(m_compared_answers) +
                       " answers and " + std::to_string(m_compared_counters) +
                       " counters and registers compared";
    return m_difference.empty() ? text + ", all equal" : text;
}

}  // namespace tlmetry::pins
