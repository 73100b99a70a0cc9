// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint_telemetry/brake_tally.hpp>
#include <tlmetry/endpoint_telemetry/level_tally.hpp>
#include <tlmetry/endpoint_telemetry/mfb_tally.hpp>
#include <tlmetry/endpoint_telemetry/mvb_tally.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tlmetry::endpoint_telemetry {

/// Where to find what happens on the buses of one endpoint. A `waiting` or `since` is the cycle from which on
/// something lasts that is not in the log yet, `never` if there is nothing.
struct EndpointLogs {
    static constexpr cycle_t nothing = never;

    struct Mfb {
        endpoint::MfbLog* log = nullptr;
        const cycle_t* waiting = &nothing;
    };
    struct Mvb {
        endpoint::MvbLog* log = nullptr;
        const cycle_t* waiting = &nothing;
    };
    struct Port {
        Mfb up, down;
        Mvb up_headers, down_headers;
    };
    struct Level {
        endpoint::LevelLog* falls = nullptr;
        endpoint::LevelLog* rises = nullptr;
        std::uint32_t start = 0;  ///< in cycle 0
    };

    Mfb rq, rc;
    std::vector<Port> ports;
    std::array<Brake, telemetry::brake_pins> brakes;
    Level tags, words;
    const SettingsLog* settings = nullptr;  ///< null: PCIE_STATUS is zero
};

/// Counts what the logs of one endpoint say happened on its buses into the probes and the status of the
/// telemetry component, without going through it word by word, and takes it out of the logs. The outcome is
/// that of telling every word with hold().
class LogFeed {
public:
    /// Endpoint `endpoint_index` of the component, which nobody has looked at yet. What `logs` points to and
    /// the component must live as long as this.
    LogFeed(const EndpointLogs& logs, telemetry::Telemetry& component, std::uint32_t endpoint_index);
    LogFeed(const LogFeed&) = delete;
    LogFeed& operator=(const LogFeed&) = delete;

    /// PCIE_STATUS shows `word` from the first PCIe edge after `t` on. Times must not go back, nor behind a
    /// commit.
    void settings(time_fs t, std::uint32_t word) {
        m_level_tally.settings(m_pcie.clock().first_after(t), word);
    }

    /// When what is counted up to the next commit(), at `t`, is looked at.
    endpoint::LookCycles pcie_looks(time_fs t) const { return looks(m_pcie, m_pcie_end, t); }
    endpoint::LookCycles dma_looks(time_fs t) const { return looks(m_dma, m_dma_end, t); }

    const SettingsLog& settings() const { return m_level_tally.settings(); }

    /// Counts all cycles whose edge is before `t`; the logs must tell all of them. Throws std::logic_error if
    /// the component has looked at a time that no commit has passed.
    void commit(time_fs t);

private:
    struct MfbBus {
        telemetry::ChannelGroup<telemetry::MfbWord>& group;
        MfbTally tally;
    };
    struct MvbBus {
        telemetry::ChannelGroup<telemetry::MvbWord>& group;
        MvbTally tally;
    };
    static endpoint::LookCycles looks(const telemetry::Probe& probe, cycle_t begin, time_fs end);
    void add_dma_bus(std::uint32_t bus, const EndpointLogs::Mfb& mfb, const EndpointLogs::Mvb& mvb);

    telemetry::Telemetry& m_component;
    telemetry::Probe& m_pcie;
    telemetry::Probe& m_dma;
    MfbTally m_rq;
    MfbTally m_rc;
    std::vector<MfbBus> m_dma_buses;
    std::vector<MvbBus> m_dma_headers;
    BrakeTally m_brakes;
    Level m_tags;
    Level m_words;
    LevelTally m_level_tally;
    time_fs m_committed = 0;
    cycle_t m_pcie_end = 0;  // as of the last commit
    cycle_t m_dma_end = 0;
};

}  // namespace tlmetry::endpoint_telemetry
