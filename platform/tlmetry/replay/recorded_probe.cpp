// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/recorded_probe.hpp"

namespace tlmetry::replay {

namespace {

std::uint32_t value(telemetry::PinWords pin, std::uint32_t width) {
    return static_cast<std::uint32_t>(telemetry::pin_bits(pin, 0, width));
}

bool is_high(telemetry::PinWords pin) {
    return value(pin, 1) != 0;
}

}  // namespace

RecordedProbe::RecordedProbe(const wave::VcdReader& reader, const PinHandles& handles,
                             telemetry::Telemetry& model, std::uint32_t endpoint, bool pcie)
    : m_pins(model, endpoint, pcie), m_probe(pcie ? model.pcie_probe(endpoint) : model.dma_probe(endpoint)) {
    const auto words = [&](const std::string& base, Group group) -> telemetry::PinWords {
        const auto handle = handles.find(base + "_" + std::to_string(endpoint));
        if (!handle) return nullptr;
        m_members.emplace_back(*handle, group);
        return reader.now(*handle).value;
    };
    const std::string side = pcie ? "pcie_mfb_" : "dma_mfb_";
    m_mfb = {words(side + "sof", mfb), words(side + "eof", mfb), words(side + "eof_pos", mfb),
             words(side + "src_rdy", mfb), words(side + "dst_rdy", mfb)};
    if (!pcie) {
        m_mvb = {words("dma_mvb_vld", mvb), words("dma_mvb_src_rdy", mvb), words("dma_mvb_dst_rdy", mvb)};
        return;
    }
    m_status = &model.status(endpoint);
    m_brake = words("pcie_ptc_brake", brakes);
    m_mps = words("pcie_mps", status);
    m_mrrs = words("pcie_mrrs", status);
    m_ext_tag = words("pcie_ext_tag_en", status);
    m_tag_10b = words("pcie_10b_tag_req_en", status);
    m_rcb = words("pcie_rcb_size", status);
    m_link_up = words("pcie_link_up", status);
    m_free_tags = words("pcie_tag_free", status);
    m_free_words = words("pcie_stfifo_free", status);
}

void RecordedProbe::tell(std::uint32_t groups, cycle_t from) {
    if ((groups & mfb) != 0) m_pins.tell_mfb(from, m_mfb);
    if ((groups & mvb) != 0) m_pins.tell_mvb(from, m_mvb);
    if ((groups & brakes) != 0) m_probe.brakes().hold(from, {value(m_brake, telemetry::brake_pins)});
    if ((groups & status) != 0) tell_status(from);
}

void RecordedProbe::tell_status(cycle_t from) {
    telemetry::StatusPins pins;
    pins.free_tags = value(m_free_tags, 11);
    pins.free_words = value(m_free_words, 16);
    pins.settings = telemetry::settings_of_pins(value(m_mps, 3), value(m_mrrs, 3), is_high(m_ext_tag),
                                                is_high(m_tag_10b), is_high(m_rcb), is_high(m_link_up));
    m_status->hold(from, pins);
}

}  // namespace tlmetry::replay
