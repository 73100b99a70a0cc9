// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::ptt {

/// How often a driver reads a register that ought to change at once before it gives up.
constexpr int patience = 1000;

/// Registers of a tune and trace unit, by their offsets in BAR 2.
class UnitBus {
public:
    virtual ~UnitBus() = default;
    virtual std::uint32_t read32(std::uint32_t offset) = 0;
    virtual void write32(std::uint32_t offset, std::uint32_t value) = 0;
};

}  // namespace tlmetry::ptt
