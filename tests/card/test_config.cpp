// SPDX-License-Identifier: BSD-3-Clause
// What a card refuses, and what follows from its settings.
#include <tlmetry/base/error.hpp>
#include <tlmetry/card/config.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;

namespace {

std::string refusal(const card::Config& config, const telemetry::Config& generics = {}) {
    try {
        config.validate(generics);
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the settings of the link are those that software sees") {
    card::Config config;
    CHECK(card::settings_word(config) == (1 | 2 << 3 | 1 << 6 | 1 << 9));
    config.link.mps_bytes = 512;
    config.link.mrrs_bytes = 4096;
    config.link.rcb_bytes = 128;
    config.extended_tags = false;
    config.tags_10bit = true;
    config.link_up = false;
    CHECK(card::settings_word(config) == (2 | 5 << 3 | 1 << 7 | 1 << 8));
}

TEST_CASE("credits hold a write of the MPS at least, and come back later than they were taken") {
    card::Config config;
    config.endpoint.link.posted_data = 15;
    CHECK(refusal(config) ==
          "link.posted_data_credits: expected 0, or at least 16 for a write of link.mps bytes, found 15");
    config.endpoint.link.posted_data = 16;
    CHECK(refusal(config).empty());
    config.endpoint.link.credit_update_latency_fs = 0;
    CHECK(refusal(config) ==
          "link.credit_update_latency: expected above 0 with finite credits and link.propagation = 0, found "
          "0");
    config.endpoint.link.propagation_fs = 1;
    CHECK(refusal(config).empty());
}

TEST_CASE("the parts of an endpoint follow from the settings") {
    telemetry::Config generics;
    generics.dma_ports = 2;
    generics.pcie_rq_mfb_regions = 4;
    generics.dma_down_mfb_region_bytes = generics.pcie_rc_mfb_region_bytes = 16;
    card::Config config;
    config.link.generation = 3;
    config.link.lanes = 8;
    config.link.encoding = false;
    config.link.dllp = pcie::DllpMode::off;
    config.link.ecrc = true;
    const endpoint::Config result = card::endpoint_config(config, generics, 5);
    CHECK(result.ports == 2);
    CHECK(result.buses.rq_regions == 4);
    CHECK(result.buses.up_region_items == 8);
    CHECK(result.buses.down_region_items == 4);
    CHECK(result.link.up_byte_time == std::uint64_t{125'000} << 16);  // 8 GB/s
    CHECK(result.link.write_overhead == 28);
    CHECK(result.link.completion_overhead == 24);
    CHECK(result.host.least_latency_fs == 5);
    CHECK(result.host.completion_bytes == 256);
    config.combine_completions = false;
    CHECK(card::endpoint_config(config, generics, 5).host.completion_bytes == 64);
}

TEST_CASE("what does not fit together is refused with its reason") {
    CHECK(refusal({}) == "");
    telemetry::Config generics;
    generics.dma_up_mfb_region_bytes = 16;
    CHECK(refusal({}, generics) ==
          "telemetry.dma_up_mfb_region_bytes: expected 32, the size of telemetry.pcie_rq_mfb_region_bytes, "
          "as the "
          "PTC has one region size for each direction, found 16");
    generics = {};
    generics.pcie_rc_mfb_regions = 4;
    CHECK(refusal({}, generics) ==
          "card.mvb_down_items: expected at least 4, as so many completions can end in one cycle, found 2");
    card::Config config;
    config.endpoint.ptc.tags = 512;
    CHECK(refusal(config) ==
          "ptc.tags: expected at most 256 with link.tag_10bit false and link.extended_tag true, found 512");
    config = {};
    config.endpoint.ptc.storage_words = 100;
    CHECK(refusal(config) ==
          "ptc.storage_words: expected 131 to 1048576 with card.mvb_up_items = 2 and ptc.word_bytes = 64, "
          "found 100");
    config = {};
    config.traffic[0].gap_fs = 1;
    CHECK(
        refusal(config) ==
        "traffic.outstanding: expected at least 1 with a software gap (traffic.gap or traffic.gap_per_byte), "
        "found 0");
    config = {};
    config.traffic.resize(3);
    CHECK(refusal(config) == "traffic: expected one for all or one for each of the 1 DMA ports, found 3");
}
