// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/report_file.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/json.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/driver/clock.hpp>

#include <nlohmann/json.hpp>

#include <numeric>
#include <utility>

namespace tlmetry::verdict {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "tlmetry.report/1";
constexpr std::uint32_t most_endpoints = 16;
constexpr std::uint32_t most_ports = 32;
constexpr std::uint32_t most_regions = 255;
constexpr std::uint32_t most_bytes = 0xffff;
constexpr std::uint32_t named_histograms = 2;  ///< tags and storage FIFO, of the PCIe clock probe

/// What a message shows of a value found: short, and on one line whatever the file holds.
std::string shown(const Json& value) {
    if (value.is_structured()) return std::string("an ") + value.type_name();
    return config::shortened(value.dump(-1, ' ', true, Json::error_handler_t::replace));
}

/// A value of the document, with the path that messages name it by.
class Node {
public:
    Node(const std::string& place, const Json& value) : m_place(&place), m_value(&value) {}

    [[noreturn]] void refuse(const std::string& expected) const {
        throw UserError(*m_place + ": " + (m_path.empty() ? "the report" : "key " + m_path) + ": expected " +
                        expected + ", found " + shown(*m_value));
    }

    bool is_null() const { return m_value->is_null(); }
    bool has(const char* key) const { return m_value->is_object() && m_value->contains(key); }

    Node operator[](const std::string& key) const {
        if (!m_value->is_object()) refuse("an object");
        const auto found = m_value->find(key);
        const std::string path = step(key);
        if (found == m_value->end())
            throw UserError(*m_place + ": key " + path + " is missing: expected a report of " + schema);
        return {*m_place, *found, path};
    }

    Node operator[](std::size_t index) const {
        return {*m_place, m_value->at(index), m_path + "[" + std::to_string(index) + "]"};
    }

    /// Of an array with `least` to `most` elements.
    std::size_t size(std::size_t least, std::size_t most) const {
        const std::string range =
            least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
        if (!m_value->is_array()) refuse("an array of " + range + " elements");
        if (m_value->size() < least || m_value->size() > most)
            throw UserError(*m_place + ": key " + m_path + ": expected " + range + " elements, found " +
                            std::to_string(m_value->size()));
        return m_value->size();
    }

    bool boolean() const {
        if (!m_value->is_boolean()) refuse("true or false");
        return m_value->get<bool>();
    }

    std::uint64_t count() const {
        if (m_value->is_number_integer() && !m_value->is_number_unsigned())
            refuse(
                "a count, which is never negative (a counter that went backwards was cleared or reset in "
                "between)");
        if (!m_value->is_number_unsigned()) refuse("a count, which is an integer below 2^64");
        return m_value->get<std::uint64_t>();
    }

    std::uint32_t integer(std::uint32_t least, std::uint32_t most) const {
        if (!m_value->is_number_unsigned() || m_value->get<std::uint64_t>() < least ||
            m_value->get<std::uint64_t>() > most)
            refuse("an integer from " + std::to_string(least) + " to " + std::to_string(most));
        return m_value->get<std::uint32_t>();
    }

    std::vector<std::uint64_t> counts(std::size_t least, std::size_t most) const {
        std::vector<std::uint64_t> result;
        for (std::size_t i = 0, n = size(least, most); i < n; ++i)
            result.push_back((*this)[i].count());
        return result;
    }

    double seconds() const {
        const double value = m_value->is_number() ? m_value->get<double>() : 0;
        if (!(value >= driver::shortest_interval_s && value <= driver::longest_interval_s))
            refuse("a number from 1e-18 to 1e9, or null for totals");
        return value;
    }

    std::string text() const {
        if (!m_value->is_string()) refuse("a text");
        return m_value->get<std::string>();
    }

private:
    Node(const std::string& place, const Json& value, std::string path)
        : m_place(&place), m_value(&value), m_path(std::move(path)) {}

    std::string step(const std::string& key) const { return m_path.empty() ? key : m_path + "." + key; }

