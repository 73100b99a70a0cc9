// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/reset_domain.hpp>
#include <tlmetry/endpoint_pins/protocol_checker.hpp>
#include <tlmetry/endpoint_pins/side_pins.hpp>
#include <tlmetry/mi/device.hpp>
#include <tlmetry/pins/pin_signals.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/telemetry_sc/pin_adapter.hpp>

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace tlmetry::pins {

/// Counts a run a second time, the long way: expands it into signals with clocks that tick, lets a PinAdapter
/// sample them edge by edge, repeats the accesses of the software there, and compares everything that the two
/// components show: each delta in its order, each answer, and at the end all counters and registers. Also
/// checks the protocol of the pins.
///
/// The pins go some microseconds behind the simulation, so that what they show is known by then.
class PinCheck : public sc_core::sc_module {
public:
    /// `component` counts `logs`, by endpoint; takes its on_delta(). All must live as long as this. `resets`
    /// are those to come, in order. Throws UserError where the pins are too wide for signals.
    PinCheck(const sc_core::sc_module_name& name, telemetry::Telemetry& component,
             const std::vector<endpoint_telemetry::EndpointLogs>& logs,
             const std::vector<endpoint_pins::EndpointRules>& rules, std::vector<endpoint::ResetSpan> resets);
    ~PinCheck() override;

    /// An access of the software, in order.
    void access(const mi::MiAccess& access) { m_to_do.push(access); }
    /// The logs tell everything before `t`. Before each commit.
    void advance(time_fs t);

    /// Once the software has ended: lets the kernel run until the pins have caught up, and compares.
    void finish();

    /// The first difference in one sentence, when and where, expected and found; empty if there is none.
    const std::string& difference() const { return m_difference; }
    std::uint64_t compared_deltas() const { return m_compared_deltas; }
    std::uint64_t compared_answers() const { return m_compared_answers; }
    /// What was compared, in one sentence.
    std::string summary() const;

private:
    struct Side {
        Side(const endpoint_telemetry::EndpointLogs& logs, telemetry::Telemetry& component,
             telemetry::PinAdapter& adapter, std::uint32_t endpoint, bool pcie,
             const std::vector<endpoint_pins::MfbRules>& rules,
             const std::vector<endpoint::ResetSpan>& resets);

        std::uint32_t endpoint;
        bool pcie;
        endpoint_pins::SidePins pins;
        endpoint_pins::SideChecker checker;
        SideSignals signals;
    };
    struct Domain {
        explicit Domain(const ClockDomain& domain_clock) : clock(domain_clock) {}

        const ClockDomain& clock;
        sc_core::sc_signal<bool> signal;
        bool high = false;
        cycle_t edge = 0;  // the next rising one
        std::vector<Side*> sides;
    };
    struct Delta {
        std::uint32_t stream = 0;
        std::uint32_t channel = 0;
        std::uint64_t value = 0;
    };

    void tick(Domain& domain);
    void change_resets();
    void show(Domain& domain);
    void mi_edge(cycle_t edge);
    void compare_delta(std::uint32_t stream, const telemetry::DeltaFifo::Word& word);
    void compare_all();
    void compare(const std::string& what, std::uint64_t expected, std::uint64_t found);
    void differ(time_fs t, const std::string& what, std::uint64_t expected, std::uint64_t found);
    time_fs pin_time() const;

    telemetry::Telemetry& m_component;
    telemetry::PinAdapter m_adapter;
    std::deque<Side> m_sides;
    std::deque<Domain> m_domains;  // MI, DMA, PCIe clocks
    sc_core::sc_signal<bool> m_mi_reset, m_dma_reset, m_pcie_reset;
    std::vector<endpoint::ResetSpan> m_resets;
    std::size_t m_reset_changes = 0;  // that have been shown
    sc_core::sc_signal<bool> m_mi_rd, m_mi_wr, m_mi_ardy, m_mi_drdy;
    sc_core::sc_signal<std::uint32_t> m_mi_dwr, m_mi_addr, m_mi_be, m_mi_drd;
    sc_core::sc_event m_never;
    time_fs m_delay = 0;    // of the pins behind the simulation
    time_fs m_known = 0;    // the logs have told everything before it
    time_fs m_end = never;  // of what is played

    SlidingQueue<mi::MiAccess> m_to_do;
    SlidingQueue<mi::MiAccess> m_to_answer;  // reads
    SlidingQueue<Delta> m_deltas;            // of the component, not compared yet
    std::uint64_t m_edges = 0;
    std::uint64_t m_compared_deltas = 0;
    std::uint64_t m_compared_answers = 0;
    std::uint64_t m_compared_counters = 0;
    std::string m_difference;
    std::exception_ptr m_failure;
};

}  // namespace tlmetry::pins
