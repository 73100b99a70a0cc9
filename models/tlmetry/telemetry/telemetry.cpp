// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/telemetry/telemetry.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <algorithm>
#include <utility>

namespace tlmetry::telemetry {

namespace {

/// Slower clocks and longer drains would leave the range of simulated time within a few of their cycles.
constexpr time_fs longest_period = fs_per_s;
constexpr time_fs longest_drain = 60 * fs_per_s;

void check_clock(const char* name, const ClockDomain& clock) {
    if (clock.known_edges() != never) return;  // recorded: its edges come one by one
    if (clock.period_fs() > longest_period || clock.time_of(0) > longest_period) {
        throw UserError(std::string("telemetry.") + name +
                        "_clock: expected a period and a phase of at most 1s, found " +
                        format_time(clock.period_fs()) + " and " + format_time(clock.time_of(0)));
    }
}

}  // namespace

Telemetry::Telemetry(const Config& config, const Clocks& clocks)
    : m_config((config.validate(), config)), m_layout(config), m_clocks(clocks) {
    if (clocks.pcie.size() != config.pcie_endpoints) {
        throw UserError("telemetry.pcie_clock: expected one clock for each of the " +
                        std::to_string(config.pcie_endpoints) + " endpoints, found " +
                        std::to_string(clocks.pcie.size()));
    }
    check_clock("mi", clocks.mi);
    check_clock("dma", clocks.dma);
    for (const ClockDomain& clock : clocks.pcie)
        check_clock("pcie", clock);
    const auto bus = [&](std::uint32_t probe_regions, std::uint32_t regions, std::uint32_t bytes) {
        return BusShape{probe_regions, regions, bytes / config.mfb_item_bytes, config.padding};
    };
    m_pcie_buses[0] = bus(m_layout.pcie.regions, config.pcie_rq_mfb_regions, config.pcie_rq_mfb_region_bytes);
    m_pcie_buses[1] = bus(m_layout.pcie.regions, config.pcie_rc_mfb_regions, config.pcie_rc_mfb_region_bytes);
    m_dma_buses[0] = bus(m_layout.dma.regions, config.dma_up_mfb_regions, config.dma_up_mfb_region_bytes);
    m_dma_buses[1] = bus(m_layout.dma.regions, config.dma_down_mfb_regions, config.dma_down_mfb_region_bytes);

    const std::uint32_t probes = 2 * config.pcie_endpoints;
    m_streams.reserve(probes);
    m_resets.resize(probes);
    m_uniform_clocks = clocks.mi.known_edges() == never;
    m_shortest_drain = never;
    m_longest_drain = 0;
    for (std::uint32_t p = 0; p < probes; ++p) {
        const bool pcie = p % 2 == 0;
        const ClockDomain& clock = pcie ? clocks.pcie[p / 2] : clocks.dma;
        const ProbeShape& shape = pcie ? m_layout.pcie : m_layout.dma;
        const BusShape* buses = pcie ? m_pcie_buses : m_dma_buses;
        const std::uint32_t max_step = shape.regions * std::max(buses[0].region_items, buses[1].region_items);
        m_probes.push_back(
            std::make_unique<Probe>(shape, static_cast<cycle_t>(config.drain_period), max_step, clock));
        const std::uint32_t first_entry =
            p / 2 * m_layout.channels_per_endpoint + (pcie ? 0 : m_layout.pcie.channels);
        m_streams.emplace_back(*m_probes.back(), clocks.mi, first_entry);
        if (pcie) {
            m_status.push_back(std::make_unique<EndpointStatus>(*m_probes.back(), clocks.mi,
                                                                config.tag_capacity, config.stfifo_capacity));
        }
        m_uniform_clocks = m_uniform_clocks && clock.known_edges() == never;
        if (clock.period_fs() > longest_drain / static_cast<time_fs>(config.drain_period)) {
            throw UserError("telemetry.drain_period: expected a drain of at most 60s, found " +
                            std::to_string(config.drain_period) + " cycles of " +
                            tlmetry::format_time(clock.period_fs()));
        }
        const time_fs drain = clock.period_fs() * static_cast<time_fs>(config.drain_period);
        m_shortest_drain = std::min(m_shortest_drain, drain);
        m_longest_drain = std::max(m_longest_drain, drain);
    }
    m_accumulator = std::make_unique<Accumulator>(m_streams, clocks.mi, m_layout.entries, config.cnt_width,
                                                  config.memory_starts_at_ones);
    for (std::size_t p = 0; p < m_probes.size(); ++p)
        end_reset(p, -1, true);
    make_constant_registers();
}

void Telemetry::set_mi_reset(time_fs t, bool level) {
    if (level == m_mi_reset) return;
    advance_to(t + 1);
    m_mi_reset = level;
    const cycle_t edge = m_clocks.mi.first_after(t);
    if (level) {
        m_mi_reset_from = edge;
        m_accumulator->reset(edge);
        for (auto& status : m_status)
            status->reset_mi(edge);
        for (std::size_t p = 0; p < m_probes.size(); ++p)
            begin_reset(p, t, false);
    } else {
        m_accumulator->release(edge);
        for (auto& status : m_status)
            status->release_mi(edge);
        // The registers of the MI domain take their reset at an edge; a shorter one passes them by.
        if (edge != m_mi_reset_from) {
            m_mi_free_from = edge;
            m_read_live = false;
            if (m_flag_toggle) {
                m_flag_toggle = false;
                for (auto& stream : m_streams)
                    stream.flag().toggle(m_clocks.mi.time_of(m_mi_reset_from), false);
            }
        }
        for (std::size_t p = 0; p < m_probes.size(); ++p)
            end_reset(p, t, false);
    }
}

void Telemetry::set_dma_reset(time_fs t, bool level) {
    if (level == m_resets[1].pin) return;
    advance_to(t + 1);
    for (std::size_t p = 1; p < m_probes.size(); p += 2) {
        m_resets[p].pin = level;
        level ? begin_reset(p, t, true) : end_reset(p, t, true);
    }
}

void Telemetry::set_pcie_reset(time_fs t, std::uint32_t endpoint, bool level) {
    const std::size_t p = std::size_t{2} * endpoint;
    if (level == m_resets[p].pin) return;
    advance_to(t + 1);
    m_resets[p].pin = level;
    level ? begin_reset(p, t, true) : end_reset(p, t, true);
}

void Telemetry::begin_reset(std::size_t probe, time_fs t, bool by_pin) {
    ProbeReset& reset = m_resets[probe];
    const cycle_t edge = m_probes[probe]->clock().first_after(t);
    if (by_pin) {
        reset.pin_from = edge;
        if (probe % 2 == 0) m_status[probe / 2]->reset_pcie(edge);
    } else {
        reset.hit = true;  // MI_RESET is caught by asynchronous set inputs, however short it is
    }
    if (reset.stop == never) {
        reset.stop = edge;
        m_probes[probe]->stop(edge);
        m_streams[probe].flag().reset(edge, never);
    }
    m_accumulator->keep_selected(static_cast<std::uint32_t>(probe));
    m_streams[probe].fifo().reset(never, never);
    m_busy_bound = never;
    m_quiet_until = 0;
}

void Telemetry::end_reset(std::size_t probe, time_fs t, bool by_pin) {
    ProbeReset& reset = m_resets[probe];
    const ClockDomain& clock = m_probes[probe]->clock();
    const cycle_t edge = clock.first_after(t);
    if (by_pin && t >= 0) {
        reset.pin_free = edge;
        reset.hit = reset.hit || edge != reset.pin_from;  // else it is gone before an edge saw it
        if (probe % 2 == 0) m_status[probe / 2]->release_pcie(edge);
    } else {
        reset.mi_free = edge + 3;
        reset.hit = true;
    }
    if (probe_reset(probe)) return;
    m_streams[probe].fifo().reset(edge + 4, m_clocks.mi.first_after(t) + 3);
    if (reset.hit) {
        const cycle_t first = std::max(reset.pin_free, reset.mi_free);
        if (probe % 2 == 0) m_status[probe / 2]->before_restart();
        m_probes[probe]->restart(first, reset.pin_free);
        reset.last_stop = reset.stop;
        reset.last_start = first;
    } else {
        m_probes[probe]->resume();
    }
    m_streams[probe].flag().reset(reset.last_stop, reset.last_start);
    reset.hit = false;
    reset.stop = never;
    m_busy_bound = busy_bound();
    m_quiet_until = 0;
}

void Telemetry::advance_to(time_fs t) {
    while (m_expected_reset < t && t > m_now) {
        // Lets the hook change it, before anything behind it is passed at once.
        const time_fs reset = std::exchange(m_expected_reset, never);
        advance_to(reset);
        go_to(reset + 1);
    }
    if (t <= m_now) return;
    if (m_uniform_clocks) {
        if (t - m_now > 8 * m_longest_drain) skip_idle(t);
        // Step by step, so that the windows between two steps stay few.
        const time_fs step = 12 * m_shortest_drain;
        while (t - m_now > step)
            go_to(m_now + step);
    }
    go_to(t);
}

void Telemetry::go_to(time_fs t) {
    if (m_stimulus) m_stimulus(t);
    for (std::size_t p = 0; p < m_probes.size(); ++p) {
        const cycle_t end = m_probes[p]->clock().first_at_or_after(t);
        m_probes[p]->advance(end, false);
        m_streams[p].counted_to(end);
    }
    m_accumulator->advance(m_clocks.mi.first_at_or_after(t));
    for (auto& stream : m_streams)
        stream.catch_up();
    for (auto& status : m_status)
        status->advance(t);
    m_now = t;
    update_quiet();
}

void Telemetry::update_quiet() {
    m_quiet_until = 0;
    if (!m_uniform_clocks || m_mi_reset) return;
    const cycle_t edge = m_accumulator->quiet_until();
    time_fs quiet = edge >= never ? m_expected_reset : std::min(m_clocks.mi.time_of(edge), m_expected_reset);
    for (auto& stream : m_streams) {
        if (!stream.flag().quiet()) return;
        const cycle_t write = stream.probe().next_write().edge;
        if (write != never) quiet = std::min(quiet, stream.probe().clock().time_of(write));
    }
    for (const auto& status : m_status)
        quiet = std::min(quiet, status->quiet_until());
    m_quiet_until = quiet;
}

std::uint32_t Telemetry::read(cycle_t edge, std::uint32_t address) {
    m_last_edge = edge;
    return look(edge, address);
}

std::uint32_t Telemetry::peek(time_fs now, std::uint32_t address) {
    return look(std::max(m_clocks.mi.first_at_or_after(now), m_last_edge + 1), address);
}

std::uint32_t Telemetry::look(cycle_t edge, std::uint32_t address) {
    const bool window = (address & regs::counter_window) != 0;
    const std::uint32_t offset = address & 0xFC;
    if (!window && m_constants[offset / 4] != 0) return m_constants[offset / 4];
    const time_fs t = m_clocks.mi.time_of(edge);
    if (t > m_quiet_until) advance_to(t);
    return window ? counter_word(address) : register_value(edge, offset);
}

std::uint32_t Telemetry::counter_word(std::uint32_t address) const {
    const std::uint32_t entry = address / regs::counter_bytes & (m_layout.entries - 1);
    const std::uint64_t value = m_read_live ? m_accumulator->live(entry) : m_accumulator->snapshot(entry);
    return static_cast<std::uint32_t>((address & 4) != 0 ? value >> 32 : value);
}

std::uint32_t Telemetry::register_value(cycle_t edge, std::uint32_t offset) {
    if (offset == regs::status) {
        bool lost = false;
        // The flags pass two MI registers, so a read sees what stood before the edge two cycles earlier;
        // MI_RESET clears both.
        if (edge - 2 >= m_mi_free_from) {
            const time_fs seen = m_clocks.mi.time_of(edge - 2);
            for (auto& stream : m_streams)
                lost |= stream.flag().before(seen);
        }
        return regs::fields::status::busy.make(m_accumulator->busy_at(edge)) |
               regs::fields::status::lost_delta.make(lost);
    }
    if (offset == regs::read_sel) return regs::fields::read_sel::live.make(m_read_live);
    const std::uint32_t endpoint = offset % 0x40 / 4;
    if (offset < regs::pcie_status || endpoint >= m_config.pcie_endpoints) return 0;
    switch (offset & ~0x3Fu) {
        case regs::pcie_status:
            return m_status[endpoint]->settings_register();
        case regs::pcie_tags:
            return m_status[endpoint]->tags_register();
        default:
            return m_status[endpoint]->words_register();
    }
}

void Telemetry::write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t) {
    m_last_edge = edge;
    if ((address & regs::counter_window) != 0 || m_mi_reset) return;
    const std::uint32_t offset = address & 0xFC;
    if (offset == regs::read_sel) m_read_live = regs::fields::read_sel::live.extract(data) != 0;
    if (offset != regs::command) return;
    const time_fs t = m_clocks.mi.time_of(edge);
    advance_to(t);
    if (regs::fields::command::snapshot.extract(data) != 0) m_accumulator->request_snapshot(edge);
    if (regs::fields::command::clear_counters.extract(data) != 0) m_accumulator->request_clear(edge);
    if ((data & (regs::fields::command::clear_counters.mask() | regs::fields::command::clear_marks.mask())) !=
        0) {
        for (auto& status : m_status)
            status->clear_marks(edge);
    }
    if (regs::fields::command::clear_flags.extract(data) != 0) {
        m_flag_toggle = !m_flag_toggle;
        for (auto& stream : m_streams)
            stream.flag().toggle(t, m_flag_toggle);
    }
    m_quiet_until = 0;
}

