// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/reset_domain.hpp>
#include <tlmetry/endpoint_pins/side_pins.hpp>
#include <tlmetry/endpoint_pins/timeline.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace tlmetry::endpoint_pins {

/// What an MFB must keep to beyond the protocol.
struct MfbRules {
    std::uint32_t regions = 1;
    std::uint32_t region_items = 1;
    std::uint32_t eof_pos_width = 0;
    std::uint32_t most_items = 0;  ///< of a frame; 0: any number
    bool gapless = false;          ///< SRC_RDY stays high inside a frame
    bool one_start = false;        ///< frames start in region 0 only
};

/// Watches the pins of an MFB: SRC_RDY with stable content until DST_RDY; frames start at the first item of a
/// region, one at most, and none in an open frame; every frame that ends has started; every word that moves
/// carries something.
class MfbChecker {
public:
    explicit MfbChecker(const MfbRules& rules) : m_rules(rules) {}

    /// From cycle `from` on the pins show `state`; cycles grow.
    void change(cycle_t from, const MfbState& state);
    /// A reset drops frames that are open and words that wait in cycle `from`.
    void reset(cycle_t from) {
        advance(from);
        m_open = false;
        m_state = {};
    }
    /// Goes through all cycles below `end`.
    void advance(cycle_t end);

    /// The first rule broken, and when: "cycle 17: SOF inside a frame"; empty if there is none.
    const std::string& broken() const { return m_broken; }
    std::uint64_t words() const { return m_words; }
    std::uint64_t frames() const { return m_frames; }  ///< that have ended
    std::uint64_t stalled() const { return m_stalled; }

private:
    void move(cycle_t cycle);
    void require(bool kept, cycle_t cycle, const std::string& rule) {
        if (!kept && m_broken.empty()) m_broken = "cycle " + std::to_string(cycle) + ": " + rule;
    }

    MfbRules m_rules;
    MfbState m_state;
    cycle_t m_at = 0;  // first cycle not gone through
    bool m_open = false;
    std::uint64_t m_items = 0;  // of the open frame
    std::uint64_t m_words = 0;
    std::uint64_t m_frames = 0;
    std::uint64_t m_stalled = 0;
    std::string m_broken;
};

/// The same for an MVB of `width` items.
class MvbChecker {
public:
    explicit MvbChecker(std::uint32_t width) : m_width(width) {}

    void change(cycle_t from, const MvbState& state);
    void reset() { m_state = {}; }
    const std::string& broken() const { return m_broken; }

private:
    std::uint32_t m_width;
    MvbState m_state;
    std::string m_broken;
};

/// Watches all buses of a side, from its first cycle on.
class SideChecker {
public:
    /// `rules` by bus. `mvb_items`: width of every MVB. `resets` of the endpoint, in order.
    SideChecker(const SidePins& side, const std::vector<MfbRules>& rules, std::uint32_t mvb_items,
                const std::vector<endpoint::ResetSpan>& resets);

    /// The side has just taken the changes of `cycle`.
    void taken(cycle_t cycle);
    /// All cycles below `end` are known.
    void advance(cycle_t end);

    /// The first rule broken that it finds: "bus 1, cycle 17: ..."; empty if there is none.
    std::string broken() const;
    const MfbChecker& mfb(std::uint32_t bus) const { return m_mfb[bus]; }

private:
    void reset_to(cycle_t cycle);

    const SidePins& m_side;
    std::deque<cycle_t> m_resets;  // to come, by their first cycle
    std::vector<MfbChecker> m_mfb;
    std::vector<MvbChecker> m_mvb;
};

/// The rules of all buses of an endpoint: PCIe side RQ, RC; DMA side UP, DOWN of every port.
struct EndpointRules {
    std::vector<MfbRules> pcie;
    std::vector<MfbRules> dma;
};
/// Frames carry at most `mps_bytes` of payload; 0: any number.
EndpointRules rules_of(const endpoint::Config& config, const telemetry::Config& component,
                       std::uint32_t mps_bytes);

}  // namespace tlmetry::endpoint_pins
