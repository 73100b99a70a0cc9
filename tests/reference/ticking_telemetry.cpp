// SPDX-License-Identifier: BSD-3-Clause
#include "reference/ticking_telemetry.hpp"

#include <algorithm>

namespace tlmetry::testing {

namespace {

constexpr std::uint32_t brake_pins = 6;
constexpr std::uint32_t bands = 4;
constexpr std::uint32_t histograms = 2;

TickingProbeShape pcie_shape(const TickingConfig& c) {
    TickingProbeShape shape;
    shape.real_regions = {c.pcie_rq_mfb_regions, c.pcie_rc_mfb_regions};
    shape.region_items = {c.pcie_rq_mfb_region_bytes / c.mfb_item_bytes,
                          c.pcie_rc_mfb_region_bytes / c.mfb_item_bytes};
    shape.regions = std::max(c.pcie_rq_mfb_regions, c.pcie_rc_mfb_regions);
    shape.brakes = brake_pins + histograms * bands;
    shape.eof_pos_width = c.pcie_eof_pos_width;
    shape.drain_period = c.drain_period;
    shape.has_mvb = false;
    shape.padding_documented = c.padding_documented;
    return shape;
}

TickingProbeShape dma_shape(const TickingConfig& c) {
    TickingProbeShape shape;
    for (std::uint32_t port = 0; port < c.dma_ports; ++port) {
        shape.real_regions.insert(shape.real_regions.end(), {c.dma_up_mfb_regions, c.dma_down_mfb_regions});
        shape.region_items.insert(shape.region_items.end(), {c.dma_up_mfb_region_bytes / c.mfb_item_bytes,
                                                             c.dma_down_mfb_region_bytes / c.mfb_item_bytes});
    }
    shape.regions = std::max(c.dma_up_mfb_regions, c.dma_down_mfb_regions);
    shape.brakes = 0;
    shape.eof_pos_width = c.dma_eof_pos_width;
    shape.drain_period = c.drain_period;
    shape.has_mvb = true;
    shape.padding_documented = c.padding_documented;
    return shape;
}

std::uint32_t endpoint_channels(const TickingConfig& c) {
    return pcie_shape(c).channels() + dma_shape(c).channels();
}

std::uint32_t memory_entries(const TickingConfig& c) {
    return 1U << ceil_log2(std::uint64_t{c.pcie_endpoints} * endpoint_channels(c));
}

std::vector<std::uint32_t> stream_base(const TickingConfig& c) {
    std::vector<std::uint32_t> base;
    for (std::uint32_t endpoint = 0; endpoint < c.pcie_endpoints; ++endpoint) {
        base.push_back(endpoint * endpoint_channels(c));
        base.push_back(endpoint * endpoint_channels(c) + pcie_shape(c).channels());
    }
    return base;
}

std::vector<BusPins> bus_pins(const TickingProbeShape& shape) {
    BusPins bus;
    bus.eof_pos.resize(shape.regions);
    return std::vector<BusPins>(shape.buses(), bus);
}

}  // namespace

TickingTelemetry::TickingTelemetry(const TickingConfig& config)
    : m_config(config),
      m_accumulator(memory_entries(config), config.cnt_width, stream_base(config), config.memory_ones),
      m_valid(2 * config.pcie_endpoints) {
    pcie.resize(config.pcie_endpoints);
    dma.resize(config.pcie_endpoints);
    for (std::uint32_t endpoint = 0; endpoint < config.pcie_endpoints; ++endpoint) {
        m_probes.emplace_back(pcie_shape(config));
        m_probes.emplace_back(dma_shape(config));
        m_status.emplace_back(config.tag_capacity, config.stfifo_capacity);
        pcie[endpoint].bus = bus_pins(pcie_shape(config));
        dma[endpoint].bus = bus_pins(dma_shape(config));
    }
    resets_changed();
}

void TickingTelemetry::resets_changed() {
    for (std::uint32_t endpoint = 0; endpoint < m_config.pcie_endpoints; ++endpoint) {
        m_probes[2 * endpoint].set_resets(pcie[endpoint].reset, mi.reset);
        m_probes[2 * endpoint + 1].set_resets(dma_reset, mi.reset);
    }
}

void TickingTelemetry::edges(bool mi_edge, bool dma_edge, std::uint32_t pcie_mask) {
    const auto pcie_edge = [pcie_mask](std::uint32_t endpoint) {
        return ((pcie_mask >> endpoint) & 1U) != 0;
    };

    for (std::uint32_t endpoint = 0; endpoint < m_config.pcie_endpoints; ++endpoint) {
        TickingProbe& pcie_probe = m_probes[2 * endpoint];
        TickingProbe& dma_probe = m_probes[2 * endpoint + 1];
        TickingStatus& status = m_status[endpoint];
        if (pcie_edge(endpoint)) {
            const PciePins& pins = pcie[endpoint];
            const std::uint32_t brakes = (pins.brake & 0x3FU) | status.bands() << brake_pins;
            pcie_probe.evaluate(pins.bus, brakes, m_q.clear_flags_toggle);
            status.evaluate(pins, pcie_probe.tick());
        }
        if (dma_edge) dma_probe.evaluate(dma[endpoint].bus, 0, m_q.clear_flags_toggle);
    }
    if (mi_edge) evaluate_mi();

    for (std::uint32_t endpoint = 0; endpoint < m_config.pcie_endpoints; ++endpoint) {
        if (pcie_edge(endpoint)) {
            m_probes[2 * endpoint].clock();
            m_status[endpoint].clock();
        }
        if (dma_edge) m_probes[2 * endpoint + 1].clock();
        if (mi_edge) {
            m_probes[2 * endpoint].clock_mi();
            m_probes[2 * endpoint + 1].clock_mi();
            m_status[endpoint].clock_mi();
        }
    }
    if (mi_edge) {
        m_accumulator.clock();
        m_q = m_d;
    }
}

void TickingTelemetry::evaluate_mi() {
    for (std::uint32_t stream = 0; stream < m_probes.size(); ++stream) {
        const bool read = m_accumulator.reads(stream);
        m_valid[stream] = m_probes[stream].valid() ? 1 : 0;
        m_probes[stream].evaluate_mi(read);
        if (read && m_record_deltas) {
            deltas.push_back({stream, m_probes[stream].data().index, m_probes[stream].data().delta});
        }
    }
    for (TickingStatus& status : m_status)
        status.evaluate_mi(mi.reset, m_q.clear || m_q.clear_marks);
    m_accumulator.evaluate(mi.reset, m_q.snapshot, m_q.clear, m_valid,
                           m_probes[m_accumulator.stream()].data());
    m_d = m_q;
    evaluate_reads();
    evaluate_writes();
}

void TickingTelemetry::evaluate_reads() {
    m_d.read1 = mi.rd;
    m_d.register_data = read_register(mi.addr & 0xFCU);
    const std::uint32_t entry = (mi.addr >> 3) & (entries() - 1);
    m_d.memory_data = m_accumulator.word(m_q.read_sel ? entry : entries() + entry);
    m_d.window = (mi.addr & 0x8000U) != 0;
    m_d.high_word = (mi.addr & 4U) != 0;

    m_d.drdy = m_q.read1;
    const std::uint64_t half = m_q.high_word ? m_q.memory_data >> 32 : m_q.memory_data;
    m_d.drd = m_q.window ? static_cast<std::uint32_t>(half) : m_q.register_data;
    if (mi.reset) m_d.read1 = m_d.drdy = false;
}

void TickingTelemetry::evaluate_writes() {
    const bool write = mi.wr && (mi.addr & 0x8000U) == 0;
    const std::uint32_t offset = mi.addr & 0xFCU;
    const bool command = write && offset == 0x20;
    m_d.snapshot = command && (mi.dwr & 1U) != 0;
    m_d.clear = command && (mi.dwr & 2U) != 0;
    if (command && (mi.dwr & 4U) != 0) m_d.clear_flags_toggle = !m_q.clear_flags_toggle;
    m_d.clear_marks = command && (mi.dwr & 8U) != 0;
    if (write && offset == 0x28) m_d.read_sel = (mi.dwr & 1U) != 0;

    if (mi.reset) {
        m_d.snapshot = m_d.clear = m_d.clear_marks = false;
        m_d.clear_flags_toggle = false;
        m_d.read_sel = false;
    }
}

std::uint32_t TickingTelemetry::status_flags() const {
    std::uint32_t flags = m_accumulator.busy() ? 1 : 0;
    for (const TickingProbe& probe : m_probes) {
        if (probe.lost_at_mi()) flags |= 2;
        if (probe.overrun_at_mi()) flags |= 4;
    }
    return flags;
}

std::uint32_t TickingTelemetry::read_register(std::uint32_t offset) const {
    const TickingConfig& c = m_config;
    const auto bytes = [](std::uint32_t b0, std::uint32_t b1, std::uint32_t b2, std::uint32_t b3) {
        return (b0 & 0xFFU) | (b1 & 0xFFU) << 8 | (b2 & 0xFFU) << 16 | (b3 & 0xFFU) << 24;
    };
    const auto halves = [](std::uint32_t low, std::uint32_t high) {
        return (low & 0xFFFFU) | (high & 0xFFFFU) << 16;
    };
    const auto probe_shape = [&bytes](const TickingProbeShape& shape) {
        return bytes(shape.channels(), shape.buses(), shape.regions, shape.brakes);
    };
    const std::uint32_t endpoint = (offset & 0x3FU) / 4;
    if (offset >= 0x40 && endpoint >= c.pcie_endpoints) return 0;
    switch (offset & 0xC0U) {
        case 0x40:
            return m_status[endpoint].status_register();
        case 0x80:
            return m_status[endpoint].tags_register();
        case 0xC0:
            return m_status[endpoint].stfifo_register();
        default:
            break;
    }
    switch (offset) {
        case 0x00:
            return 0x50544C4D;
        case 0x04:
            return 0x00020000;
        case 0x08:
            return bytes(c.pcie_endpoints, c.dma_ports, 2 * c.pcie_endpoints, 0);
        case 0x0C:
            return (entries() & 0xFFFFU) | bytes(0, 0, c.cnt_width, endpoint_channels(c));
        case 0x10:
            return probe_shape(m_probes[0].shape());
        case 0x14:
            return probe_shape(m_probes[1].shape());
        case 0x18:
            return (c.drain_period & 0xFFFFU) | bytes(0, 0, c.mfb_item_bytes, 0);
        case 0x1C:
            return 0x8000;
        case 0x24:
            return status_flags();
        case 0x28:
            return m_q.read_sel ? 1 : 0;
        case 0x2C:
            return bytes(c.pcie_rq_mfb_regions, c.pcie_rc_mfb_regions, c.dma_up_mfb_regions,
                         c.dma_down_mfb_regions);
        case 0x30:
            return halves(c.pcie_rq_mfb_region_bytes, c.pcie_rc_mfb_region_bytes);
        case 0x34:
            return bytes(bands, histograms, 0, 0);
        case 0x38:
            return halves(c.tag_capacity, c.stfifo_capacity);
        case 0x3C:
            return halves(c.dma_up_mfb_region_bytes, c.dma_down_mfb_region_bytes);
        default:
            return 0;
    }
}

}  // namespace tlmetry::testing
