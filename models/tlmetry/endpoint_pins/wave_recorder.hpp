// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/sliding_queue.hpp>
#include <tlmetry/endpoint/reset_domain.hpp>
#include <tlmetry/endpoint_pins/side_pins.hpp>
#include <tlmetry/mi/device.hpp>
#include <tlmetry/wave/vcd_writer.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::endpoint_pins {

/// Writes the pins of the telemetry component as a VCD file (docs/waves.md): clocks, resets, observed buses,
/// and from time 0 on the register bus. Pins change with the edge before the one that samples them.
class WaveRecorder {
public:
    struct Config {
        std::string path;
        time_fs from = 0;
        time_fs to = never;
    };

    /// `logs` by endpoint; what they point to and `component` must live as long as this. `resets` are those
    /// to come, in order. Throws UserError for a file that cannot be written, and for pins that cannot be
    /// shown (MfbExpander).
    WaveRecorder(const Config& config, telemetry::Telemetry& component,
                 const std::vector<endpoint_telemetry::EndpointLogs>& logs,
                 const std::vector<endpoint::ResetSpan>& resets);

    /// Accesses come in order, those of the MI edges before `t` before advance(t).
    void access(const mi::MiAccess& access) {
        if (m_has_mi) m_accesses.push(access);
    }
    /// Writes what is known of the time before `t`, which the logs must tell. Before each commit. Throws
    /// UserError when the file cannot be written.
    void advance(time_fs t);
    /// The run has ended at `t`: closes the file.
    void finish(time_fs t);

    /// Time stamps of the file are so much later than the simulation: a reader sees an edge at time 0 only if
    /// the clock has been low before.
    static constexpr time_fs lead_fs = fs_per_ns;

private:
    using Handle = wave::VcdWriter::Handle;
    struct Side {
        std::unique_ptr<SidePins> pins;
        std::vector<Handle> handles;  // by pin; of none for a pin without bits
    };
    struct Domain {
        const ClockDomain* clock = nullptr;
        Handle handle = 0;
        cycle_t edge = 0;  // the next rising one
        bool high = false;
        time_fs event = 0;  // when it rises or falls next
        std::vector<Side*> sides;
    };
    struct Mi {
        Handle addr, dwr, be, rd, wr, ardy, drd, drdy;
    };

    void declare();
    void write_first_values();
    void write(time_fs end);
    bool known(const Domain& domain) const;
    void rise(Domain& domain);
    void show(Side& side, cycle_t cycle, bool all);
    void show_access(cycle_t edge, bool all);
    void show_answer(cycle_t edge);

    telemetry::Telemetry& m_component;
    time_fs m_from;
    time_fs m_to;
    bool m_has_mi;
    bool m_begun = false;
    bool m_finished = false;
    wave::VcdWriter m_writer;
    std::deque<Side> m_sides;      // PCIe and DMA side of endpoint 0, of endpoint 1, ...
    std::deque<Domain> m_domains;  // MI if it is there, DMA, PCIe clocks
    std::size_t m_dma = 0;         // place of DMA
    struct ResetChange {
        time_fs at = 0;
        bool pcie = false;
        bool dma = false;
        bool level = false;
    };
    void show_reset(const ResetChange& change);

    Handle m_mi_reset = 0;
    Handle m_dma_reset = 0;
    std::vector<Handle> m_pcie_resets;
    std::deque<ResetChange> m_reset_changes;  // to come
    Mi m_mi{};
    SlidingQueue<mi::MiAccess> m_accesses;
    cycle_t m_mi_known = 0;
    bool m_accessed = false;  // what the pins show
    bool m_answers = false;
};

}  // namespace tlmetry::endpoint_pins
