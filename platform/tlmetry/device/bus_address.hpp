// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::device {

/// The offset in the component of `bytes` bytes at an address of the bus. Throws AccessError where it is not
/// alone there.
inline std::uint32_t component_offset(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t offset = address - telemetry_base;
    if (address < telemetry_base || offset > regs::component_bytes ||
        bytes > regs::component_bytes - offset) {
        throw AccessError("MI access to " + std::to_string(bytes) + " bytes at address " +
                          std::to_string(address) + ": expected a component, found none (there is one of " +
                          std::to_string(regs::component_bytes) + " bytes at " +
                          std::to_string(telemetry_base) + ")");
    }
    return static_cast<std::uint32_t>(offset);
}

}  // namespace tlmetry::device
