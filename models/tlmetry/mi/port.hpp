// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/mi/device.hpp>
#include <tlmetry/mi/split.hpp>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tlmetry::mi {

/// The master's port of a device: turns transfers into MI accesses at clock edges, without a kernel.
///
/// A transfer presented at time t is sampled from the first MI edge at t or later on; one access a cycle, in
/// the order of the calls. The master goes on two edges after the one that sampled the last read, one after
/// the one that sampled the last write.
class MiPort {
public:
    enum class Outcome {
        served,
        address_error,      ///< a byte outside the device
        burst_error,        ///< streaming width 0
        byte_enable_error,  ///< a pattern of length 0, or values other than 0x00 and 0xFF
        no_clock,           ///< a recorded clock ends before the answer
    };
    struct Served {
        Outcome outcome;
        time_fs until;  ///< the time at which the master goes on
    };

    /// `clock` is the MI clock; it and the device must outlive the port.
    MiPort(const ClockDomain& clock, MiDevice& device, std::uint64_t size_bytes)
        : m_clock(clock), m_device(&device), m_size_bytes(size_bytes) {}

    /// Serves a transfer presented at `now`: fills `data`, or writes it. Refused ones have no effect and take
    /// no cycle. Empty ones, and those of which no byte is enabled, are served at once at any address.
    Served read(time_fs now, const Transfer& transfer, std::uint8_t* data);
    Served write(time_fs now, const Transfer& transfer, const std::uint8_t* data);

    /// Reads `bytes` from `address` on by MiDevice::peek(), which must lie inside the device.
    void peek(time_fs now, std::uint64_t address, std::uint8_t* data, std::uint32_t bytes);

    /// Accesses go to another device from now on, such as one in front of the first.
    void set_device(MiDevice& device) { m_device = &device; }

    /// Calls `watch` with each access that the device has served, behind those given before.
    void on_access(std::function<void(const MiAccess& access)> watch) {
        m_watches.push_back(std::move(watch));
    }

    std::uint64_t accesses() const { return m_accesses; }  ///< served so far
    /// Transfers presented before an edge for which an earlier call was meant; they are served after it.
    std::uint64_t late_accesses() const { return m_late; }
    std::uint64_t size_bytes() const { return m_size_bytes; }

private:
    struct Plan {
        Served result;
        cycle_t edge;  // of the first access; never when there is none
    };
    Plan plan(time_fs now, const Transfer& transfer, cycle_t edges_to_answer);

    const ClockDomain& m_clock;
    MiDevice* m_device;
    std::uint64_t m_size_bytes;
    cycle_t m_free_edge = 0;         // first edge without an access
    cycle_t m_latest_requested = 0;  // latest edge a transfer was meant for
    std::uint64_t m_accesses = 0;
    std::uint64_t m_late = 0;
    std::vector<std::function<void(const MiAccess&)>> m_watches;
};

}  // namespace tlmetry::mi
