// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/report_outputs.hpp"

namespace tlmetry::explore {

namespace {

struct BusField {
    const char* name;
    std::uint64_t driver::BusCounts::*value;
    const char* unit;
    const char* description;
};
// Names as in the report (docs/json.md).
constexpr BusField bus_fields[] = {
    {"words", &driver::BusCounts::words, "cycles", "in which the bus moved a word"},
    {"backpressure", &driver::BusCounts::stalled, "cycles", "in which its consumer stalled it"},
    {"transactions", &driver::BusCounts::transactions, "frames", "that started"},
    {"mvb", &driver::BusCounts::mvb_items, "items", "of the MVB"},
    {"mvb_backpressure", &driver::BusCounts::mvb_stalled, "cycles", "in which the MVB was stalled"},
    {"items", &driver::BusCounts::items, "items", "of the MFB that moved"},
};

constexpr std::size_t fixed_buses = 2;  // RQ and RC, then UP and DOWN of each port

std::string bus_name(std::size_t bus) {
    if (bus < fixed_buses) return bus == 0 ? "rq" : "rc";
    const std::size_t port = (bus - fixed_buses) / 2;
    return "dma" + std::to_string(port) + (bus % 2 == 0 ? ".up" : ".down");
}

void tell_endpoint(const driver::EndpointCounts& e, const std::string& prefix, const Sink& sink) {
    const auto tell = [&](const std::string& name, std::uint64_t value, const char* unit,
                          const char* description) {
        sink({prefix + name, unit, description}, page::number(static_cast<double>(value)));
    };
    tell("tags_free", e.tags.now, "tags", "free at the end");
    tell("tags_free_min", e.tags.lowest, "tags", "free at the lowest");
    tell("stfifo_free", e.stfifo.now, "words", "of the storage FIFO free at the end");
    tell("stfifo_free_min", e.stfifo.lowest, "words", "of the storage FIFO free at the lowest");
    tell("pcie_cycles", e.pcie_cycles, "cycles", "of the PCIe clock");
    tell("dma_cycles", e.dma_cycles, "cycles", "of the DMA clock");
    for (std::size_t b = 0; b < e.reasons.size(); ++b)
        tell("brake" + std::to_string(b), e.reasons[b], "cycles",
             "in which this reason stopped the transfer");
    for (std::size_t h = 0; h < e.histograms.size(); ++h) {
        for (std::size_t b = 0; b < e.histograms[h].bands.size(); ++b)
            tell("histogram" + std::to_string(h) + ".band" + std::to_string(b), e.histograms[h].bands[b],
                 "cycles", "in this band of the histogram, the lowest first");
    }
    for (std::size_t b = 0; b < e.buses.size(); ++b) {
        const driver::BusCounts& bus = e.buses[b];
        const std::string name = bus_name(b) + ".";
        for (const BusField& field : bus_fields)
            tell(name + field.name, bus.*field.value, field.unit, field.description);
        for (std::size_t r = 0; r < bus.regions.size(); ++r)
            tell(name + "region" + std::to_string(r), bus.regions[r], "cycles",
                 "in which the region carried data");
    }
}

}  // namespace

void tell_report(const driver::Measurement& m, const Sink& sink) {
    const auto flag = [&](const char* name, bool value, const char* description) {
        sink({std::string("report.") + name, "", description}, value ? 1.0 : 0.0);
    };
    flag("lost_deltas", m.status.lost_deltas, "1: counts are missing in the counters");
    flag("readout_overrun", m.status.readout_overrun, "1: a read-out came before the one before was over");
    for (std::size_t e = 0; e < m.endpoints.size(); ++e)
        tell_endpoint(m.endpoints[e], "report.endpoint" + std::to_string(e) + ".", sink);
}

}  // namespace tlmetry::explore
