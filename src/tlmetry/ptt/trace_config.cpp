// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/trace_config.hpp"

#include <tlmetry/base/error.hpp>

#include <cstdio>

namespace tlmetry::ptt {

namespace {

constexpr unsigned direction_bit = 20;
constexpr unsigned type_bit = 24;
constexpr unsigned format_bit = 32;
constexpr std::uint32_t filter_mask = 0xfffff;

}  // namespace

std::uint64_t TraceConfig::word() const {
    return std::uint64_t{filter} | std::uint64_t{direction} << direction_bit |
           std::uint64_t{types} << type_bit | std::uint64_t{format == Format::eight_dwords} << format_bit;
}

void TraceConfig::validate(const std::string& prefix) const {
    if (types == 0 || (types & ~std::uint32_t{all_types}) != 0) {
        throw UserError(
            prefix +
            "type: expected 1 (posted), 2 (non-posted) and 4 (completions) or a sum of these, found " +
            std::to_string(types));
    }
    const bool eight = format == Format::eight_dwords;
    if (!both_directions && (direction > 3 || (eight && direction == 0))) {
        throw UserError(prefix + "direction: expected " +
                        std::string(eight ? "1 to 3 with format 1 (8DW)" : "0 to 3") + ", found " +
                        std::to_string(direction));
    }
}

TraceConfig read_trace_config(std::uint64_t word, const std::string& place) {
    TraceConfig config;
    config.filter = static_cast<std::uint32_t>(word & filter_mask);
    config.direction = static_cast<std::uint32_t>(word >> direction_bit & 0xf);
    config.types = static_cast<std::uint32_t>(word >> type_bit & 0xff);
    const std::uint64_t format = word >> format_bit;
    if (format > 1) {
        char found[24];
        std::snprintf(found, sizeof found, "0x%llx", static_cast<unsigned long long>(format));
        throw UserError(place + ": expected format 0 (4DW) or 1 (8DW) from bit 32 on, found " + found);
    }
    config.format = format == 1 ? Format::eight_dwords : Format::four_dwords;
    return config;
}

}  // namespace tlmetry::ptt
