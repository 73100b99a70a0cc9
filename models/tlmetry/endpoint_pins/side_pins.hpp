// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/endpoint_pins/expanders.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tlmetry::endpoint_pins {

/// A vector of pins as documented, with all buses of its side.
struct Pin {
    std::string base;         ///< lower case, without the number of its endpoint
    std::uint32_t width = 1;  ///< bits; 0: the component has no such pin
    std::vector<std::uint64_t> value;
    std::vector<std::uint64_t> unknown;  ///< bits of words whose content is not known; their value is 0
    bool changed = false;                ///< by the last take()
};

/// All pins of one probe, as changes that somebody takes in the order of time. Who shows them to a clock has
/// the pins of cycle n stand there when edge n samples them.
class SidePins {
public:
    /// Of the PCIe or the DMA probe of an endpoint that is in `logs`. What they point to and the clocks of
    /// `component` must live as long as this. Throws UserError like MfbExpander.
    SidePins(const endpoint_telemetry::EndpointLogs& logs, telemetry::Telemetry& component,
             std::uint32_t endpoint, bool pcie);
    SidePins(const SidePins&) = delete;
    SidePins& operator=(const SidePins&) = delete;

    const ClockDomain& clock() const { return m_clock; }

    // All edges before `t`; see expanders.hpp.
    void expand(time_fs t);
    void finish(time_fs t);
    void skip(time_fs t);

    /// All cycles below it are known.
    cycle_t known() const { return m_known; }
    /// Cycle of the first change that has not been taken; `never` if none is known.
    cycle_t next() const { return m_next; }
    /// Lets pins() show what cycle next() changes.
    void take();
    /// Changes that have not been taken.
    std::size_t waiting() const;

    const std::vector<Pin>& pins() const { return m_pins; }
    std::uint32_t buses() const { return static_cast<std::uint32_t>(m_mfb.size()); }
    bool has_mvb() const { return !m_mvb.empty(); }
    // What a bus shows, and whether the last take() changed it.
    struct MfbNow : MfbState {
        bool changed = false;
    };
    struct MvbNow : MvbState {
        bool changed = false;
    };
    const MfbNow& mfb(std::uint32_t bus) const { return m_mfb_now[bus]; }
    /// DMA side only.
    const MvbNow& mvb(std::uint32_t bus) const { return m_mvb_now[bus]; }

private:
    struct Status {
        BrakeExpander brakes;
        LevelExpander tags;
        LevelExpander words;
        SettingsExpander settings;
    };

    void add_pin(const char* base, std::uint32_t width);
    void add_bus(const endpoint_telemetry::EndpointLogs::Mfb& mfb, const telemetry::BusShape& shape);
    template <class Side, class Action>
    static void each(Side& side, const Action& action);
    void find_next();
    void set(std::uint32_t pin, std::uint32_t lsb, std::uint32_t width, std::uint64_t value,
             bool known = true);
    void set_settings(std::uint32_t word);

    const ClockDomain& m_clock;
    const std::uint32_t m_regions;
    const std::uint32_t m_eof_pos_width;
    std::deque<MfbExpander> m_mfb;
    std::deque<MvbExpander> m_mvb;
    std::unique_ptr<Status> m_status;
    std::vector<MfbNow> m_mfb_now;
    std::vector<MvbNow> m_mvb_now;
    std::vector<Pin> m_pins;
    cycle_t m_known = 0;
    cycle_t m_next = never;
};

}  // namespace tlmetry::endpoint_pins
