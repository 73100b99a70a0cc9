// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_probe.hpp"

#include <algorithm>

namespace tlmetry::testing {

namespace {

std::uint32_t ones(std::uint64_t mask) {
    return static_cast<std::uint32_t>(__builtin_popcountll(mask));
}

bool bit(std::uint64_t mask, std::uint32_t index) {
    return ((mask >> index) & 1U) != 0;
}

}  // namespace

TickingProbe::TickingProbe(const TickingProbeShape& shape) : m_shape(shape), m_fifo(shape.fifo_depth()) {
    const std::uint32_t items = *std::max_element(shape.region_items.begin(), shape.region_items.end());
    const std::uint32_t max_step = std::max(1U, shape.regions * items);
    const std::uint32_t bits = ceil_log2(std::uint64_t{shape.drain_period} * max_step + 1);
    m_counter_mask = (std::uint64_t{1} << bits) - 1;

    m_q.bus.resize(shape.buses());
    for (BusPins& bus : m_q.bus)
        bus.eof_pos.resize(shape.regions);
    m_q.frame_open.resize(shape.buses());
    m_q.step.resize(shape.channels());
    m_q.counter.resize(shape.channels());
    m_q.group.resize(shape.groups());
}

void TickingProbe::set_resets(bool reset, bool mi_reset) {
    m_reset_pin = reset;
    m_mi_reset_pin = mi_reset;
    if (mi_reset) m_q.mi_reset.set();
    m_fifo.set_reset(reset || mi_reset);
}

void TickingProbe::evaluate(const std::vector<BusPins>& pins, std::uint32_t brakes, bool clear_toggle) {
    const bool reset = m_reset_pin || m_q.mi_reset.out();
    m_d = m_q;
    m_d.mi_reset = m_q.mi_reset.clocked(m_mi_reset_pin);
    evaluate_inputs(pins, brakes, reset);
    evaluate_steps();
    evaluate_counters();
    evaluate_readout();
    if (reset) {
        std::fill(m_d.frame_open.begin(), m_d.frame_open.end(), char{0});
        std::fill(m_d.step.begin(), m_d.step.end(), 0U);
        std::fill(m_d.counter.begin(), m_d.counter.end(), std::uint64_t{0});
        m_d.period = 0;
        m_d.sweep = false;
        m_d.slot = 0;
        m_d.position = 0;
        m_d.write_enable = false;
    }
    evaluate_flags(clear_toggle, reset);
    m_fifo.evaluate_write(m_q.write_enable, m_q.write_data);
}

void TickingProbe::clock() {
    m_q = m_d;
    m_fifo.clock_write();
}

void TickingProbe::evaluate_inputs(const std::vector<BusPins>& pins, std::uint32_t brakes, bool reset) {
    m_d.bus = pins;
    m_d.brakes = reset ? 0 : brakes;
    for (BusPins& bus : m_d.bus) {
        // SOF, EOF, EOF_POS and the MVB are not reset.
        if (reset) bus.src_rdy = bus.dst_rdy = false;
        if (!m_shape.has_mvb) {
            bus.mvb_vld = 0;
            bus.mvb_src_rdy = bus.mvb_dst_rdy = false;
        }
    }
}

void TickingProbe::evaluate_steps() {
    m_d.step[0] = 1;
    for (std::uint32_t bus = 0; bus < m_shape.buses(); ++bus)
        evaluate_bus_steps(bus);
    const std::uint32_t first_brake = 1 + m_shape.buses() * (6 + m_shape.regions);
    for (std::uint32_t k = 0; k < m_shape.brakes; ++k)
        m_d.step[first_brake + k] = bit(m_q.brakes, k) ? 1 : 0;
}

void TickingProbe::evaluate_bus_steps(std::uint32_t bus) {
    const BusPins& in = m_q.bus[bus];
    const bool move = in.src_rdy && in.dst_rdy;
    const bool hold = in.src_rdy && !in.dst_rdy;
    const bool mvb_move = in.mvb_src_rdy && in.mvb_dst_rdy;
    const bool mvb_hold = in.mvb_src_rdy && !in.mvb_dst_rdy;
    const std::uint32_t eof_pos_mask = (1U << m_shape.eof_pos_width) - 1;
    std::uint32_t* step = &m_d.step[1 + bus * (6 + m_shape.regions)];

    bool open = m_q.frame_open[bus] != 0;
    std::uint32_t items = 0;
    for (std::uint32_t region = 0; region < m_shape.regions; ++region) {
        bool region_valid = false;
        if (!m_shape.padding_documented || region < m_shape.real_regions[bus]) {
            region_valid = open || bit(in.sof, region);
            open = region_valid && !bit(in.eof, region);
        }
        if (region_valid) {
            items +=
                bit(in.eof, region) ? (in.eof_pos[region] & eof_pos_mask) + 1 : m_shape.region_items[bus];
        }
        step[6 + region] = move && region_valid ? 1 : 0;
    }
    if (move) m_d.frame_open[bus] = open ? 1 : 0;

    step[0] = move ? 1 : 0;
    step[1] = hold ? 1 : 0;
    step[2] = move ? ones(in.sof) : 0;
    step[3] = mvb_move ? ones(in.mvb_vld) : 0;
    step[4] = mvb_hold ? 1 : 0;
    step[5] = move ? items : 0;
}

void TickingProbe::evaluate_counters() {
    const bool capture = m_q.sweep && m_q.position == 0;
    for (std::uint32_t channel = 0; channel < m_shape.channels(); ++channel) {
        const bool captured = capture && channel % 8 == m_q.slot;
        const std::uint64_t base = captured ? 0 : m_q.counter[channel];
        m_d.counter[channel] = (base + m_q.step[channel]) & m_counter_mask;
        if (captured) m_d.group[channel / 8] = m_q.counter[channel];
    }
}

void TickingProbe::evaluate_readout() {
    m_d.period = (m_q.period + 1) % m_shape.drain_period;

    if (m_q.sweep) {
        if (m_q.position < m_shape.groups()) {
            m_d.position = m_q.position + 1;
        } else {
            m_d.position = 0;
            m_d.slot = (m_q.slot + 1) % 8;
            if (m_q.slot == 7) m_d.sweep = false;
        }
    }
    if (tick()) {
        m_d.sweep = true;
        m_d.slot = 0;
        m_d.position = 0;
    }

    m_d.write_enable = false;
    if (m_q.sweep && m_q.position > 0) {
        const std::uint32_t group = m_q.position - 1;
        const std::uint32_t channel = 8 * group + m_q.slot;
        m_d.write_enable = channel < m_shape.channels();
        m_d.write_data = {channel, m_q.group[group]};
    }
}

void TickingProbe::evaluate_flags(bool clear_toggle, bool reset) {
    m_d.clear_sync1 = clear_toggle;
    m_d.clear_sync2 = m_q.clear_sync1;
    m_d.clear_seen = m_q.clear_sync2;

    if (m_q.clear_sync2 != m_q.clear_seen) m_d.lost = m_d.overrun = false;
    if (m_q.write_enable && m_fifo.full()) m_d.lost = true;
    if (tick() && m_q.sweep) m_d.overrun = true;

    if (reset) {
        m_d.clear_sync1 = m_d.clear_sync2 = m_d.clear_seen = false;
        m_d.lost = m_d.overrun = false;
    }
}

void TickingProbe::evaluate_mi(bool read) {
    m_mi_d.lost1 = m_q.lost;
    m_mi_d.lost2 = m_mi_q.lost1;
    m_mi_d.overrun1 = m_q.overrun;
    m_mi_d.overrun2 = m_mi_q.overrun1;
    if (m_mi_reset_pin) m_mi_d = {};
    m_fifo.evaluate_read(read);
}

void TickingProbe::clock_mi() {
    m_mi_q = m_mi_d;
    m_fifo.clock_read();
}

}  // namespace tlmetry::testing
