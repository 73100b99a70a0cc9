// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/card_shapes.hpp"

#include "tlmetry/app/card_parameters.hpp"

#include <algorithm>

namespace tlmetry::app {

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Values clocks(const char* pcie, const char* dma) {
    return {{"telemetry.pcie_clock", pcie}, {"telemetry.dma_clock", dma}};
}

Values link(const char* generation, const char* lanes) {
    return {{"link.generation", generation}, {"link.lanes", lanes}};
}

Values regions(const char* rq, const char* rc, const char* up, const char* down) {
    return {{"telemetry.pcie_rq_mfb_regions", rq},
            {"telemetry.pcie_rc_mfb_regions", rc},
            {"telemetry.dma_up_mfb_regions", up},
            {"telemetry.dma_down_mfb_regions", down}};
}

/// Region sizes of each direction. The EOF_POS fields are as wide as the larger one needs.
Values region_bytes(const char* up, const char* down, const char* eof_pos_width) {
    return {{"telemetry.pcie_rq_mfb_region_bytes", up},      {"telemetry.dma_up_mfb_region_bytes", up},
            {"telemetry.pcie_rc_mfb_region_bytes", down},    {"telemetry.dma_down_mfb_region_bytes", down},
            {"telemetry.pcie_eof_pos_width", eof_pos_width}, {"telemetry.dma_eof_pos_width", eof_pos_width}};
}

/// Headers in front of the data of writes, in the place of reads, and in front of the data of completions.
Values headers(const char* write, const char* read, const char* completion, const char* one_start) {
    return {{"card.rq_write_header", write},
            {"card.rq_read_header", read},
            {"card.rc_header", completion},
            {"card.one_start", one_start}};
}

Values ports(const char* endpoints, const char* dma_ports) {
    return {{"telemetry.pcie_endpoints", endpoints}, {"telemetry.dma_ports", dma_ports}};
}

CardShape shape(const char* name, const char* doc, const std::vector<Values>& parts) {
    CardShape result{name, doc, {}};
    for (const Values& part : parts)
        result.values.insert(result.values.end(), part.begin(), part.end());
    return result;
}

std::vector<CardShape> make_shapes() {
    const Values usual_regions = region_bytes("32", "32", "3");
    const Values no_headers = headers("0", "1", "0", "false");
    const Values rtile_headers = headers("0", "1", "0", "true");
    const Values rtile_buffer = {{"ptc.completion_headers", "572"}};
    return {
        shape("gen3x16_htile", "Gen3 x16 H-Tile, all buses 2x32 B",
              {ports("1", "1"), regions("2", "2", "2", "2"), usual_regions, clocks("250MHz", "200MHz"),
               headers("4", "4", "3", "true"), link("3", "16")}),
        shape("gen4x16_ptile", "Gen4 x16 P-Tile, all buses 2x32 B",
              {ports("1", "1"), regions("2", "2", "2", "2"), usual_regions, clocks("400MHz", "200MHz"),
               no_headers, link("4", "16")}),
        shape("gen4x8x8_ptile", "two Gen4 x8 P-Tile endpoints, RQ and RC 1x32 B, UP and DOWN 2x32 B",
              {ports("2", "1"), regions("1", "1", "2", "2"), usual_regions, clocks("400MHz", "200MHz"),
               no_headers, link("4", "8")}),
        shape("gen5x16_rtile", "Gen5 x16 R-Tile, RQ and RC 4x32 B, UP and DOWN 2x32 B",
              {ports("1", "1"), regions("4", "4", "2", "2"), usual_regions, clocks("400MHz", "200MHz"),
               rtile_headers, link("5", "16"), rtile_buffer}),
        shape("gen5x16_rtile_2port", "the same with two DMA ports",
              {ports("1", "2"), regions("4", "4", "2", "2"), usual_regions, clocks("400MHz", "200MHz"),
               rtile_headers, link("5", "16"), rtile_buffer}),
        shape("gen5x8x8_rtile", "two Gen5 x8 R-Tile endpoints, all buses 2x32 B",
              {ports("2", "1"), regions("2", "2", "2", "2"), usual_regions, clocks("500MHz", "200MHz"),
               rtile_headers, link("5", "8"), rtile_buffer}),
        shape("gen3x16_usp", "Gen3 x16 UltraScale+, RQ and UP 2x32 B, RC and DOWN 4x16 B",
              {ports("1", "1"), regions("2", "4", "2", "4"), region_bytes("32", "16", "3"),
               clocks("250MHz", "200MHz"), headers("4", "4", "3", "false"), link("3", "16")}),
        // Fast clocks rather than wide words: a group of headers is granted as a whole.
        shape(
            "open",
            "no real card: buses so fast that they never bind, on clocks of 1 GHz for PCIe and DMA, and all "
            "tags there can be",
            {ports("1", "1"),
             regions("4", "4", "4", "4"),
             region_bytes("128", "128", "5"),
             clocks("1GHz", "1GHz"),
             no_headers,
             link("5", "16"),
             {{"card.mvb_up_items", "1"},
              {"ptc.tags", "1024"},
              {"ptc.storage_words", "65535"},
              {"ptc.word_bytes", "64"},
              {"link.tag_10bit", "true"}}}),
    };
}

bool given(const config::Registry& registry, const std::string& name) {
    return !registry.find(name)->place.empty();
}

std::uint64_t number(const config::Registry& registry, const std::string& name) {
    return *parse_unsigned(registry.find(name)->text());
}

std::uint64_t bytes(const config::Registry& registry, const std::string& name) {
    return static_cast<std::uint64_t>(*parse_quantity(registry.find(name)->text(), size_units));
}

void derive(config::Registry& registry, const std::string& name, std::uint64_t value,
            const std::string& from) {
    if (!given(registry, name))
        registry.set({name, std::to_string(value), name + ", which follows from " + from});
}

std::uint64_t next_power_of_two(std::uint64_t value) {
    std::uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

}  // namespace

const std::vector<CardShape>& card_shapes() {
    static const std::vector<CardShape> shapes = make_shapes();
    return shapes;
}

void apply_shape(config::Registry& registry) {
    const std::string name = registry.find("card.shape")->text();
    const auto shape = std::find_if(card_shapes().begin(), card_shapes().end(),
                                    [&](const CardShape& s) { return s.name == name; });
    // Before the shape has its say: fewer tags follow from what the user wants, not from the card.
    if (given(registry, "link.extended_tag") && registry.find("link.extended_tag")->text() == "false")
        derive(registry, "ptc.tags", card::tags_without_extended, "link.extended_tag");
    for (const auto& [parameter, value] : shape->values) {
        if (!given(registry, parameter)) registry.set({parameter, value, "card.shape " + name});
    }
    const std::uint64_t rc = number(registry, "telemetry.pcie_rc_mfb_regions");
    const std::uint64_t down = number(registry, "telemetry.dma_down_mfb_regions");
    derive(registry, "card.mvb_up_items",
           std::min<std::uint64_t>(16, number(registry, "telemetry.dma_up_mfb_regions")),
           "telemetry.dma_up_mfb_regions");
    derive(registry, "card.mvb_down_items", next_power_of_two(std::max(rc, down)),
           "the regions of RC and DOWN");
    derive(registry, "ptc.word_bytes",
           std::min<std::uint64_t>(4096, next_power_of_two(std::max(rc, down)) *
                                             bytes(registry, "telemetry.pcie_rc_mfb_region_bytes")),
           "the regions of RC and DOWN");
    derive(registry, "telemetry.tag_capacity", number(registry, "ptc.tags"), "ptc.tags");
    derive(registry, "telemetry.stfifo_capacity", number(registry, "ptc.storage_words"), "ptc.storage_words");
}

}  // namespace tlmetry::app
