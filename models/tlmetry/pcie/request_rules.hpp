// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::pcie {

/// What is wrong with a memory request; a request that breaks a rule is a malformed TLP.
enum class RequestFault {
    none,
    zero_length,  ///< the flushing read of the specification is none of the requests modelled
    above_mps,    ///< a write of more dwords than the Max_Payload_Size holds
    above_mrrs,   ///< a read of more dwords than the Max_Read_Request_Size holds
    crosses_4kib  ///< it must not touch two naturally aligned blocks of 4 KiB
};

/// The first rule that a read or write breaks. Lengths count in whole dwords, as the Length field does: 256
/// bytes from an odd address are 65 dwords and exceed an MPS of 256.
inline RequestFault check_request(bool read, std::uint64_t address, std::uint32_t bytes,
                                  std::uint32_t mps_bytes, std::uint32_t mrrs_bytes) {
    constexpr std::uint32_t block = 4096;
    if (bytes == 0) return RequestFault::zero_length;
    const std::uint32_t limit = read ? mrrs_bytes : mps_bytes;
    if ((address & 3) + bytes > limit) {
        return read ? RequestFault::above_mrrs : RequestFault::above_mps;
    }
    if ((address & (block - 1)) + bytes > block) return RequestFault::crosses_4kib;
    return RequestFault::none;
}

/// check_request() finds no fault with a request of at least one byte. Its limit is the MPS or the MRRS.
inline bool is_well_formed(std::uint64_t address, std::uint32_t bytes, std::uint32_t limit_bytes) {
    const auto place = static_cast<std::uint32_t>(address) & 4095;
    return (place & 3) + bytes <= limit_bytes && place + bytes <= 4096;
}

/// A few words for a warning, such as "longer than the MPS".
inline const char* describe(RequestFault fault) {
    switch (fault) {
        case RequestFault::none:
            return "no fault";
        case RequestFault::zero_length:
            return "of no bytes";
        case RequestFault::above_mps:
            return "longer than the MPS";
        case RequestFault::above_mrrs:
            return "longer than the MRRS";
        case RequestFault::crosses_4kib:
            return "across a 4 KiB boundary";
    }
    return "unknown";
}

}  // namespace tlmetry::pcie
