// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::card {

/// Bus [15:8], device [7:3] and function [2:0].
constexpr std::uint16_t make_bdf(std::uint32_t bus, std::uint32_t device, std::uint32_t function) {
    return static_cast<std::uint16_t>(bus << 8 | device << 3 | function);
}

/// How the endpoints of a card hang on the root complex. Each has a root port of its own, or all are behind a
/// switch at the first one. A core has eight root ports, and a tune and trace unit for them.
struct Topology {
    std::uint32_t endpoints = 1;
    bool through_switch = false;

    static constexpr std::uint32_t ports_of_core = 8;
    static constexpr std::uint32_t first_device = 0x10;  ///< on bus 0

    std::uint32_t ports() const { return through_switch ? 1 : endpoints; }
    std::uint32_t cores() const { return (ports() + ports_of_core - 1) / ports_of_core; }
    /// Number of the root port that an endpoint is behind.
    std::uint32_t port_of(std::uint32_t endpoint) const { return through_switch ? 0 : endpoint; }
    std::uint32_t core_of(std::uint32_t endpoint) const { return port_of(endpoint) / ports_of_core; }
    /// The ports of a core are one device each; those of the next core are their next functions.
    std::uint16_t root_port(std::uint32_t port) const {
        return make_bdf(0, first_device + port % ports_of_core, port / ports_of_core);
    }
    /// Behind each root port is a bus. A switch there has its upstream port on it, on the next bus its
    /// downstream ports, and then a bus for each of these.
    std::uint16_t endpoint(std::uint32_t endpoint) const {
        return make_bdf((through_switch ? 3 : 1) + endpoint, 0, 0);
    }
};

}  // namespace tlmetry::card
