// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint_pins/side_pins.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <algorithm>

namespace tlmetry::endpoint_pins {

namespace {

// Places in the list of pins.
enum MfbPin : std::uint32_t { sof, eof, eof_pos, src_rdy, dst_rdy, mfb_pins };
enum StatusPin : std::uint32_t {
    brake = mfb_pins,
    stfifo_free,
    tag_free,
    mps,
    mrrs,
    ext_tag_en,
    tag_10b_req_en,
    rcb_size,
    link_up
};
enum MvbPin : std::uint32_t { vld = mfb_pins, mvb_src_rdy, mvb_dst_rdy };

std::uint64_t ones(std::uint32_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

SidePins::SidePins(const endpoint_telemetry::EndpointLogs& logs, telemetry::Telemetry& component,
                   std::uint32_t endpoint, bool pcie)
    : m_clock(pcie ? component.clocks().pcie[endpoint] : component.clocks().dma),
      m_regions(pcie ? component.layout().pcie.regions : component.layout().dma.regions),
      m_eof_pos_width(pcie ? component.config().pcie_eof_pos_width : component.config().dma_eof_pos_width) {
    const std::uint32_t buses = pcie ? component.layout().pcie.buses : component.layout().dma.buses;
    const std::string side = pcie ? "pcie_mfb_" : "dma_mfb_";
    add_pin((side + "sof").c_str(), buses * m_regions);
    add_pin((side + "eof").c_str(), buses * m_regions);
    add_pin((side + "eof_pos").c_str(), buses * m_regions * m_eof_pos_width);
    add_pin((side + "src_rdy").c_str(), buses);
    add_pin((side + "dst_rdy").c_str(), buses);
    if (pcie) {
        add_bus(logs.rq, component.pcie_bus(0));
        add_bus(logs.rc, component.pcie_bus(1));
        constexpr std::uint32_t words_width = 16;
        constexpr std::uint32_t tags_width = 11;
        constexpr std::uint32_t size_width = 3;
        add_pin("pcie_ptc_brake", telemetry::brake_pins);
        add_pin("pcie_stfifo_free", words_width);
        add_pin("pcie_tag_free", tags_width);
        add_pin("pcie_mps", size_width);
        add_pin("pcie_mrrs", size_width);
        for (const char* bit : {"pcie_ext_tag_en", "pcie_10b_tag_req_en", "pcie_rcb_size", "pcie_link_up"})
            add_pin(bit, 1);
        m_status =
            std::make_unique<Status>(Status{BrakeExpander(logs.brakes), LevelExpander(logs.tags),
                                            LevelExpander(logs.words), SettingsExpander(logs.settings)});
    } else {
        add_pin("dma_mvb_vld", buses * m_regions);
        add_pin("dma_mvb_src_rdy", buses);
        add_pin("dma_mvb_dst_rdy", buses);
        for (const auto& port : logs.ports) {
            add_bus(port.up, component.dma_bus(0));
            add_bus(port.down, component.dma_bus(1));
            m_mvb.emplace_back(port.up_headers);
            m_mvb.emplace_back(port.down_headers);
        }
    }
    m_mfb_now.resize(m_mfb.size());
    m_mvb_now.resize(m_mvb.size());
    find_next();
}

void SidePins::add_pin(const char* base, std::uint32_t width) {
    const std::vector<std::uint64_t> zeros(std::max(1u, (width + 63) / 64), 0);
    m_pins.push_back({base, width, zeros, zeros, false});
}

void SidePins::add_bus(const endpoint_telemetry::EndpointLogs::Mfb& mfb, const telemetry::BusShape& shape) {
    m_mfb.emplace_back(mfb, shape, m_eof_pos_width);
}

template <class Side, class Action>
void SidePins::each(Side& side, const Action& action) {
    for (auto& bus : side.m_mfb)
        action(bus);
    for (auto& bus : side.m_mvb)
        action(bus);
    if (!side.m_status) return;
    action(side.m_status->brakes);
    action(side.m_status->tags);
    action(side.m_status->words);
    action(side.m_status->settings);
}

void SidePins::find_next() {
    m_known = m_next = never;
    each(*this, [this](const auto& expander) {
        m_known = std::min(m_known, expander.known());
        m_next = std::min(m_next, expander.next());
    });
}

void SidePins::expand(time_fs t) {
    const cycle_t end = m_clock.first_at_or_after(t);
    each(*this, [end](auto& expander) { expander.expand(end); });
    find_next();
}

void SidePins::finish(time_fs t) {
    const cycle_t end = m_clock.first_at_or_after(t);
    for (MfbExpander& bus : m_mfb)
        bus.finish(end);
    for (MvbExpander& bus : m_mvb)
        bus.finish(end);
    find_next();
}

void SidePins::skip(time_fs t) {
    const cycle_t end = m_clock.first_at_or_after(t);
    each(*this, [end](auto& expander) { expander.skip(end); });
    find_next();
}

std::size_t SidePins::waiting() const {
    std::size_t sum = 0;
    each(*this, [&sum](const auto& expander) { sum += expander.size(); });
    return sum;
}

void SidePins::set(std::uint32_t pin, std::uint32_t lsb, std::uint32_t width, std::uint64_t value,
                   bool known) {
    Pin& p = m_pins[pin];
    const auto put = [&](std::vector<std::uint64_t>& words, std::uint64_t bits) {
        for (std::uint32_t done = 0; done < width;) {
            const std::uint32_t shift = (lsb + done) % 64;
            const std::uint32_t here = std::min(width - done, 64 - shift);
            std::uint64_t& word = words[(lsb + done) / 64];
            const std::uint64_t mask = ones(here) << shift;
            const std::uint64_t next = (word & ~mask) | ((done < 64 ? bits >> done << shift : 0) & mask);
            p.changed = p.changed || next != word;
            word = next;
            done += here;
        }
    };
    put(p.value, value);
    put(p.unknown, known ? 0 : ones(width));
}

void SidePins::set_settings(std::uint32_t word) {
    namespace f = regs::fields::pcie_status;
    set(mps, 0, 3, f::mps.extract(word));
    set(mrrs, 0, 3, f::mrrs.extract(word));
    set(ext_tag_en, 0, 1, f::ext_tag.extract(word));
    set(tag_10b_req_en, 0, 1, f::tag_10bit.extract(word));
    set(rcb_size, 0, 1, f::rcb.extract(word));
    set(link_up, 0, 1, f::link_up.extract(word));
}

void SidePins::take() {
    const cycle_t cycle = m_next;
    for (Pin& pin : m_pins)
        pin.changed = false;
    for (std::uint32_t b = 0; b < m_mfb.size(); ++b) {
        MfbNow& now = m_mfb_now[b];
        now.changed = m_mfb[b].next() == cycle;
        if (!now.changed) continue;
        static_cast<MfbState&>(now) = m_mfb[b].front();
        m_mfb[b].pop();
        set(sof, b * m_regions, m_regions, now.sof, now.known);
        set(eof, b * m_regions, m_regions, now.eof, now.known);
        const std::uint32_t bits = m_regions * m_eof_pos_width;
        set(eof_pos, b * bits, bits, now.eof_pos, now.known);
        set(src_rdy, b, 1, now.src_rdy);
        set(dst_rdy, b, 1, now.dst_rdy);
    }
    for (std::uint32_t b = 0; b < m_mvb.size(); ++b) {
        MvbNow& now = m_mvb_now[b];
        now.changed = m_mvb[b].next() == cycle;
        if (!now.changed) continue;
        static_cast<MvbState&>(now) = m_mvb[b].front();
        m_mvb[b].pop();
        set(vld, b * m_regions, m_regions, ones(now.items), now.known);
        set(mvb_src_rdy, b, 1, now.src_rdy);
        set(mvb_dst_rdy, b, 1, now.dst_rdy);
    }
    if (m_status) {
        const auto value = [&](auto& expander, const auto& action) {
            if (expander.next() != cycle) return;
            action(expander.front());
            expander.pop();
        };
        value(m_status->brakes, [&](std::uint32_t v) { set(brake, 0, telemetry::brake_pins, v); });
        value(m_status->words, [&](std::uint32_t v) { set(stfifo_free, 0, 16, v); });
        value(m_status->tags, [&](std::uint32_t v) { set(tag_free, 0, 11, v); });
        value(m_status->settings, [&](std::uint32_t v) { set_settings(v); });
    }
    find_next();
}

}  // namespace tlmetry::endpoint_pins
