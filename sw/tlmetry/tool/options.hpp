// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tlmetry::tool {

/// The devices that the program knows.
inline constexpr std::string_view device_kinds =
    "FILE.json (saved registers), FILE.ini[,OPTION...] (a configuration, simulated inside), grpc:HOST:PORT "
    "or "
    "grpc:unix:PATH";

/// Options of the telemetry tool (documentation of PCIE_TELEMETRY_MI, Usage).
struct ToolOptions {
    std::string device;     ///< empty: the first one
    unsigned index = 0;     ///< of the component in the device
    double interval = 1.0;  ///< seconds; 0 shows the totals since the last clear
    bool watch = false;     ///< measure and print until interrupted
    bool clear = false;     ///< zero the counters and end
    bool json = false;
    bool in_place = false;  ///< a terminal: each report takes the place of the one before
    bool help = false;
    bool version = false;

    /// Throws UserError for options that exclude each other.
    void validate() const;
};

/// Reads the command line. Throws UserError naming the option, what was expected and what was found.
ToolOptions parse_options(int argc, const char* const* argv);

/// The text of --help.
std::string usage();

}  // namespace tlmetry::tool
