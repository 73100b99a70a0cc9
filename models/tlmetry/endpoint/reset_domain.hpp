// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::endpoint {

/// Whose clock sees a reset. The PTC is lost in each case: either side resets both sides of the crossings.
enum class ResetDomain : std::uint8_t { both, pcie, dma };

/// Edges at `from` or later and before `until` see a reset.
struct ResetSpan {
    time_fs from = 0;
    time_fs until = 0;
    ResetDomain domain = ResetDomain::both;

    bool of_pcie() const { return domain != ResetDomain::dma; }
    bool of_dma() const { return domain != ResetDomain::pcie; }
};

}  // namespace tlmetry::endpoint
