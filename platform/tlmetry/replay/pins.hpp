// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

namespace tlmetry::replay {

/// One pin of PCIE_TELEMETRY_MI as a recording may hold it.
struct Pin {
    std::string name;  ///< lower case; per endpoint with the suffix _0, _1, ...
    std::uint32_t width = 1;
};

/// All pins of a configuration: MI, DMA reset and clock, and those of each endpoint.
std::vector<Pin> pins_of(const telemetry::Config& config);

/// Which name a pin has in a recording, where it is not its own.
using PinMap = std::map<std::string, std::string>;

/// Reads `pin = name in the recording` lines; `#` starts a comment. Throws UserError naming file and line.
PinMap read_pin_map(const std::string& path);

/// Handles of the pins that a recording holds. A pin that is not there reads as zero.
class PinHandles {
public:
    using Handle = wave::VcdReader::Handle;

    /// Selects the pins of `config` in the recording: under the mapped name, else under their own, else (with one
    /// endpoint) without the suffix _0. `scope` narrows the search to names below it. Throws UserError for a mapped
    /// pin that is not there and for a width that does not fit.
    PinHandles(wave::VcdReader& reader, const telemetry::Config& config, const PinMap& map, const std::string& scope);

    std::optional<Handle> find(const std::string& pin) const;
    bool empty() const { return m_handles.empty(); }
    std::vector<std::string> names() const;

private:
    std::map<std::string, Handle> m_handles;
};

}  // namespace tlmetry::replay
