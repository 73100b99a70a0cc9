// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <optional>

namespace tlmetry::telemetry {

/// What a rising edge of MI_CLK finds on the pins of the register bus.
struct MiInputs {
    bool reset = false;
    bool read = false;
    bool write = false;
    std::uint32_t address = 0;
    std::uint32_t data = 0;
    std::uint8_t enables = 0xF;
};

/// The register bus edge by edge: makes accesses of its pins and answers of their results. A read sampled at
/// one edge passes two registers: DRDY and DRD show it from the next edge on, so that a master finds it at
/// the one after.
class MiPins {
public:
    struct Answer {
        std::uint32_t address = 0;
        std::uint32_t data = 0;  ///< DRD
    };

    /// `core` must outlive this object.
    explicit MiPins(Telemetry& core) : m_core(&core) {}

    /// DRDY is high with this answer, as the last edge left it.
    const std::optional<Answer>& answer() const { return m_answer; }

    /// Goes through MI edge `edge`; `pins` stood before it. Edges come in order, none is left out while
    /// something happens on the bus.
    void edge(cycle_t edge, const MiInputs& pins) {
        m_answer = m_sampled;
        m_sampled.reset();
        if (pins.reset) m_answer.reset();
        // A read sees what stood before the edge, also of a write at the same edge.
        if (pins.read && !pins.reset) m_sampled = Answer{pins.address, m_core->read(edge, pins.address)};
        if (pins.write) m_core->write(edge, pins.address, pins.data, pins.enables);
    }

private:
    Telemetry* m_core;
    std::optional<Answer> m_sampled;
    std::optional<Answer> m_answer;
};

}  // namespace tlmetry::telemetry
