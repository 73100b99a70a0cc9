// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/replay/pins.hpp>
#include <tlmetry/replay/recorded_mi.hpp>
#include <tlmetry/wave/vcd_reader.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace tlmetry::replay {

/// The configuration registers by offset, as the recording's own reads returned them. Reads on until it has
/// all of them; empty when the recording holds no answers.
std::map<std::uint32_t, std::uint32_t> read_back(wave::VcdReader& reader, const PinSource& source,
                                                 Sample sample);

/// The generics that configuration registers tell, as parameters `telemetry.*`. A field that the hardware
/// cuts to zero stands for the smallest value that it cuts so.
std::vector<config::Assignment> generics_of(const std::map<std::uint32_t, std::uint32_t>& registers,
                                            const std::string& recording);

}  // namespace tlmetry::replay