void Telemetry::make_constant_registers() {
    namespace f = regs::fields;
    const Config& c = m_config;
    m_constants.assign(regs::registers_end / 4, 0);
    const auto set = [&](std::uint32_t offset, std::uint32_t value) { m_constants[offset / 4] = value; };
    const auto probe = [](const ProbeShape& shape) {
        return f::probe::channels.make(shape.channels) | f::probe::buses.make(shape.buses) |
               f::probe::regions.make(shape.regions) | f::probe::brakes.make(shape.brakes);
    };
    set(regs::magic, regs::magic_value);
    set(regs::version, regs::version_value);
    set(regs::cfg_topology, f::topology::endpoints.make(c.pcie_endpoints) |
                                f::topology::dma_ports.make(c.dma_ports) |
                                f::topology::probes.make(2 * c.pcie_endpoints));
    set(regs::cfg_layout, f::layout::counters.make(m_layout.entries) |
                              f::layout::counter_width.make(c.cnt_width) |
                              f::layout::per_endpoint.make(m_layout.channels_per_endpoint));
    set(regs::cfg_pcie, probe(m_layout.pcie));
    set(regs::cfg_dma, probe(m_layout.dma));
    set(regs::cfg_drain, f::drain::period.make(c.drain_period) | f::drain::item_bytes.make(c.mfb_item_bytes));
    set(regs::cnt_base, regs::counter_window);
    set(regs::cfg_regions,
        f::regions::rq.make(c.pcie_rq_mfb_regions) | f::regions::rc.make(c.pcie_rc_mfb_regions) |
            f::regions::up.make(c.dma_up_mfb_regions) | f::regions::down.make(c.dma_down_mfb_regions));
    set(regs::cfg_width,
        f::width::rq.make(c.pcie_rq_mfb_region_bytes) | f::width::rc.make(c.pcie_rc_mfb_region_bytes));
    set(regs::cfg_hist, f::hist::bands.make(histogram_bands) | f::hist::pcie.make(histograms));
    set(regs::cfg_capacity,
        f::capacity::tags.make(c.tag_capacity) | f::capacity::stfifo.make(c.stfifo_capacity));
    set(regs::cfg_width_dma, f::width_dma::up.make(c.dma_up_mfb_region_bytes) |
                                 f::width_dma::down.make(c.dma_down_mfb_region_bytes));
}

std::uint64_t Telemetry::counted(std::uint32_t entry) const {
    std::uint64_t total = m_accumulator->live(entry) + m_accumulator->being_added(entry);
    for (const auto& stream : m_streams) {
        const std::uint32_t channel = entry - stream.first_entry();
        if (channel >= stream.probe().shape().channels) continue;
        for (std::int64_t i = 0; i < stream.fifo().size(); ++i) {
            if (stream.fifo().word(i).channel == channel) total += stream.fifo().word(i).delta;
        }
        total += stream.probe().not_written(channel);
    }
    return m_config.cnt_width >= 64 ? total : total & ((std::uint64_t{1} << m_config.cnt_width) - 1);
}

std::uint64_t Telemetry::dropped_deltas() const {
    std::uint64_t dropped = 0;
    for (const auto& stream : m_streams)
        dropped += stream.dropped();
    return dropped;
}

}  // namespace tlmetry::telemetry
