// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/driver/measurement.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <cstddef>

namespace tlmetry::driver {
namespace {

namespace fields = regs::fields;

constexpr double fastest_clock_hz = 2e9;

/// Channels of one bus, from its first one.
enum BusChannel : std::uint32_t {
    words,
    stalled,
    transactions,
    mvb_items,
    mvb_stalled,
    items,
    region0,
};

std::uint64_t counter_mask(const Layout& layout) {
    return ~std::uint64_t{0} >> (64 - layout.counter_width);
}

/// Index of the first counter of a probe.
std::size_t probe_base(const Layout& layout, std::uint32_t endpoint, bool pcie_clock) {
    return std::size_t{endpoint} * layout.counters_per_endpoint() + (pcie_clock ? 0 : layout.pcie.channels);
}

BusCounts bus_counts(const std::uint64_t* counters, std::string name, const BusShape& shape,
                     bool pcie_clock) {
    BusCounts bus;
    bus.name = std::move(name);
    bus.words = counters[words];
    bus.stalled = counters[stalled];
    bus.transactions = counters[transactions];
    bus.mvb_items = counters[mvb_items];
    bus.mvb_stalled = counters[mvb_stalled];
    bus.items = counters[items];
    bus.regions.assign(counters + region0, counters + region0 + shape.regions);
    bus.region_bytes = shape.region_bytes;
    bus.pcie_clock = pcie_clock;
    bus.has_mvb = !pcie_clock;
    return bus;
}

void append_histograms(std::vector<Histogram>& histograms, const std::uint64_t* counters,
                       const ProbeLayout& probe, std::uint32_t bands, bool pcie_clock) {
    const std::uint64_t* band = counters + probe.brake_channel() + probe.reasons;
    for (std::uint32_t i = 0; i < probe.histograms; ++i, band += bands)
        histograms.push_back({{band, band + bands}, pcie_clock});
}

EndpointCounts endpoint_counts(const Layout& layout, const RegisterValues& registers,
                               const std::vector<std::uint64_t>& counters, std::uint32_t index) {
    const std::uint64_t* pcie = counters.data() + probe_base(layout, index, true);
    const std::uint64_t* dma = counters.data() + probe_base(layout, index, false);
    const std::uint32_t status = registers.at(regs::pcie_status + 4 * index);
    const auto level = [&](std::uint32_t base) {
        const std::uint32_t word = registers.at(base + 4 * index);
        return Level{fields::level::now.extract(word), fields::level::lowest.extract(word)};
    };

    EndpointCounts endpoint;
    endpoint.link_up = fields::pcie_status::link_up.extract(status) != 0;
    endpoint.mps = 128u << fields::pcie_status::mps.extract(status);
    endpoint.mrrs = 128u << fields::pcie_status::mrrs.extract(status);
    endpoint.ext_tag = fields::pcie_status::ext_tag.extract(status) != 0;
    endpoint.tag_10bit = fields::pcie_status::tag_10bit.extract(status) != 0;
    endpoint.rcb = fields::pcie_status::rcb.extract(status) != 0 ? 128 : 64;
    endpoint.tags = level(regs::pcie_tags);
    endpoint.stfifo = level(regs::pcie_stfifo);
    endpoint.pcie_cycles = pcie[0];
    endpoint.dma_cycles = dma[0];
    const std::uint64_t* reasons = pcie + layout.pcie.brake_channel();
    endpoint.reasons.assign(reasons, reasons + layout.pcie.reasons);
    append_histograms(endpoint.histograms, pcie, layout.pcie, layout.bands, true);
    append_histograms(endpoint.histograms, dma, layout.dma, layout.bands, false);

    endpoint.buses.push_back(
        bus_counts(pcie + layout.pcie.bus_channel(0), "PTC -> PCIe (RQ)", layout.rq, true));
    endpoint.buses.push_back(
        bus_counts(pcie + layout.pcie.bus_channel(1), "PCIe -> PTC (RC)", layout.rc, true));
    for (std::uint32_t port = 0; port < layout.dma_ports; ++port) {
        const std::string dma_name = "DMA" + std::to_string(port);
        endpoint.buses.push_back(
            bus_counts(dma + layout.dma.bus_channel(2 * port), dma_name + " -> PTC (UP)", layout.up, false));
        endpoint.buses.back().dma_up = true;
        endpoint.buses.push_back(bus_counts(dma + layout.dma.bus_channel(2 * port + 1),
                                            "PTC -> " + dma_name + " (DOWN)", layout.down, false));
    }
    return endpoint;
}

Measurement measurement(const Layout& layout, const RegisterValues& registers,
                        const std::vector<std::uint64_t>& counters) {
    Measurement result{layout, {}, false, Status::decode(registers.at(regs::status)), {}};
    for (std::uint32_t i = 0; i < layout.endpoints; ++i)
        result.endpoints.push_back(endpoint_counts(layout, registers, counters, i));
    return result;
}

std::vector<std::uint64_t> differences(const Layout& layout, const Snapshot& first, const Snapshot& second) {
    std::vector<std::uint64_t> result(second.counters.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = (second.counters[i] - first.counters[i]) & counter_mask(layout);
    return result;
}

bool deltas_missing(const Snapshot& snapshot) {
    const Status status = Status::decode(snapshot.registers.at(regs::status));
    return status.lost_deltas || status.readout_overrun;
}

/// True if a channel of the probe steps by one at most in a cycle: not the transactions, MVB items and items
/// of a bus, which step once per region and more.
bool steps_by_one(const ProbeLayout& probe, std::uint32_t channel) {
    if (channel >= probe.brake_channel()) return true;
    const std::uint32_t of_bus = (channel - 1) % (6 + probe.regions);
    return of_bus != transactions && of_bus != mvb_items && of_bus != items;
}

}  // namespace

Measurement totals(const Layout& layout, const Snapshot& snapshot) {
    return measurement(layout, snapshot.registers, snapshot.counters);
}

Measurement difference(const Layout& layout, const Snapshot& first, const Snapshot& second, double seconds) {
    if (cleared_between(layout, first, second, seconds)) {
        Measurement result = totals(layout, second);
        result.cleared = true;
        return result;
    }
    Measurement result = measurement(layout, second.registers, differences(layout, first, second));
    result.seconds = seconds;
    return result;
}

Measurement evaluate(const Layout& layout, const Recording& recording) {
    if (!recording.second) return totals(layout, recording.first);
    return difference(layout, recording.first, *recording.second, *recording.seconds());
}

bool cleared_between(const Layout& layout, const Snapshot& first, const Snapshot& second, double seconds) {
    // Counters of one snapshot may differ by a read-out or two, and a reset of the MI clock drops what waits
    // in a FIFO of two read-outs.
    const std::uint64_t slack = 4 * std::uint64_t{layout.drain_period == 0 ? 0x10000 : layout.drain_period};
    const bool judge_steps = !deltas_missing(first) && !deltas_missing(second);
    const std::vector<std::uint64_t> gained = differences(layout, first, second);

    for (std::uint32_t endpoint = 0; endpoint < layout.endpoints; ++endpoint)
        for (const bool pcie_clock : {true, false}) {
            const std::size_t base = probe_base(layout, endpoint, pcie_clock);
            const ProbeLayout& probe = pcie_clock ? layout.pcie : layout.dma;
            const std::uint64_t elapsed = gained[base];
            if (second.counters[base] < first.counters[base] &&
                static_cast<double>(elapsed) > seconds * fastest_clock_hz + static_cast<double>(slack))
                return true;
            for (std::uint32_t channel = 1; judge_steps && channel < probe.channels; ++channel)
                if (steps_by_one(probe, channel) && gained[base + channel] > elapsed &&
                    gained[base + channel] - elapsed > slack)
                    return true;
        }
    return false;
}

}  // namespace tlmetry::driver
