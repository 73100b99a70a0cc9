// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/trace_config.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <cstdio>

namespace tlmetry::ptt {

namespace {

constexpr unsigned direction_bit = 20;
constexpr unsigned type_bit = 24;
constexpr unsigned format_bit = 32;
constexpr std::uint32_t filter_mask = 0xfffff;
constexpr std::uint32_t reserved_filter = 7u << 16;

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace

std::uint64_t TraceConfig::word() const {
    return std::uint64_t{filter} | std::uint64_t{direction} << direction_bit |
           std::uint64_t{types} << type_bit | std::uint64_t{format == Format::eight_dwords} << format_bit;
}

void TraceConfig::validate(std::uint32_t ports, const std::vector<std::uint16_t>& requesters) const {
    if (filter > filter_mask || (filter & reserved_filter) != 0) {
        throw UserError("filter: expected a number below 0x100000 without the bits 0x70000, found " +
                        hex(filter));
    }
    const std::uint32_t target = filter & 0xffff;
    if ((filter & root_ports) != 0) {
        if ((target & ~ports) != 0) {
            throw UserError("filter: expected bits of the root ports that are there, " +
                            hex(root_ports | ports) + ", found " + hex(filter));
        }
    } else if (std::find(requesters.begin(), requesters.end(), target) == requesters.end()) {
        throw UserError(
            "filter: expected a requester that is there, or bits of root ports with 0x80000, found " +
            hex(filter));
    }
    if (types == 0 || (types & ~std::uint32_t{all_types}) != 0) {
        throw UserError(
            "type: expected 1 (posted), 2 (non-posted) and 4 (completions) or a sum of these, found " +
            std::to_string(types));
    }
    const bool eight = format == Format::eight_dwords;
    if (direction > 3 || (eight && direction == 0)) {
        throw UserError("direction: expected " + std::string(eight ? "1 to 3 with format 1" : "0 to 3") +
                        ", found " + std::to_string(direction));
    }
}

TraceConfig read_trace_config(std::uint64_t word, const std::string& place) {
    TraceConfig config;
    config.filter = static_cast<std::uint32_t>(word & filter_mask);
    config.direction = static_cast<std::uint32_t>(word >> direction_bit & 0xf);
    config.types = static_cast<std::uint32_t>(word >> type_bit & 0xff);
    const std::uint64_t format = word >> format_bit;
    if (format > 1)
        throw UserError(place + ": expected format 0 (4DW) or 1 (8DW) from bit 32 on, found " + hex(format));
    config.format = format == 1 ? Format::eight_dwords : Format::four_dwords;
    return config;
}

}  // namespace tlmetry::ptt
