// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>

namespace tlmetry::mi {

/// An access that a device has served.
struct MiAccess {
    cycle_t edge = 0;  ///< that sampled it
    bool write = false;
    std::uint32_t address = 0;
    std::uint32_t data = 0;  ///< written, or the answer
    std::uint8_t enables = 0;
};

/// A device on the MI bus, as the bus sees it. Addresses are bytes from the start of the device, multiples of
/// 4; lane 0 of a word is bits 7:0 and the lowest address.
///
/// An access belongs to one rising edge of the MI clock: the edge at which RD or WR is sampled. The state
/// before that edge answers. The edges of read() and write() together strictly grow, at most one access a
/// cycle.
class MiDevice {
public:
    virtual ~MiDevice() = default;

    /// Word at `address` for a read sampled at `edge`.
    virtual std::uint32_t read(cycle_t edge, std::uint32_t address) = 0;

    /// Write of `data` sampled at `edge`. Bit i of `enables` is BE(i); at least one is set. Bytes of lanes
    /// that are not enabled are zero.
    virtual void write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t enables) = 0;

    /// Word at `address` at the time `now`, for a debugger: nothing in the device may change. `now` is the
    /// time of the kernel, which software that runs ahead may have left behind: then the state after its last
    /// access.
    virtual std::uint32_t peek(time_fs now, std::uint32_t address) = 0;
};

}  // namespace tlmetry::mi
