// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/card_access.hpp>
#include <tlmetry/device/device_tree.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

namespace tlmetry::device {

/// The offset in the component of `bytes` bytes at an address of the bus. Throws AccessError where it is not
/// alone there.
inline std::uint32_t component_offset(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t offset = address - telemetry_base;
    if (address < telemetry_base || offset > regs::component_bytes ||
        bytes > regs::component_bytes - offset) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "MI access to %" PRIu64 " bytes at 0x%" PRIx64
                      " of the bus: expected bytes within the component, 0x%" PRIx32 " to 0x%" PRIx32,
                      bytes, address, telemetry_base, telemetry_base + regs::component_bytes - 1);
        throw AccessError(text);
    }
    return static_cast<std::uint32_t>(offset);
}

}  // namespace tlmetry::device
