// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint_pins/side_pins.hpp>
#include <tlmetry/telemetry_sc/pin_adapter.hpp>

#include <cstdint>
#include <systemc>
#include <vector>

namespace tlmetry::pins {

/// A signal for each pin of one side of an endpoint.
class SideSignals {
public:
    /// Binds the pins of the PCIe or the DMA side to the ports of `adapter`.
    SideSignals(telemetry::PinAdapter& adapter, std::uint32_t endpoint, bool pcie);

    /// Drives what the last take() of `pins` has changed.
    void drive(const endpoint_pins::SidePins& pins);

private:
    // In the order of SidePins::pins(): vectors, then single bits.
    sc_core::sc_vector<sc_core::sc_signal<std::uint64_t>> m_vectors;
    sc_core::sc_vector<sc_core::sc_signal<bool>> m_bits;
};

}  // namespace tlmetry::pins
