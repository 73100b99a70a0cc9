// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/random.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/mi/device.hpp>

#include <cstdint>

namespace tlmetry::device {

/// Faults of the bus and of what answers on it, for the error paths of a driver. As it stands: none.
struct Faults {
    time_fs delay_fs = 0;              ///< each answer to the software comes so much later
    bool stuck_busy = false;           ///< STATUS.busy is always set
    bool bad_magic = false;            ///< MAGIC reads inverted, as on a card with other firmware
    bool wrong_version = false;        ///< VERSION reads with the next major number
    std::uint32_t bit_errors_ppm = 0;  ///< words read with one bit flipped, of a million
    std::uint32_t all_ones_ppm = 0;    ///< words read as all ones, as from a card that is gone

    /// Some answer is changed; a delay alone changes none.
    bool change_answers() const {
        return stuck_busy || bad_magic || wrong_version || bit_errors_ppm != 0 || all_ones_ppm != 0;
    }
};

/// A telemetry component behind such a bus: what is read may differ, what is written arrives.
class FaultyDevice : public mi::MiDevice {
public:
    /// `device` must outlive this object.
    FaultyDevice(mi::MiDevice& device, const Faults& faults, std::uint64_t seed)
        : m_device(device), m_faults(faults), m_random(seed, "faults of the bus") {}

    std::uint32_t read(cycle_t edge, std::uint32_t address) override;
    void write(cycle_t edge, std::uint32_t address, std::uint32_t data, std::uint8_t enables) override {
        m_device.write(edge, address, data, enables);
    }
    /// A debugger sees the component as it is.
    std::uint32_t peek(time_fs now, std::uint32_t address) override { return m_device.peek(now, address); }

private:
    mi::MiDevice& m_device;
    Faults m_faults;
    Random m_random;
};

}  // namespace tlmetry::device
