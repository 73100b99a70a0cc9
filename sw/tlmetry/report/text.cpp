// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/report.hpp>
#include <tlmetry/report/table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tlmetry::report {
namespace {

using driver::BusCounts;
using driver::EndpointCounts;
using driver::Measurement;

constexpr std::array<std::string_view, 6> reason_names = {
    "no free PCIe tag",           "PCIe tag not ready",      "no room for completions",
    "no completion header entry", "MFB stalled towards DMA", "MVB stalled towards DMA",
};
constexpr std::array<std::string_view, 2> histogram_names = {"PCIe tags", "PTC storage FIFO words"};
constexpr std::array<std::string_view, 4> band_names = {"none", "<=1/8", "<=1/2", "rest"};

/// Reasons 4 and 5 stop the stream towards the DMA module, all others the one towards PCIe.
constexpr bool stops_down_stream(std::size_t reason) {
    return reason == 4 || reason == 5;
}

template <std::size_t N>
std::string name_of(const std::array<std::string_view, N>& names, std::size_t index, const char* otherwise) {
    return index < N ? std::string(names[index]) : otherwise + std::to_string(index);
}

/// A value with its decimals, or a dash where there is nothing to divide by.
std::string or_dash(std::optional<double> value, int decimals) {
    return value ? fixed(*value, decimals) : "-";
}

std::string line(const std::string& text) {
    return text + "\n";
}

/// Two decimals, or two digits where those would show nothing.
std::string length(double seconds) {
    constexpr int most_decimals = 20;
    int decimals = 2;
    for (double visible = 0.005; seconds < visible && decimals < most_decimals; visible /= 10)
        decimals += decimals == 2 ? 2 : 1;
    return fixed(seconds, decimals);
}

std::string head(const Measurement& m) {
    const std::string title = "PCIe telemetry - " + std::to_string(m.layout.endpoints) + " endpoint(s), " +
                              std::to_string(m.layout.dma_ports) + " DMA port(s) per endpoint";
    std::string text = line(title) + line(std::string(title.size(), '='));
    text +=
        m.seconds ? line("Measured over " + length(*m.seconds) + " s") : line("Totals since the last clear");

    std::string warnings;
    if (m.cleared)
        warnings += line("  !! COUNTERS CLEARED during the interval - these are the totals since then");
    if (m.status.lost_deltas) warnings += line("  !! LOST DELTAS - the counters are not exact");
    if (m.status.readout_overrun) warnings += line("  !! READ-OUT OVERRUN - the counters are not exact");
    return warnings.empty() ? text : text + "\n" + warnings;
}

std::string settings(const EndpointCounts& endpoint) {
    const auto entry = [](const char* name, const std::string& value) {
        return line(pad_right(name, 26) + value);
    };
    const auto level = [](const driver::Level& l, const char* unit) {
        return std::to_string(l.now) + unit + " (lowest " + std::to_string(l.lowest) + ")";
    };
    const auto on_off = [](bool on) { return on ? "on" : "off"; };
    return entry("Link", endpoint.link_up ? "up" : "DOWN") +
           entry("Max payload size (MPS)", std::to_string(endpoint.mps) + " B") +
           entry("Max read request (MRRS)", std::to_string(endpoint.mrrs) + " B") +
           entry("Extended tag (8-bit)", on_off(endpoint.ext_tag)) +
           entry("10-bit tag", on_off(endpoint.tag_10bit)) +
           entry("Read completion boundary", std::to_string(endpoint.rcb) + " B") +
           entry("PTC tags free", level(endpoint.tags, "")) +
           entry("PTC storage FIFO free", level(endpoint.stfifo, " words"));
}

std::string clocks(const EndpointCounts& endpoint, double seconds) {
    const auto mhz = [&](std::uint64_t cycles) {
        return fixed(static_cast<double>(cycles) / seconds / 1e6, 1) + " MHz";
    };
    return line("  PCIe clock " + mhz(endpoint.pcie_cycles) + ", DMA clock " + mhz(endpoint.dma_cycles));
}

Row bus_row(const Measurement& m, const EndpointCounts& endpoint, const BusCounts& bus) {
    const Wide cycles = endpoint.cycles(bus.pcie_clock);
    const auto share = [&](std::uint64_t part) { return or_dash(percent(part, cycles), 2); };

    Wide occupied = 0;
    std::string per_region;
    for (const std::uint64_t region : bus.regions) {
        occupied += region;
        per_region += (per_region.empty() ? "" : " ") + or_dash(percent(region, cycles), 1);
    }
    const Wide bytes = Wide{bus.items} * m.layout.item_bytes;
    const std::uint64_t requests = bus.has_mvb ? bus.mvb_items : bus.transactions;
    std::string gbps, mpps;
    if (m.seconds) {
        gbps = fixed(static_cast<double>(bytes * 8) / *m.seconds / 1e9, 2);
        mpps = fixed(static_cast<double>(requests) / *m.seconds / 1e6, 3);
    }
    return {bus.name,
            or_dash(percent(occupied, cycles * static_cast<Wide>(bus.regions.size())), 2),
            share(bus.words),
            share(bus.stalled),
            bus.has_mvb ? share(bus.mvb_stalled) : "-",
            per_region,
            gbps,
            mpps,
            bus.dma_up ? or_dash(percent(Wide{bus.mvb_items} - bus.transactions, bus.mvb_items), 2) : "-",
            or_dash(ratio(bytes, bus.transactions), 0)};
}

std::string buses(const Measurement& m, const EndpointCounts& endpoint) {
    std::vector<Row> rows;
    for (const BusCounts& bus : endpoint.buses)
        rows.push_back(bus_row(m, endpoint, bus));
    return format_table({"Bus", "Used %", "Words %", "MFB stall %", "MVB stall %", "Used per region %",
                         "Gbps", "Mpps", "RD %", "Avg B"},
                        rows);
}

std::string reasons(const EndpointCounts& endpoint) {
    const auto entry = [&](const std::string& name, std::size_t width, std::uint64_t cycles) {
        const std::optional<double> share = percent(cycles, endpoint.pcie_cycles);
        return pad_right(name, width) + " " + (share ? pad_left(fixed(*share, 2), 6) : "   -  ") + " %";
    };
    std::vector<std::string> up, down;
    for (std::size_t i = 0; i < endpoint.reasons.size(); ++i) {
        const std::string name = name_of(reason_names, i, "reason ");
        if (stops_down_stream(i))
            down.push_back(entry(name, 23, endpoint.reasons[i]));
        else
            up.push_back(entry(name, 26, endpoint.reasons[i]));
    }
    // No counter of its own: the stalled cycles of the RQ bus.
    up.push_back(entry("PCIe endpoint not ready", 26, endpoint.buses.front().stalled));

    std::string text = line("  Why the PCIe transfer stopped (share of PCIe clock cycles)");
    text += line("    " + pad_right("UP stream", 39) + "DOWN stream");
    for (std::size_t i = 0; i < up.size(); ++i)
        text += line("    " + (i < down.size() ? pad_right(up[i], 39) + down[i] : up[i]));
    return text;
}

std::string histograms(const Measurement& m, const EndpointCounts& endpoint) {
    const std::array<std::uint32_t, 2> capacities = {m.layout.tag_capacity, m.layout.stfifo_capacity};
    Row headers = {"Time spent low", "of"};
    for (std::size_t band = 0; band < m.layout.bands; ++band)
        headers.push_back(name_of(band_names, band, "band "));

    std::vector<Row> rows;
    for (std::size_t i = 0; i < endpoint.histograms.size(); ++i) {
        const driver::Histogram& histogram = endpoint.histograms[i];
        const bool named = i < m.layout.pcie.histograms && i < histogram_names.size();
        Row row = {named ? std::string(histogram_names[i]) : "resource " + std::to_string(i),
                   named ? std::to_string(capacities[i]) : "-"};
        for (const std::uint64_t cycles : histogram.bands)
            row.push_back(or_dash(percent(cycles, endpoint.cycles(histogram.pcie_clock)), 2));
        rows.push_back(std::move(row));
    }
    return format_table(headers, rows);
}

}  // namespace

std::string format_text(const Measurement& m) {
    std::string text = head(m);
    for (std::size_t i = 0; i < m.endpoints.size(); ++i) {
        const EndpointCounts& endpoint = m.endpoints[i];
        text += "\n" + line("PCIe endpoint " + std::to_string(i)) + line(std::string(60, '-')) +
                settings(endpoint);
        if (m.seconds) text += "\n" + clocks(endpoint, *m.seconds);
        text += "\n" + buses(m, endpoint);
        text += "\n" + reasons(endpoint);
        if (!endpoint.histograms.empty()) text += "\n" + histograms(m, endpoint);
    }
    return text;
}

}  // namespace tlmetry::report
