// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tlmetry::verdict {

/// What can hold a transfer, in the order of the table; where shares are equal, the first one is named first.
enum class CauseId : std::size_t {
    link_down,
    lost_completions,
    malformed,
    trained_down,
    link_up_full,
    link_down_full,
    retries,
    link_waits,
    link_held,
    slow_sink,
    down_full,
    output_full,
    rc_full,
    rq_full,
    up_full,
    host_latency,
    tags,
    tag_ports,
    completion_headers,
    storage,
    small_completions,
    headers,
    source,
};
inline constexpr std::size_t cause_count = static_cast<std::size_t>(CauseId::source) + 1;

struct Cause {
    CauseId number;
    std::string_view id;  ///< as in docs/explain.md
    std::string_view name;
    std::string_view owner;      ///< whose matter it is
    std::string_view remedy;     ///< a sentence
    std::string_view parameter;  ///< of a simulation (`tlmetry help NAME`) that is the remedy there
    bool error = false;          ///< something is wrong whatever its share is
};

const std::array<Cause, cause_count>& causes();
const Cause& cause(CauseId id);

}  // namespace tlmetry::verdict
