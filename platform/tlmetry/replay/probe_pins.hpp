// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/replay/pins.hpp>
#include <tlmetry/telemetry/telemetry.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::replay {

/// The value of one pin; a pin that the recording does not hold, and a bit that is not known, reads as zero.
class PinView {
public:
    PinView() = default;
    PinView(const wave::VcdReader& reader, PinHandles::Handle handle) : m_reader(&reader), m_handle(handle) {}

    /// `width` bits from bit `lsb` on, at most 64.
    std::uint64_t bits(std::uint32_t lsb, std::uint32_t width) const;
    std::uint32_t value(std::uint32_t width) const { return static_cast<std::uint32_t>(bits(0, width)); }

private:
    const wave::VcdReader* m_reader = nullptr;
    PinHandles::Handle m_handle = 0;
};

/// The observed pins of one probe. What changed is told to the model as words held from a cycle on.
class ProbePins {
public:
    /// Pins that are told together.
    enum Group : std::uint32_t { none = 0, buses = 1, mvb = 2, brakes = 4, status = 8 };

    /// The PCIe or the DMA probe of an endpoint.
    ProbePins(const wave::VcdReader& reader, const PinHandles& handles, telemetry::Telemetry& model,
              std::uint32_t endpoint, bool pcie);

    /// The pins that the recording holds, and the groups to which they belong.
    const std::vector<std::pair<PinHandles::Handle, Group>>& members() const { return m_members; }

    /// Tells the model what the pins of some groups show from cycle `from` on.
    void tell(std::uint32_t groups, cycle_t from);

private:
    struct Bus {
        telemetry::BusShape shape;
        telemetry::MfbPins told;
    };

    PinView view(const PinHandles& handles, const std::string& base, Group group);
    void tell_bus(std::uint32_t bus, cycle_t from);
    void tell_mvb(std::uint32_t bus, cycle_t from);
    void tell_status(cycle_t from);

    const wave::VcdReader& m_reader;
    telemetry::Probe& m_probe;
    telemetry::EndpointStatus* m_status = nullptr;  // PCIe probe only
    std::uint32_t m_endpoint;
    std::uint32_t m_regions;
    std::uint32_t m_eof_pos_width;
    std::vector<Bus> m_buses;
    std::vector<std::pair<PinHandles::Handle, Group>> m_members;

    PinView m_sof, m_eof, m_eof_pos, m_src_rdy, m_dst_rdy;
    PinView m_mvb_vld, m_mvb_src_rdy, m_mvb_dst_rdy;
    PinView m_brake;
    PinView m_mps, m_mrrs, m_ext_tag, m_tag_10b, m_rcb, m_link_up, m_free_tags, m_free_words;
};

}  // namespace tlmetry::replay
