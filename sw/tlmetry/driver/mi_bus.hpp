// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::driver {

/// What the driver asks of a bus: 32-bit accesses to one telemetry component. Addresses are byte offsets from
/// the base of the component and multiples of four. An access that fails throws UserError.
class MiBus {
public:
    virtual ~MiBus() = default;

    /// How messages name the device behind the bus.
    virtual std::string name() const = 0;

    virtual std::uint32_t read32(std::uint32_t address) = 0;
    virtual void write32(std::uint32_t address, std::uint32_t value) = 0;

    /// Reads `bytes` (a multiple of four) as words in address order. A bus that can do it in one access
    /// overrides this; the default reads word by word.
    virtual std::vector<std::uint32_t> read_block(std::uint32_t address, std::size_t bytes) {
        std::vector<std::uint32_t> words(bytes / 4);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = read32(address + static_cast<std::uint32_t>(4 * i));
        return words;
    }

    /// True if the access after a write may arrive in the very next cycle. BUSY rises two cycles after the
    /// write of COMMAND, so on such a bus the driver puts one read between the command and the first look at
    /// BUSY. A bus on which a read takes microseconds, or a recording, says false and sees the accesses
    /// without it.
    virtual bool posted_writes() const { return true; }
};

}  // namespace tlmetry::driver
