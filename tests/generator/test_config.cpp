// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/generator/config.hpp>

#include <catch2/catch.hpp>

#include <functional>

using namespace tlmetry;
using namespace tlmetry::generator;
using Catch::Contains;

TEST_CASE("The defaults and the presets are valid") {
    CHECK_NOTHROW(Config().validate());
    CHECK_NOTHROW(reference_load().validate());
    for (std::uint32_t bytes = 64; bytes <= 4096; bytes *= 2) {
        CHECK_NOTHROW(only_reads(bytes).validate());
        CHECK_NOTHROW(only_writes(bytes).validate());
        CHECK_NOTHROW(half_and_half(bytes).validate());
    }
}

TEST_CASE("Configurations that ask for the same are equal") {
    CHECK(only_reads(512) == only_reads(512));
    CHECK_FALSE(only_reads(512) == only_reads(256));
    CHECK_FALSE(only_reads(512) == only_writes(512));
    Config late;
    late.start_fs = 1;
    CHECK_FALSE(late == Config());
    Config listed;
    listed.write_size = Size::weighted("64,128");
    CHECK_FALSE(listed == Config());
}

TEST_CASE("Mistakes in a configuration are named") {
    const auto refused = [](const std::function<void(Config&)>& change, const std::string& message) {
        Config config;
        change(config);
        CHECK_THROWS_WITH(config.validate("port0"), Contains(message));
    };
    refused([](Config& c) { c.read_ppm = 1'000'001; },
            "port0.read_share: expected 0 to 1000000 ppm, found 1000001");
    refused(
        [](Config& c) {
            c.mix = Mix::groups;
            c.writes_per_group = c.reads_per_group = 0;
        },
        "port0.reads_per_group: expected 1 to");
    refused([](Config& c) { c.no_snoop_ppm = 1'000'001; }, "port0.no_snoop");
    refused([](Config& c) { c.relaxed_ordering_ppm = 1'000'001; }, "port0.relaxed_ordering");
    refused([](Config& c) { c.read_size.bytes = 0; }, "port0.read_size.bytes");
    refused([](Config& c) { c.write_size.bytes = 0; }, "port0.write_size.bytes");
    refused([](Config& c) { c.alignment_bytes = 48; }, "port0.alignment: expected a power of two, found 48");
    refused([](Config& c) { c.alignment_bytes = 0; }, "port0.alignment: expected a power of two, found 0");
    refused([](Config& c) { c.offset_bytes = 4096; }, "port0.offset: expected 0 to 4095");
    refused([](Config& c) { c.region_bytes = 255; }, "port0.region: expected 256 to");
    refused([](Config& c) { c.base_address = ~std::uint64_t{0} - 4095; }, "port0.base: expected 0 to");
    refused([](Config& c) { c.base_address += 64; }, "port0.base: expected a multiple of the alignment");
    refused(
        [](Config& c) {
            c.pattern = Pattern::stride;
            c.stride_bytes = 64;
        },
        "port0.stride: expected a multiple of the alignment");
    refused(
        [](Config& c) {
            c.pattern = Pattern::stride;
            c.stride_bytes = c.region_bytes;
        },
        "port0.stride: expected 1 to");
    refused([](Config& c) { c.mps_bytes = 64; }, "port0.mps: expected 128 to 4096");
    refused([](Config& c) { c.mrrs_bytes = 384; }, "port0.mrrs: expected a power of two, found 384");
    refused(
        [](Config& c) {
            c.split = false;
            c.write_size.bytes = 65536;
        },
        "port0.write_size: expected 1 to 65535 bytes without splitting, found 65536");
    refused(
        [](Config& c) {
            c.rate = Rate::requests;
            c.requests_per_s = 0;
        },
        "port0.requests_per_s: expected 1 to");
    refused(
        [](Config& c) {
            c.rate = Rate::payload;
            c.payload_bits_per_s = 9'999;
        },
        "port0.payload_rate: expected 10000 to");
    refused(
        [](Config& c) {
            c.burst_requests = 1;
            c.burst_gap_fs = -1;
        },
        "port0.burst_gap");
    refused([](Config& c) { c.start_fs = -1; }, "port0.start");
    refused([](Config& c) { c.stop_fs = never + 1; }, "port0.stop");
    refused([](Config& c) { c.gap_fs = -1; }, "port0.gap");
    refused([](Config& c) { c.gap_fs_per_byte = -1; }, "port0.gap_per_byte");
}

TEST_CASE("The size of a direction without operations does not matter") {
    Config config = only_reads(512);
    config.write_size.bytes = 0;
    CHECK_NOTHROW(config.validate());
    config = only_writes(512);
    config.read_size.bytes = 0;
    CHECK_NOTHROW(config.validate());
}
