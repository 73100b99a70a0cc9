// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "endpoint_telemetry/random_logs.hpp"
#include "endpoint_telemetry/twin.hpp"

#include <tlmetry/endpoint_telemetry/log_feed.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace tlmetry::testing {

/// Made-up traffic of one endpoint, as logs and as pins.
class MadeUpEndpoint {
public:
    MadeUpEndpoint(Random& random, telemetry::Telemetry& component, std::uint32_t index, cycle_t pcie_end,
                   cycle_t dma_end);
    MadeUpEndpoint(const MadeUpEndpoint&) = delete;
    MadeUpEndpoint& operator=(const MadeUpEndpoint&) = delete;

    endpoint_telemetry::EndpointLogs logs();
    std::uint32_t start_tags() const { return m_start_tags; }

    /// Shows in the logs what happens before time `t`.
    void show_to(time_fs t);
    /// Tells a component word by word what happens before time `t`.
    void tell(time_fs t, telemetry::Telemetry& component);
    /// PCIE_STATUS from the first PCIe edge after `t` on.
    void settings(time_fs t, std::uint32_t word);

private:
    struct MfbBus {
        Script<endpoint::Piece> script;
        Shown<endpoint::Piece> shown;
        std::vector<telemetry::MfbPins> pins;
    };
    struct MvbBus {
        Script<endpoint::Headers> script;
        Shown<endpoint::Headers> shown;
        std::vector<telemetry::MvbWord> words;
    };
    struct BrakePin {
        Script<endpoint::Interval> script;
        Shown<endpoint::Interval> shown;
    };

    Random m_random;
    std::uint32_t m_index;
    const ClockDomain& m_pcie;
    const ClockDomain& m_dma;
    std::deque<MfbBus> m_mfb;  // RQ, RC, then UP and DOWN of every port
    std::deque<MvbBus> m_mvb;
    std::array<BrakePin, telemetry::brake_pins> m_brakes;
    std::vector<std::uint32_t> m_brake_masks;
    std::uint32_t m_start_tags;
    std::uint32_t m_start_words;
    LevelScript m_tags;
    LevelScript m_words;
    Shown<endpoint::Step> m_tag_falls, m_tag_rises, m_word_falls, m_word_rises;
    std::vector<telemetry::StatusPins> m_status;
    cycle_t m_pcie_told = 0;
    cycle_t m_dma_told = 0;
};

/// What a random case exercised.
struct CaseOutcome {
    std::string difference;  ///< empty: the two ways are equal
    std::uint64_t commits = 0;
    std::uint64_t resets = 0;
    std::uint64_t deltas = 0;
    std::uint64_t dropped = 0;
    std::uint64_t skipped = 0;
};

/// Random configuration, clocks, traffic, commits, looks, commands and resets: logs against words.
CaseOutcome play_case(std::uint64_t seed);

}  // namespace tlmetry::testing
