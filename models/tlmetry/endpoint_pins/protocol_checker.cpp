// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_pins/protocol_checker.hpp"

#include <algorithm>

namespace tlmetry::endpoint_pins {

void MfbChecker::change(cycle_t from, const MfbState& state) {
    advance(from);
    if (m_state.src_rdy && !m_state.dst_rdy) {
        require(state.src_rdy, from, "SRC_RDY falls before DST_RDY");
        require(
            !m_state.known || !state.known ||
                (state.sof == m_state.sof && state.eof == m_state.eof && state.eof_pos == m_state.eof_pos),
            from, "a word changes while it waits");
    }
    m_state = state;
}

void MfbChecker::advance(cycle_t end) {
    if (end <= m_at) return;
    if (!m_state.src_rdy) {
        require(!m_open || !m_rules.gapless, m_at, "a gap inside a frame");
    } else if (!m_state.dst_rdy) {
        m_stalled += static_cast<std::uint64_t>(end - m_at);
    } else {
        for (; m_at < end; ++m_at)
            move(m_at);
    }
    m_at = end;
}

void MfbChecker::move(cycle_t cycle) {
    ++m_words;
    require(m_state.known, cycle, "a word moves whose content is not known");
    require(((m_state.sof | m_state.eof) >> (m_rules.regions - 1)) <= 1, cycle,
            "SOF or EOF in a region that the bus does not have");
    require(m_open || m_state.sof != 0, cycle, "a word without a frame moves");
    require(!m_rules.one_start || m_state.sof <= 1, cycle, "SOF in another region than the first");
    for (std::uint32_t r = 0; r < m_rules.regions; ++r) {
        if ((m_state.sof >> r & 1) != 0) {
            require(!m_open, cycle, "SOF inside a frame");
            m_open = true;
            m_items = 0;
        }
        if ((m_state.eof >> r & 1) == 0) {
            m_items += m_rules.region_items;
            continue;
        }
        const std::uint64_t fields = m_state.eof_pos >> (r * m_rules.eof_pos_width % 64);
        const std::uint64_t last = fields & ((std::uint64_t{1} << m_rules.eof_pos_width) - 1);
        require(m_open, cycle, "EOF without SOF");
        require(last < m_rules.region_items, cycle, "EOF_POS behind the last item of a region");
        m_items += last + 1;
        require(m_rules.most_items == 0 || m_items <= m_rules.most_items, cycle,
                "a frame is longer than the MPS allows");
        m_open = false;
        ++m_frames;
    }
}

void MvbChecker::change(cycle_t from, const MvbState& state) {
    const auto require = [&](bool kept, const char* rule) {
        if (!kept && m_broken.empty()) m_broken = "cycle " + std::to_string(from) + ": MVB: " + rule;
    };
    if (m_state.src_rdy && !m_state.dst_rdy) {
        require(state.src_rdy, "SRC_RDY falls before DST_RDY");
        require(!m_state.known || !state.known || state.items == m_state.items,
                "a word changes while it waits");
    }
    if (state.src_rdy && state.known) {
        require(state.items != 0, "a word without items");
        require(state.items <= m_width, "a word has more items than VLD has bits");
    }
    require(!state.src_rdy || !state.dst_rdy || state.known, "a word moves whose content is not known");
    m_state = state;
}

SideChecker::SideChecker(const SidePins& side, const std::vector<MfbRules>& rules, std::uint32_t mvb_items,
                         const std::vector<endpoint::ResetSpan>& resets)
    : m_side(side),
      m_mfb(rules.begin(), rules.end()),
      m_mvb(side.has_mvb() ? rules.size() : 0, MvbChecker(mvb_items)) {
    for (const endpoint::ResetSpan& reset : resets)
        m_resets.push_back(side.clock().first_at_or_after(reset.from));
}

void SideChecker::taken(cycle_t cycle) {
    reset_to(cycle);
    for (std::uint32_t b = 0; b < m_mfb.size(); ++b) {
        if (m_side.mfb(b).changed) m_mfb[b].change(cycle, m_side.mfb(b));
    }
    for (std::uint32_t b = 0; b < m_mvb.size(); ++b) {
        if (m_side.mvb(b).changed) m_mvb[b].change(cycle, m_side.mvb(b));
    }
}

/// Lets the resets that have begun by `cycle` drop what they drop.
void SideChecker::reset_to(cycle_t cycle) {
    for (; !m_resets.empty() && m_resets.front() <= cycle; m_resets.pop_front()) {
        for (MfbChecker& bus : m_mfb)
            bus.reset(m_resets.front());
        for (MvbChecker& bus : m_mvb)
            bus.reset();
    }
}

void SideChecker::advance(cycle_t end) {
    reset_to(end - 1);
    for (MfbChecker& bus : m_mfb)
        bus.advance(end);
}

std::string SideChecker::broken() const {
    const auto first = [](const auto& buses) -> std::string {
        for (std::size_t b = 0; b < buses.size(); ++b) {
            if (!buses[b].broken().empty()) return "bus " + std::to_string(b) + ", " + buses[b].broken();
        }
        return {};
    };
    const std::string mfb = first(m_mfb);
    return mfb.empty() ? first(m_mvb) : mfb;
}

EndpointRules rules_of(const endpoint::Config& config, const telemetry::Config& component,
                       std::uint32_t mps_bytes) {
    const endpoint::Buses& buses = config.buses;
    const std::uint32_t payload = (mps_bytes + 3) / 4;
    const auto most = [&](std::uint32_t header) { return mps_bytes == 0 ? 0 : payload + header; };
    EndpointRules rules;
    rules.pcie.push_back({buses.rq_regions, buses.up_region_items, component.pcie_eof_pos_width,
                          most(std::max(buses.rq_write_header, buses.rq_read_header)), true,
                          buses.one_start});
    rules.pcie.push_back({buses.rc_regions, buses.down_region_items, component.pcie_eof_pos_width,
                          most(buses.rc_header), true, buses.one_start});
    for (std::uint32_t p = 0; p < config.ports; ++p) {
        rules.dma.push_back(
            {buses.up_regions, buses.up_region_items, component.dma_eof_pos_width, most(0), false, false});
        rules.dma.push_back({buses.down_regions, buses.down_region_items, component.dma_eof_pos_width,
                             most(0), false, false});
    }
    return rules;
}

}  // namespace tlmetry::endpoint_pins
