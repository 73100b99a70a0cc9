// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/report.hpp>

#include <nlohmann/json.hpp>

namespace tlmetry::report {
namespace {

using Json = nlohmann::ordered_json;

Json bus_json(const driver::BusCounts& bus) {
    return {{"words", bus.words},
            {"backpressure", bus.stalled},
            {"transactions", bus.transactions},
            {"mvb", bus.mvb_items},
            {"mvb_backpressure", bus.mvb_stalled},
            {"items", bus.items},
            {"regions", bus.regions},
            {"region_bytes", bus.region_bytes},
            {"pcie_clk", bus.pcie_clock},
            {"has_mvb", bus.has_mvb},
            {"dma_up", bus.dma_up}};
}

Json endpoint_json(const driver::EndpointCounts& endpoint, std::size_t index) {
    Json histograms = Json::array();
    for (const driver::Histogram& histogram : endpoint.histograms)
        histograms.push_back(histogram.bands);
    Json buses = Json::object();
    for (const driver::BusCounts& bus : endpoint.buses)
        buses[bus.name] = bus_json(bus);
    return {{"index", index},
            {"link_up", endpoint.link_up},
            {"mps", endpoint.mps},
            {"mrrs", endpoint.mrrs},
            {"ext_tag", endpoint.ext_tag},
            {"tag_10b", endpoint.tag_10bit},
            {"rcb", endpoint.rcb},
            {"tags_free", endpoint.tags.now},
            {"tags_free_min", endpoint.tags.lowest},
            {"stfifo_free", endpoint.stfifo.now},
            {"stfifo_free_min", endpoint.stfifo.lowest},
            {"pcie_cycles", endpoint.pcie_cycles},
            {"dma_cycles", endpoint.dma_cycles},
            {"brakes", endpoint.reasons},
            {"hists", std::move(histograms)},
            {"buses", std::move(buses)}};
}

}  // namespace

std::string format_json(const driver::Measurement& m) {
    Json data = Json::object();
    data["endpoints"] = Json::array();
    for (std::size_t i = 0; i < m.endpoints.size(); ++i)
        data["endpoints"].push_back(endpoint_json(m.endpoints[i], i));
    data["status"] = {{"busy", m.status.busy},
                      {"lost_deltas", m.status.lost_deltas},
                      {"readout_overrun", m.status.readout_overrun}};
    if (m.cleared) data["status"]["cleared"] = true;
    data["config"] = {
        {"pcie_endpoints", m.layout.endpoints},        {"dma_ports", m.layout.dma_ports},
        {"probe_pcie_regions", m.layout.pcie.regions}, {"probe_dma_regions", m.layout.dma.regions},
        {"counter_width", m.layout.counter_width},     {"item_bytes", m.layout.item_bytes},
        {"drain_period", m.layout.drain_period},       {"hist_bands", m.layout.bands},
        {"tag_capacity", m.layout.tag_capacity},       {"stfifo_capacity", m.layout.stfifo_capacity}};

    std::string text = Json{{"seconds", nullptr}, {"data", std::move(data)}}.dump(4) + "\n";
    // The library does not always find the shortest form of a double, which the report is defined with.
    constexpr std::string_view null = "null";
    if (m.seconds) text.replace(text.find(null), null.size(), shortest(*m.seconds));
    return text;
}

}  // namespace tlmetry::report
