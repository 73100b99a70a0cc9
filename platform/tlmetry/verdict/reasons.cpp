// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/reasons.hpp"

#include <array>

namespace tlmetry::verdict {
namespace {

struct KnownReason {
    const char* name;
    std::string_view meaning;
};

// In the order of PCIE_PTC_BRAKE.
constexpr std::array<KnownReason, 6> known_reasons = {{
    {"no free PCIe tag", "reads wait: all tags are under way"},
    {"PCIe tag not ready", "reads wait: a tag is free but not shown yet by its FIFO"},
    {"no room for completions", "requests wait: no room for answers in the storage FIFO"},
    {"no completion header entry", "reads wait: no room for answers in the PCIe core"},
    {"MFB stalled towards DMA", "completions wait: DOWN does not take their data"},
    {"MVB stalled towards DMA", "completions wait: DOWN does not take their headers"},
}};

}  // namespace

ReasonText reason_text(std::size_t number) {
    if (number < known_reasons.size()) return {known_reasons[number].name, known_reasons[number].meaning};
    return {"reason " + std::to_string(number), "known to the firmware only"};
}

}  // namespace tlmetry::verdict
