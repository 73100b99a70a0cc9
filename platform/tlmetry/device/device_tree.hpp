// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/device/simulated_card.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::device {

/// Places in the device tree and on the bus.
inline constexpr const char* mi_bus_path = "/firmware/mi_bus0";
inline constexpr const char* telemetry_path = "/firmware/mi_bus0/pcie_telemetry_mi";
inline constexpr std::uint32_t telemetry_base = 0x20000;  ///< of the component on the bus
inline constexpr std::uint32_t mi_bus_bytes = 0x40000;    ///< addresses of the bus

/// The device tree of a card as a blob (DTB): what software for such cards looks for and prints. `shape` is
/// the value of card.shape, which becomes the variant of the project.
std::vector<std::uint8_t> device_tree(const SimulatedCard::Config& config, const std::string& shape);

}  // namespace tlmetry::device
