// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/replay/probe_pins.hpp"

namespace tlmetry::replay {

namespace {

/// Stores a value; true when it is another one.
template <class T, class Value>
bool update(T& stored, Value value) {
    const T converted = static_cast<T>(value);
    if (stored == converted) return false;
    stored = converted;
    return true;
}

}  // namespace

std::uint64_t PinView::bits(std::uint32_t lsb, std::uint32_t width) const {
    if (m_reader == nullptr || width == 0) return 0;
    const wave::Bits all = m_reader->now(m_handle);
    const std::size_t word = lsb / 64;
    const std::uint32_t shift = lsb % 64;
    std::uint64_t value = all.value[word] >> shift;
    if (shift + width > 64) value |= all.value[word + 1] << (64 - shift);
    return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

ProbePins::ProbePins(const wave::VcdReader& reader, const PinHandles& handles, telemetry::Telemetry& model,
                     std::uint32_t endpoint, bool pcie)
    : m_reader(reader),
      m_probe(pcie ? model.pcie_probe(endpoint) : model.dma_probe(endpoint)),
      m_endpoint(endpoint),
      m_regions(m_probe.shape().regions),
      m_eof_pos_width(pcie ? model.config().pcie_eof_pos_width : model.config().dma_eof_pos_width) {
    for (std::uint32_t b = 0; b < m_probe.shape().buses; ++b) {
        m_buses.push_back({pcie ? model.pcie_bus(b) : model.dma_bus(b), {}});
        m_buses.back().told.eof_pos.resize(m_regions);
    }
    const auto bus_pin = [&](const char* name, Group group) {
        return view(handles, std::string(pcie ? "pcie_" : "dma_") + name, group);
    };
    m_sof = bus_pin("mfb_sof", buses);
    m_eof = bus_pin("mfb_eof", buses);
    m_eof_pos = bus_pin("mfb_eof_pos", buses);
    m_src_rdy = bus_pin("mfb_src_rdy", buses);
    m_dst_rdy = bus_pin("mfb_dst_rdy", buses);
    if (pcie) {
        m_status = &model.status(endpoint);
        m_brake = view(handles, "pcie_ptc_brake", brakes);
        m_mps = view(handles, "pcie_mps", status);
        m_mrrs = view(handles, "pcie_mrrs", status);
        m_ext_tag = view(handles, "pcie_ext_tag_en", status);
        m_tag_10b = view(handles, "pcie_10b_tag_req_en", status);
        m_rcb = view(handles, "pcie_rcb_size", status);
        m_link_up = view(handles, "pcie_link_up", status);
        m_free_tags = view(handles, "pcie_tag_free", status);
        m_free_words = view(handles, "pcie_stfifo_free", status);
    } else {
        m_mvb_vld = view(handles, "dma_mvb_vld", mvb);
        m_mvb_src_rdy = view(handles, "dma_mvb_src_rdy", mvb);
        m_mvb_dst_rdy = view(handles, "dma_mvb_dst_rdy", mvb);
    }
}

PinView ProbePins::view(const PinHandles& handles, const std::string& base, Group group) {
    const auto handle = handles.find(base + "_" + std::to_string(m_endpoint));
    if (!handle) return {};
    m_members.emplace_back(*handle, group);
    return {m_reader, *handle};
}

void ProbePins::tell(std::uint32_t groups, cycle_t from) {
    const auto count = static_cast<std::uint32_t>(m_buses.size());
    if ((groups & buses) != 0) {
        for (std::uint32_t b = 0; b < count; ++b)
            tell_bus(b, from);
    }
    if ((groups & mvb) != 0) {
        for (std::uint32_t b = 0; b < count; ++b)
            tell_mvb(b, from);
    }
    if ((groups & brakes) != 0) m_probe.brakes().hold(from, {m_brake.value(telemetry::brake_pins)});
    if ((groups & status) != 0) tell_status(from);
}

void ProbePins::tell_bus(std::uint32_t bus, cycle_t from) {
    telemetry::MfbPins& pins = m_buses[bus].told;
    bool changed = update(pins.src_rdy, m_src_rdy.bits(bus, 1));
    changed |= update(pins.dst_rdy, m_dst_rdy.bits(bus, 1));
    // The other pins mean something only where a word moves.
    if (pins.src_rdy && pins.dst_rdy) {
        const std::uint32_t first = bus * m_regions;
        changed |= update(pins.sof, m_sof.bits(first, m_regions));
        changed |= update(pins.eof, m_eof.bits(first, m_regions));
        for (std::uint32_t r = 0; r < m_regions; ++r) {
            changed |=
                update(pins.eof_pos[r], m_eof_pos.bits((first + r) * m_eof_pos_width, m_eof_pos_width));
        }
    }
    if (changed) m_probe.mfb(bus).hold(from, m_buses[bus].shape.decode(pins));
}

void ProbePins::tell_mvb(std::uint32_t bus, cycle_t from) {
    telemetry::MvbWord word;
    word.src_rdy = m_mvb_src_rdy.bits(bus, 1) != 0;
    word.dst_rdy = m_mvb_dst_rdy.bits(bus, 1) != 0;
    word.items = static_cast<std::uint32_t>(__builtin_popcountll(m_mvb_vld.bits(bus * m_regions, m_regions)));
    m_probe.mvb(bus).hold(from, word);
}

void ProbePins::tell_status(cycle_t from) {
    telemetry::StatusPins pins;
    pins.free_tags = m_free_tags.value(11);
    pins.free_words = m_free_words.value(16);
    pins.settings = m_mps.value(3) | m_mrrs.value(3) << 3 | m_ext_tag.value(1) << 6 |
                    m_tag_10b.value(1) << 7 | m_rcb.value(1) << 8 | m_link_up.value(1) << 9;
    m_status->hold(from, pins);
}

}  // namespace tlmetry::replay
