// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/driver/clock.hpp>
#include <tlmetry/driver/mi_bus.hpp>
#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/tool/device.hpp>
#include <tlmetry/tool/options.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace tlmetry::tool {

/// Told what a report was made from: the configuration registers and the snapshots.
using OnRecording = std::function<void(const driver::RegisterValues&, const driver::Recording&)>;

/// The telemetry tool on a given bus; `device`, `index` and `help` of the options have no meaning here.
/// Writes the reports to `out` and one sentence about a failure to `err`, which begins with the name of the
/// `program` that runs it. Calls `on_recording`, if there is one, before each report. Returns the exit code,
/// 0, 2 or 3.
int run_tool(const std::string& program, const ToolOptions& options, driver::MiBus& bus, driver::Clock& clock,
             std::ostream& out, std::ostream& err, const OnRecording& on_recording = {});

/// The program `nfb-pcie-telemetry`: options, device, run_tool(). `terminal`: the output is shown on one.
/// Returns the exit code: 0 done, 2 a mistake in the options, or a device or an output that cannot be used, 3
/// an error of the program itself.
int tool_main(int argc, const char* const* argv, const std::vector<DeviceOpener>& openers, std::ostream& out,
              std::ostream& err, bool terminal = false);

}  // namespace tlmetry::tool
