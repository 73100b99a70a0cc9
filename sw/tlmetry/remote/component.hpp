// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::remote {

/// A component in a device tree.
struct Component {
    std::string path;
    std::uint32_t base = 0;  ///< on its bus
    std::uint32_t bytes = 0;
};

/// The telemetry component number `index` in a device tree, a blob. Throws UserError beginning with `device`
/// where there is none, and for a blob that is no device tree.
Component find_telemetry(const std::vector<std::uint8_t>& device_tree, unsigned index,
                         const std::string& device);

}  // namespace tlmetry::remote
