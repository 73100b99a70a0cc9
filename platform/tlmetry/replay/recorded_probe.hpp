// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/replay/pins.hpp>
#include <tlmetry/telemetry/probe_pins.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::replay {

/// The observed pins of one probe in a recording. What they show is told to the model as words held from a
/// cycle on. A pin that the recording does not hold, and a bit that is not known, reads as zero.
class RecordedProbe {
public:
    /// Pins that are told together.
    enum Group : std::uint32_t { mfb = 1, mvb = 2, brakes = 4, status = 8 };

    /// The PCIe or the DMA probe of an endpoint. All signals of `reader` must have been selected.
    RecordedProbe(const wave::VcdReader& reader, const PinHandles& handles, telemetry::Telemetry& model,
                  std::uint32_t endpoint, bool pcie);

    /// The pins that the recording holds, and the groups to which they belong.
    const std::vector<std::pair<PinHandles::Handle, Group>>& members() const { return m_members; }

    /// Tells the model what the pins of some groups show from cycle `from` on.
    void tell(std::uint32_t groups, cycle_t from);

private:
    void tell_status(cycle_t from);

    telemetry::ProbePins m_pins;
    telemetry::Probe& m_probe;
    telemetry::EndpointStatus* m_status = nullptr;  // PCIe probe only
    std::vector<std::pair<PinHandles::Handle, Group>> m_members;

    // The reader keeps the value of a selected signal at one place.
    telemetry::MfbVectors m_mfb;
    telemetry::MvbVectors m_mvb;
    telemetry::PinWords m_brake = nullptr;
    telemetry::PinWords m_mps = nullptr, m_mrrs = nullptr, m_ext_tag = nullptr, m_tag_10b = nullptr;
    telemetry::PinWords m_rcb = nullptr, m_link_up = nullptr, m_free_tags = nullptr, m_free_words = nullptr;
};

}  // namespace tlmetry::replay
