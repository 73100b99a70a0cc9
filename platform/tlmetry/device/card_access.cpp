// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/device/card_access.hpp"

#include <tlmetry/regs/telemetry_registers.hpp>

#include <cinttypes>
#include <cstdio>

namespace tlmetry::device {

std::string SoftwareAccess::text() const {
    char text[80];
    std::snprintf(text, sizeof text, "MI %s of %" PRIu32 " bytes at 0x%" PRIx32, write ? "write" : "read",
                  bytes, address);
    return text;
}

AccessError outside_component(const SoftwareAccess& access) {
    char text[80];
    std::snprintf(text, sizeof text, ": expected bytes within the component, 0 to 0x%" PRIx32,
                  regs::component_bytes - 1);
    return AccessError(access.text() + text);
}

}  // namespace tlmetry::device
