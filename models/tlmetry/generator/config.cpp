// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/config.hpp"

#include "tlmetry/generator/range_check.hpp"

#include <tlmetry/base/quantity.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace tlmetry::generator {

namespace {

constexpr std::uint64_t any = ~std::uint64_t{0};
constexpr std::uint64_t max_requests_per_s = 1'000'000'000'000;
constexpr std::uint64_t min_payload_bits_per_s = 10'000;
constexpr std::uint64_t max_payload_bits_per_s = 10'000'000'000'000;
constexpr std::uint64_t max_region_bytes = std::uint64_t{1} << 60;

void require_power_of_two(const std::string& parameter, std::uint64_t value) {
    if (value != 0 && (value & (value - 1)) == 0) return;
    throw UserError(parameter + ": expected a power of two, found " + std::to_string(value));
}

void check_addresses(const Config& c, const std::string& dot, std::uint32_t largest) {
    require_power_of_two(dot + "alignment", c.alignment_bytes);
    require_within(dot + "alignment", c.alignment_bytes, 1, max_region_bytes, "bytes");
    require_within(dot + "offset", c.offset_bytes, 0, c.alignment_bytes - 1,
                   "bytes (less than the alignment)");
    require_within(dot + "region", c.region_bytes, c.offset_bytes + largest, max_region_bytes,
                   "bytes (the offset and the largest operation must fit)");
    require_within(dot + "base", c.base_address, 0, any - c.region_bytes + 1,
                   "(the region must end within 64 bits)");
    if (c.base_address % c.alignment_bytes != 0) {
        throw UserError(dot + "base: expected a multiple of the alignment (" +
                        std::to_string(c.alignment_bytes) + "), found " + std::to_string(c.base_address));
    }
    if (c.pattern != Pattern::stride) return;
    require_within(dot + "stride", c.stride_bytes, 1, c.region_bytes - 1, "bytes (less than the region)");
    if (c.stride_bytes % c.alignment_bytes != 0) {
        throw UserError(dot + "stride: expected a multiple of the alignment (" +
                        std::to_string(c.alignment_bytes) + "), found " + std::to_string(c.stride_bytes));
    }
}

Config preset(std::uint32_t read_ppm, std::uint32_t bytes) {
    Config config;
    config.read_ppm = read_ppm;
    config.read_size = config.write_size = Size::fixed(bytes);
    return config;
}

// Members are named here once and all, so that one which is new does not compile before it is compared.
auto members(const Size& size) {
    const auto& [kind, bytes, list, least, most, step, mean, deviation] = size;
    return std::tie(kind, bytes, list, least, most, step, mean, deviation);
}

auto members(const Config& config) {
    const auto& [mix, read_ppm, writes_per_group, reads_per_group, read_size, write_size, no_snoop,
                 relaxed_ordering, pattern, base, region, alignment, offset, stride, split, mps, mrrs, rate,
                 requests_per_s, payload_bits_per_s, spacing, burst_requests, burst_gap, start, stop,
                 max_requests, outstanding_max, by_request, gap, gap_per_byte, trace_file] = config;
    return std::tie(mix, read_ppm, writes_per_group, reads_per_group, read_size, write_size, no_snoop,
                    relaxed_ordering, pattern, base, region, alignment, offset, stride, split, mps, mrrs,
                    rate, requests_per_s, payload_bits_per_s, spacing, burst_requests, burst_gap, start, stop,
                    max_requests, outstanding_max, by_request, gap, gap_per_byte, trace_file);
}

}  // namespace

bool Size::operator==(const Size& other) const {
    return members(*this) == members(other);
}

bool Config::operator==(const Config& other) const {
    return members(*this) == members(other);
}

void Config::validate(const std::string& section) const {
    const std::string dot = section + ".";
    const auto time = [&](const char* key, time_fs value) {
        if (value < 0 || value > never)
            throw UserError(dot + key + ": expected a time of 0 or more, found " + format_time(value));
    };
    for (const auto& [key, bytes] : {std::pair{"mps", mps_bytes}, std::pair{"mrrs", mrrs_bytes}}) {
        require_within(dot + key, bytes, 128, page_bytes, "bytes");
        require_power_of_two(dot + key, bytes);
    }
    time("start", start_fs);
    time("stop", stop_fs);
    time("gap", gap_fs);
    time("gap_per_byte", gap_fs_per_byte);
    require_within(dot + "read_share", read_ppm, 0, million, "ppm");
    if (mix == Mix::groups) {
        require_within(dot + "writes_per_group", writes_per_group, 0, million, "writes");
        require_within(dot + "reads_per_group", reads_per_group, writes_per_group == 0 ? 1 : 0, million,
                       "reads");
    }
    require_within(dot + "no_snoop", no_snoop_ppm, 0, million, "ppm");
    require_within(dot + "relaxed_ordering", relaxed_ordering_ppm, 0, million, "ppm");

    // The size of a direction that is not used does not matter.
    const bool reads = mix == Mix::random ? read_ppm != 0 : reads_per_group != 0;
    const bool writes = mix == Mix::random ? read_ppm != million : writes_per_group != 0;
    std::uint32_t largest = 0;
    const auto check_size = [&](const std::string& name, const Size& size) {
        const std::uint32_t bytes = largest_bytes(size.bands(name));
        if (!split) require_within(name, bytes, 1, max_unsplit_bytes, "bytes without splitting");
        largest = std::max(largest, bytes);
    };
    if (reads) check_size(dot + "read_size", read_size);
    if (writes) check_size(dot + "write_size", write_size);
    check_addresses(*this, dot, largest);

    if (rate == Rate::requests) {
        require_within(dot + "requests_per_s", requests_per_s, 1, max_requests_per_s, "requests/s");
    }
    if (rate == Rate::payload) {
        require_within(dot + "payload_rate", payload_bits_per_s, min_payload_bits_per_s,
                       max_payload_bits_per_s, "bit/s");
    }
    if (burst_requests != 0) time("burst_gap", burst_gap_fs);
}

Config only_reads(std::uint32_t bytes) {
    return preset(million, bytes);
}

Config only_writes(std::uint32_t bytes) {
    return preset(0, bytes);
}

Config half_and_half(std::uint32_t bytes) {
    return preset(million / 2, bytes);
}

Config reference_load() {
    Config config;
    config.read_ppm = 258'600;
    config.write_size = Size::weighted("64:17,128:3,256:5,512:7");
    config.read_size = Size::weighted("256:0.55414,320:0.12566,640:0.3202");
    config.mps_bytes = 512;
    config.mrrs_bytes = 4096;
    // A line before an MPS boundary: reads of one or two lines more than MPS touch three blocks, others two.
    config.alignment_bytes = 2048;
    config.offset_bytes = 448;
    config.rate = Rate::requests;
    config.requests_per_s = 58'000'000;
    return config;
}

}  // namespace tlmetry::generator
