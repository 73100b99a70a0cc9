// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/layout.hpp>
#include <tlmetry/driver/telemetry.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::tool {

/// A component saved in a file (docs/json.md, Register file).
struct RegisterFile {
    static constexpr std::string_view schema = "tlmetry.registers/1";

    driver::RegisterValues registers;                   ///< at the first snapshot
    driver::RegisterValues second_registers;            ///< those that differ at the second one
    std::vector<std::vector<std::uint64_t>> snapshots;  ///< one or two, every counter of the window
    bool has_seconds = false;                           ///< whether the file says how long the interval was
    std::optional<double> seconds;                      ///< none: totals since the last clear
};

/// Reads and checks a register file. Throws UserError naming the file and the key that is missing or wrong.
RegisterFile read_register_file(const std::string& path);

/// What a session with the driver read, ready to be saved.
RegisterFile make_register_file(const driver::RegisterValues& configuration,
                                const driver::Recording& recording);

void write_register_file(std::ostream& out, const RegisterFile& file);

}  // namespace tlmetry::tool
