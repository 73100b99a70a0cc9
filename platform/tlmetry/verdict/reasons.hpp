// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tlmetry::verdict {

/// Reasons by their BRAKE signals.
enum Reason : std::size_t { no_tag, tag_not_ready, no_room, no_header, mfb_held, mvb_held };

/// The name of a reason in the telemetry tool's report, and what it means.
struct ReasonText {
    std::string name;
    std::string_view meaning;
};
ReasonText reason_text(std::size_t number);

}  // namespace tlmetry::verdict
