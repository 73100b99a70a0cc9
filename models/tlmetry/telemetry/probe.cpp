// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/probe.hpp"

#include <algorithm>

namespace tlmetry::telemetry {

namespace {

/// The counters of an MFB bus follow bus_channel; the two of its MVB belong to another group.
std::vector<std::uint32_t> mfb_channels(const ProbeShape& shape, std::uint32_t bus) {
    std::vector<std::uint32_t> channels;
    for (std::uint32_t i = 0; i < 6 + shape.regions; ++i)
        channels.push_back(shape.bus_base(bus) + i);
    channels[bus_channel::mvb_items] = no_channel;
    channels[bus_channel::mvb_stalled] = no_channel;
    return channels;
}

std::vector<std::uint32_t> consecutive(std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint32_t> channels;
    for (std::uint32_t i = 0; i < count; ++i)
        channels.push_back(first + i);
    return channels;
}

}  // namespace

Probe::Probe(const ProbeShape& shape, cycle_t drain_period, std::uint32_t max_step, const ClockDomain& clock)
    : m_shape(shape),
      m_clock(clock),
      m_closings(shape.channels),
      m_timing(drain_period, shape),
      m_counter_mask(ProbeShape::counter_mask(static_cast<std::uint64_t>(drain_period), max_step)) {
    for (std::uint32_t b = 0; b < shape.buses; ++b) {
        m_mfb.emplace_back(m_closings, mfb_channels(shape, b), 0);
        m_mvb.emplace_back(m_closings, consecutive(shape.bus_base(b) + bus_channel::mvb_items, 2), 0);
    }
    if (shape.brakes != 0) {
        m_brakes = std::make_unique<ChannelGroup<BitsWord>>(m_closings,
                                                            consecutive(shape.brake_base(), brake_pins), 0);
        m_bands = std::make_unique<ChannelGroup<BitsWord>>(
            m_closings, consecutive(shape.brake_base() + brake_pins, histograms * histogram_bands), 1);
    }
    // Slot-major, then group; two registers between the cycle that emits a delta and the FIFO.
    for (std::uint32_t slot = 0; slot < slots_per_drain; ++slot) {
        for (std::uint32_t group = 0; group < shape.groups; ++group) {
            const std::uint32_t channel = group * slots_per_drain + slot;
            if (channel < shape.channels)
                m_sweep.push_back({4 + group + slot * m_timing.slot_cycles, channel});
        }
    }
}

template <class Apply>
void Probe::each_group(const Apply& apply) {
    for (auto& group : m_mfb)
        apply(group);
    for (auto& group : m_mvb)
        apply(group);
    if (m_brakes) {
        apply(*m_brakes);
        apply(*m_bands);
    }
}

void Probe::advance(cycle_t end, bool may_forget) {
    m_closings.allow_forgetting(may_forget);
    if (!may_forget) m_closings.keep_from(m_next.window - 1);
    m_counted_to = std::min(end, m_stop_edge);
    if (end > m_stop_edge) each_group([&](auto& group) { group.stop(m_stop_edge); });
    each_group([&](auto& group) { group.advance(end); });
    m_closings.allow_forgetting(false);
    find_totals();
}

void Probe::stop(cycle_t edge) {
    m_stop_edge = edge;
    if (m_next.edge >= edge) m_next.edge = never;
}

void Probe::resume() {
    m_stop_edge = never;
    if (m_timing.first_tick != never) place_write();
}

void Probe::restart(cycle_t first_edge, cycle_t first_edge_without_pin_reset) {
    m_stop_edge = never;
    // The period counter counts from 0 at the last edge under reset and compares before the next edge.
    m_timing.first_tick = first_edge + m_timing.drain_period - 2;
    m_closings.clear();
    for (auto& group : m_mfb)
        group.restart(first_edge, m_timing);
    // MVB input registers have no reset: what they sampled at the last edge under reset is counted.
    for (auto& group : m_mvb)
        group.restart(first_edge - 1, m_timing);
    if (m_brakes) {
        m_brakes->restart(first_edge, m_timing);
        // The register in front of the bands is cleared by the pin's reset only, the probe's behind it by
        // both.
        m_bands->restart(std::max(first_edge - 1, first_edge_without_pin_reset), m_timing);
    }
    skip_writes_to(1);
}

cycle_t Probe::tick(std::int64_t window) const {
    if (m_timing.first_tick == never) return never;
    const cycle_t edge = m_timing.tick(window);
    return edge < m_stop_edge ? edge : never;
}

std::uint64_t Probe::drop_writes(cycle_t end) {
    std::uint64_t dropped = 0;
    while (m_next.edge < end) {
        // The rest of the sweep, but for its last write, goes at once where it all lies before the end.
        if (m_next_tick + last_write_offset() < end) {
            dropped += m_sweep.size() - 1 - m_sweep_step;
            m_sweep_step = m_sweep.size() - 1;
        }
        ++dropped;
        pop_write();
    }
    return dropped;
}

void Probe::skip_writes_to(std::int64_t window) {
    m_next.window = window;
    m_next_tick = m_timing.tick(window);
    m_sweep_step = 0;
    find_totals();
    place_write();
}

std::uint64_t Probe::not_written(std::uint32_t channel) const {
    if (m_timing.first_tick == never) return 0;
    std::int64_t written = m_next.window - 1;
    for (std::size_t i = 0; i < m_sweep_step; ++i) {
        if (m_sweep[i].channel == channel) written = m_next.window;
    }
    std::uint64_t counted = 0;
    if (channel == 0) {
        // Elapsed cycles count from the last edge under reset on, as the step register of this channel does.
        const cycle_t first = m_timing.first_tick - m_timing.drain_period + 1;
        counted = static_cast<std::uint64_t>(std::max<cycle_t>(0, m_counted_to - first));
    }
    for (const auto& group : m_mfb)
        group.add_counted(channel, counted);
    for (const auto& group : m_mvb)
        group.add_counted(channel, counted);
    if (m_brakes) {
        m_brakes->add_counted(channel, counted);
        m_bands->add_counted(channel, counted);
    }
    return counted - total(written, channel);
}

}  // namespace tlmetry::telemetry