    const std::string* m_place;
    const Json* m_value;
    std::string m_path;
};

driver::Layout read_layout(const Node& config) {
    driver::Layout layout;
    layout.endpoints = config["pcie_endpoints"].integer(1, most_endpoints);
    layout.dma_ports = config["dma_ports"].integer(1, most_ports);
    layout.counter_width = config["counter_width"].integer(33, 64);
    layout.item_bytes = config["item_bytes"].integer(1, most_bytes);
    layout.drain_period = config["drain_period"].integer(0, 1u << 16);
    layout.bands = config["hist_bands"].integer(0, 255);
    layout.tag_capacity = config["tag_capacity"].integer(0, most_bytes);
    layout.stfifo_capacity = config["stfifo_capacity"].integer(0, most_bytes);
    layout.pcie.buses = 2;
    layout.pcie.regions = config["probe_pcie_regions"].integer(1, most_regions);
    layout.dma.buses = 2 * layout.dma_ports;
    layout.dma.regions = config["probe_dma_regions"].integer(1, most_regions);
    return layout;
}

driver::BusCounts read_bus(const Node& node, const std::string& name, const driver::Layout& layout,
                           bool pcie_clock, bool dma_up) {
    driver::BusCounts bus;
    bus.name = name;
    bus.words = node["words"].count();
    bus.stalled = node["backpressure"].count();
    bus.transactions = node["transactions"].count();
    bus.mvb_items = node["mvb"].count();
    bus.mvb_stalled = node["mvb_backpressure"].count();
    bus.items = node["items"].count();
    bus.regions = node["regions"].counts(1, pcie_clock ? layout.pcie.regions : layout.dma.regions);
    bus.region_bytes = node["region_bytes"].integer(layout.item_bytes, most_bytes);
    if (bus.region_bytes % layout.item_bytes != 0)
        node["region_bytes"].refuse("a multiple of the " + std::to_string(layout.item_bytes) +
                                    " bytes of an item");
    bus.pcie_clock = node["pcie_clk"].boolean();
    bus.has_mvb = node["has_mvb"].boolean();
    bus.dma_up = node["dma_up"].boolean();
    const auto require = [&](const char* key, bool found, bool expected) {
        if (found != expected) node[key].refuse(expected ? "true" : "false");
    };
    require("pcie_clk", bus.pcie_clock, pcie_clock);
    require("has_mvb", bus.has_mvb, !pcie_clock);
    require("dma_up", bus.dma_up, dma_up);
    return bus;
}

/// Whether the bands are nearer to the cycles of the PCIe clock than to those of the DMA clock.
bool of_pcie_clock(const driver::EndpointCounts& endpoint, const std::vector<std::uint64_t>& bands) {
    const double sum = std::accumulate(bands.begin(), bands.end(), 0.0);
    const auto off = [&](std::uint64_t cycles) {
        const double difference = sum - static_cast<double>(cycles);
        return difference < 0 ? -difference : difference;
    };
    return off(endpoint.pcie_cycles) <= off(endpoint.dma_cycles);
}

driver::Level read_level(const Node& node, const std::string& key) {
    return {node[key].integer(0, most_bytes), node[key + "_min"].integer(0, most_bytes)};
}

driver::EndpointCounts read_endpoint(const Node& node, std::size_t index, const driver::Layout& layout) {
    if (node["index"].integer(0, most_endpoints) != index)
        node["index"].refuse(std::to_string(index) + ", as endpoints stand in order");
    driver::EndpointCounts endpoint;
    endpoint.link_up = node["link_up"].boolean();
    endpoint.mps = node["mps"].integer(128, 128u << 7);
    endpoint.mrrs = node["mrrs"].integer(128, 128u << 7);
    endpoint.ext_tag = node["ext_tag"].boolean();
    endpoint.tag_10bit = node["tag_10b"].boolean();
    endpoint.rcb = node["rcb"].integer(64, 128);
    endpoint.tags = read_level(node, "tags_free");
    endpoint.stfifo = read_level(node, "stfifo_free");
    endpoint.pcie_cycles = node["pcie_cycles"].count();
    endpoint.dma_cycles = node["dma_cycles"].count();
    endpoint.reasons = node["brakes"].counts(0, 255);

    const Node histograms = node["hists"];
    for (std::size_t i = 0, n = histograms.size(0, 255); i < n; ++i) {
        driver::Histogram histogram;
        histogram.bands = histograms[i].counts(layout.bands, layout.bands);
        histogram.pcie_clock = i < named_histograms || of_pcie_clock(endpoint, histogram.bands);
        endpoint.histograms.push_back(std::move(histogram));
    }

    const Node buses = node["buses"];
    const auto add = [&](const std::string& name, bool pcie_clock, bool dma_up) {
        endpoint.buses.push_back(read_bus(buses[name], name, layout, pcie_clock, dma_up));
    };
    add("PTC -> PCIe (RQ)", true, false);
    add("PCIe -> PTC (RC)", true, false);
    for (std::uint32_t port = 0; port < layout.dma_ports; ++port) {
        const std::string dma = "DMA" + std::to_string(port);
        add(dma + " -> PTC (UP)", false, true);
        add("PTC -> " + dma + " (DOWN)", false, false);
    }
    return endpoint;
}

driver::BusShape shape(const driver::BusCounts& bus) {
    return {static_cast<std::uint32_t>(bus.regions.size()), bus.region_bytes};
}

}  // namespace

driver::Measurement read_report(const std::string& place, const std::string& text) {
    const Json document = config::parse_json_object(place, text);
    const Node root(place, document);
    // Version 1 has no such key of its own.
    if (root.has("schema") && root["schema"].text() != schema)
        root["schema"].refuse(std::string("\"") + schema + "\" or no such key");

    driver::Measurement result;
    if (!root["seconds"].is_null()) result.seconds = root["seconds"].seconds();
    const Node data = root["data"];
    result.layout = read_layout(data["config"]);
    const Node status = data["status"];
    result.status.busy = status["busy"].boolean();
    result.status.lost_deltas = status["lost_deltas"].boolean();
    result.status.readout_overrun = status["readout_overrun"].boolean();
    result.cleared = status.has("cleared") && status["cleared"].boolean();

    const Node endpoints = data["endpoints"];
    for (std::size_t i = 0, n = endpoints.size(result.layout.endpoints, result.layout.endpoints); i < n; ++i)
        result.endpoints.push_back(read_endpoint(endpoints[i], i, result.layout));

    const driver::EndpointCounts& first = result.endpoints.front();
    result.layout.pcie.reasons = static_cast<std::uint32_t>(first.reasons.size());
    for (const driver::Histogram& histogram : first.histograms)
        ++(histogram.pcie_clock ? result.layout.pcie : result.layout.dma).histograms;
    result.layout.rq = shape(first.buses[0]);
    result.layout.rc = shape(first.buses[1]);
    result.layout.up = shape(first.buses[2]);
    result.layout.down = shape(first.buses[3]);
    return result;
}

}  // namespace tlmetry::verdict
