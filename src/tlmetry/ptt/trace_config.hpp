// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/record.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::ptt {

/// What a trace is set to: the fields of the configuration word of `perf record -e
/// hisi_ptt.../filter=..,type=..,direction=..,format=../`.
struct TraceConfig {
    static constexpr std::uint32_t root_ports = 1u
                                                << 19;  ///< in `filter`: bits of root ports, else a requester

    enum Type : std::uint32_t { posted = 1, non_posted = 2, completions = 4, all_types = 7 };

    std::uint32_t filter = root_ports;
    std::uint32_t types = all_types;
    std::uint32_t direction = 0;
    Format format = Format::four_dwords;
    /// Everything of both directions; no field of the word, as no hardware does it.
    bool both_directions = false;

    /// filter [19:0], direction [23:20], type [31:24], format [35:32].
    std::uint64_t word() const;

    /// Throws UserError, naming the field behind `prefix` and its value, for a type or a direction that is
    /// none.
    void validate(const std::string& prefix) const;
};

/// The fields of a word. Throws UserError, beginning with `place`, for one with bits that mean nothing.
TraceConfig read_trace_config(std::uint64_t word, const std::string& place);

}  // namespace tlmetry::ptt
