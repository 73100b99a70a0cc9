// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tlmetry::driver {

class MiBus;

/// Values of registers by byte offset.
using RegisterValues = std::map<std::uint32_t, std::uint32_t>;

/// Reads MAGIC, VERSION and every configuration register, in that order. Throws UserError as soon as MAGIC or
/// the major version is not the one of this driver.
RegisterValues read_configuration(MiBus& bus);

/// What one probe counts; sizes as the hardware has them, not cut to the width of a register field.
struct ProbeLayout {
    std::uint32_t buses = 0;
    std::uint32_t regions = 0;
    std::uint32_t reasons = 0;     ///< BRAKE signals that are reasons to stop
    std::uint32_t histograms = 0;  ///< the other BRAKE signals are their bands
    std::uint32_t channels = 0;

    std::uint32_t bus_channel(std::uint32_t bus) const { return 1 + bus * (6 + regions); }
    std::uint32_t brake_channel() const { return bus_channel(buses); }
};

/// The regions one bus really has.
struct BusShape {
    std::uint32_t regions = 0;
    std::uint32_t region_bytes = 0;
};

/// Where the counters are and what they mean, taken from the configuration registers alone.
struct Layout {
    std::uint32_t endpoints = 0;
    std::uint32_t dma_ports = 0;  ///< per endpoint
    std::uint32_t counters = 0;   ///< in the window
    std::uint32_t counter_width = 0;
    std::uint32_t counter_base = 0;  ///< byte offset of the window
    std::uint32_t item_bytes = 0;
    std::uint32_t drain_period = 0;  ///< cycles; 0 stands for the 65536 that the register cannot hold
    std::uint32_t bands = 0;         ///< per histogram
    std::uint32_t tag_capacity = 0;
    std::uint32_t stfifo_capacity = 0;
    ProbeLayout pcie;
    ProbeLayout dma;
    BusShape rq, rc, up, down;

    /// Nothing yet: for a layout that comes from elsewhere than registers.
    Layout() = default;

    /// Throws UserError naming the register, what it says and what was expected where the registers
    /// contradict each other or the limits of the component; every size is safe to use afterwards. `device`
    /// begins the message.
    Layout(const RegisterValues& registers, const std::string& device);

    std::uint32_t counters_per_endpoint() const { return pcie.channels + dma.channels; }
};

}  // namespace tlmetry::driver
