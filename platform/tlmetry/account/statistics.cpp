// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/statistics.hpp"

#include <tlmetry/host/statistics.hpp>

#include <utility>

namespace tlmetry::account {

namespace {

using List = std::vector<Statistic>;

/// How a member of some statistics is shown.
template <class T>
struct Field {
    const char* name;
    std::uint64_t T::*value;
    const char* unit;
    const char* description;
};

constexpr Field<endpoint::Endpoint::Statistics> endpoint_fields[] = {
    {"reads", &endpoint::Endpoint::Statistics::reads, "requests", "reads sent to the link"},
    {"read_bytes", &endpoint::Endpoint::Statistics::read_bytes, "bytes", "asked for by those reads"},
    {"writes", &endpoint::Endpoint::Statistics::writes, "requests", "writes sent to the link"},
    {"write_bytes", &endpoint::Endpoint::Statistics::write_bytes, "bytes", "payload of those writes"},
    {"completions", &endpoint::Endpoint::Statistics::completions, "completions", "sent by the host"},
    {"completion_bytes", &endpoint::Endpoint::Statistics::completion_bytes, "bytes",
     "payload of those completions"},
    {"completions_lost", &endpoint::Endpoint::Statistics::completions_lost, "completions",
     "that found the receive buffer of the PCIe core full, or followed such a one"},
    {"reads_done", &endpoint::Endpoint::Statistics::reads_done, "requests",
     "reads whose last completion has been passed to its DMA port"},
    {"reads_timed_out", &endpoint::Endpoint::Statistics::reads_timed_out, "requests",
     "reads given up by the completion timeout"},
    {"reads_reset", &endpoint::Endpoint::Statistics::reads_reset, "requests", "reads lost in a reset"},
    {"requests_reset", &endpoint::Endpoint::Statistics::requests_reset, "requests",
     "lost in a reset before they were sent to the link"},
    {"writes_dropped", &endpoint::Endpoint::Statistics::writes_dropped, "requests",
     "writes lost on a link that went down, or in a reset"},
    {"malformed", &endpoint::Endpoint::Statistics::malformed, "requests",
     "sent although beyond MPS, MRRS or a 4 KiB boundary"},
    {"credit_wait", &endpoint::Endpoint::Statistics::credit_wait_fs, "fs",
     "in which a TLP could have been sent but for the credits of the host"},
};

constexpr Field<endpoint::LinkDirection::Statistics> link_fields[] = {
    {"sent_bytes", &endpoint::LinkDirection::Statistics::sent_bytes, "bytes",
     "of TLPs that came through, with their overhead"},
    {"repeated_bytes", &endpoint::LinkDirection::Statistics::repeated_bytes, "bytes",
     "sent in vain: of TLPs that arrived damaged, and of those behind them until the NAK"},
    {"naks", &endpoint::LinkDirection::Statistics::naks, "TLPs", "that arrived damaged"},
    {"all_bytes", &endpoint::LinkDirection::Statistics::all_bytes, "bytes", "on the lanes, DLLPs included"},
    {"dllp_bytes", &endpoint::LinkDirection::Statistics::dllp_bytes, "bytes", "of Acks and UpdateFCs"},
    {"busy", &endpoint::LinkDirection::Statistics::busy_fs, "fs", "in which TLPs and DLLPs were sent"},
};

constexpr Field<card::DmaSource::Statistics> source_fields[] = {
    {"requests", &card::DmaSource::Statistics::requests, "requests", "handed to the DMA port"},
    {"operations", &card::DmaSource::Statistics::operations, "operations",
     "whose last request was handed to the DMA port"},
};

constexpr Field<endpoint::CpuTraffic::Statistics> cpu_fields[] = {
    {"writes", &endpoint::CpuTraffic::Statistics::writes, "requests", "that came to the root port"},
    {"reads", &endpoint::CpuTraffic::Statistics::reads, "requests", "that came to the root port"},
    {"reads_done", &endpoint::CpuTraffic::Statistics::reads_done, "requests",
     "reads whose completion has been sent and not been lost"},
    {"reads_lost", &endpoint::CpuTraffic::Statistics::reads_lost, "requests",
     "reads lost on a link that went down, or in a reset"},
};

template <class T, class Fields>
void add(List& list, const std::string& where, const T& values, const Fields& fields) {
    for (const auto& field : fields)
        list.push_back({where + "." + field.name, values.*field.value, field.unit, field.description});
}

/// Words that the MFB buses have moved up to the last look.
std::uint64_t moved_words(const telemetry::Telemetry& component) {
    const telemetry::Layout& layout = component.layout();
    std::uint64_t words = 0;
    for (std::uint32_t e = 0; e < component.config().pcie_endpoints; ++e) {
        std::uint32_t entry = e * layout.channels_per_endpoint;
        for (const telemetry::ProbeShape* probe : {&layout.pcie, &layout.dma}) {
            for (std::uint32_t b = 0; b < probe->buses; ++b) {
                words += component.counted(entry + probe->bus_base(b) + telemetry::bus_channel::words);
            }
            entry += probe->channels;
        }
    }
    return words;
}

/// What waits in a root port, and for how long.
void add_root_port(List& list, const std::string& where, const endpoint::Endpoint& endpoint) {
    using Tx = endpoint::RootPortTx;
    if (endpoint.uses_root_port_tx()) {
        for (const auto& [name, kind] : {std::pair("tx_cpl", Tx::completion),
                                         std::pair("tx_np", Tx::nonposted), std::pair("tx_p", Tx::posted)}) {
            const Tx::Statistics s = endpoint.root_port_tx().statistics(kind);
            const std::string kind_name = where + "." + name;
            list.push_back({kind_name + ".tlps", s.tlps, "TLPs", "of this kind sent by the root port"});
            list.push_back({kind_name + ".bytes", s.bytes, "bytes", "of those on the link"});
            list.push_back({kind_name + ".batches", s.batches, "batches", "that left their buffer"});
            list.push_back({kind_name + ".mean_wait", s.mean_wait_fs(), "fs",
                            "from the arrival of a TLP at the root port to its first byte on the link"});
            list.push_back(
                {kind_name + ".lost", s.lost, "TLPs", "that waited when the link went down, or in a reset"});
        }
        add(list, where + ".cpu", endpoint.cpu().statistics(), cpu_fields);
    }
    if (endpoint.holds_requests()) {
        const endpoint::RootPortRx::Statistics s = endpoint.root_port_rx().statistics();
        list.push_back({where + ".rx.requests", s.requests, "requests",
                        "passed on to the host by its buffer, while it has had a watermark"});
        list.push_back({where + ".rx.batches", s.batches, "batches", "of those"});
        list.push_back({where + ".rx.mean_wait", s.mean_wait_fs(), "fs",
                        "from the arrival of a request at the root port until it was passed on"});
    }
}

void add_card(List& list, const card::Card& card, std::uint32_t ports) {
    for (std::uint32_t e = 0; e < card.endpoints(); ++e) {
        const std::string name = "endpoint" + std::to_string(e);
        add(list, name, card.endpoint(e).statistics(), endpoint_fields);
        add(list, name + ".link_up", card.endpoint(e).link_up().statistics(), link_fields);
        add(list, name + ".link_down", card.endpoint(e).link_down().statistics(), link_fields);
        add_root_port(list, name, card.endpoint(e));
        for (std::uint32_t p = 0; p < ports; ++p)
            add(list, name + ".dma" + std::to_string(p), card.asked(e, p), source_fields);
        add(list, "host." + name, card.host().statistics(e), host::statistic_fields);
    }
}

}  // namespace

List statistics(const telemetry::Telemetry& component, const card::Card* card) {
    List list = {
        {"telemetry.moved_words", moved_words(component), "words",
         "moved by the MFB of all buses of all endpoints"},
        {"telemetry.dropped_deltas", component.dropped_deltas(), "deltas",
         "that met a full FIFO and are missing in the counters"},
    };
    if (card != nullptr) add_card(list, *card, component.config().dma_ports);
    return list;
}

}  // namespace tlmetry::account
