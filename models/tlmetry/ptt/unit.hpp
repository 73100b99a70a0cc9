// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/trace_unit.hpp>
#include <tlmetry/ptt/tune_unit.hpp>

#include <cstdint>

namespace tlmetry::ptt {

/// The tune and trace unit of one core of a root complex: BAR 2 of its PCI function.
struct Unit {
    TraceUnit trace;
    TuneUnit tune;

    /// Registers that are not there read as 0; writes to them change nothing.
    std::uint32_t read(std::uint32_t offset) const {
        if (const auto value = trace.read(offset)) return *value;
        return tune.read(offset).value_or(0);
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        trace.write(offset, value);
        tune.write(offset, value);
    }
};

}  // namespace tlmetry::ptt
