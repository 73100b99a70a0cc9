// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/telemetry/config.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::replay {

/// One pin of PCIE_TELEMETRY_MI as a recording may hold it.
struct Pin {
    std::string base;                       ///< lower case, without the number of its endpoint
    std::uint32_t width = 1;                ///< bits
    std::optional<std::uint32_t> endpoint;  ///< none for MI and the clock and reset of DMA

    /// `dma_clk`, `pcie_clk_0`.
    std::string name() const { return endpoint ? base + "_" + std::to_string(*endpoint) : base; }
};

/// The pins of the MI bus with its clock and reset.
std::vector<Pin> mi_pins();

/// All pins of a configuration.
std::vector<Pin> pins_of(const telemetry::Config& config);

/// The name of a pin in a recording, and the line of the map file that says so.
struct MappedName {
    std::string name;
    std::string place;  ///< begins messages: `map.txt:3: `
};

/// Which name a pin has in a recording, by its own, where it is not its own.
using PinMap = std::map<std::string, MappedName>;

/// Reads `pin = name in the recording` lines; `#` starts a comment. Throws UserError naming file and line.
PinMap read_pin_map(const std::string& path);

/// Where to look for the pins in a recording.
struct PinSource {
    PinMap map;         ///< goes before everything else
    std::string scope;  ///< names that are not mapped stand below it; empty: anywhere
};

/// The number of endpoints whose pins a recording holds: from the suffixes of pcie_clk and pcie_mfb_src_rdy,
/// or from the width of a vector pcie_clk. 0 when there are none.
std::uint32_t count_endpoints(const wave::Header& header, const PinSource& source);

/// Handles of those of some pins that a recording holds.
class PinHandles {
public:
    using Handle = wave::VcdReader::Handle;

    /// Selects the pins in the recording: under the mapped name; under their own, `pcie_clk_0`; with a single
    /// endpoint as `pcie_clk`; as the element `pcie_clk[0]`. Throws UserError for a mapped pin that is not
    /// there and for a width that does not fit.
    PinHandles(wave::VcdReader& reader, const std::vector<Pin>& pins, const PinSource& source);

    /// Nothing when the recording does not hold the pin.
    std::optional<Handle> find(const std::string& name) const;
    /// Handles are numbers below it.
    std::size_t size() const { return m_handles.size(); }
    /// The pins that the recording does not hold, in the order in which they were asked for.
    const std::vector<std::string>& missing() const { return m_missing; }

private:
    std::map<std::string, Handle> m_handles;
    std::vector<std::string> m_missing;
};

}  // namespace tlmetry::replay
