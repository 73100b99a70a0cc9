// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::endpoint {

/// Whose clock sees a reset. The PTC is lost in each case: either side resets both sides of the crossings.
enum class ResetDomain : std::uint8_t { both, pcie, dma };

}  // namespace tlmetry::endpoint
