// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::pcie {

/// What DLLPs and SKP ordered sets cost.
enum class DllpMode {
    spec,      ///< as the specification: Ack and UpdateFC DLLPs against the data they answer, SKP both ways
    analytic,  ///< as the well-known analytic model: a fixed share of the data direction itself
    off,       ///< nothing
};

/// Everything about a link that decides how many bytes cross it in which time.
///
/// Generations 6 and 7 are approximate: flits are modelled as an encoding of 242 of 256 bytes (TLP and DLP
/// bytes; CRC and FEC off), with the TLP overheads and DLLP rules of generation 5, though in flit mode a TLP
/// has neither framing nor a sequence number of its own and DLLPs have a place in every flit.
struct LinkSettings {
    std::uint32_t generation = 5;     ///< 1..7: 2.5, 5, 8, 16, 32, 64, 128 GT/s per lane
    std::uint32_t lanes = 16;         ///< 1, 2, 4, 8, 12, 16 or 32
    std::uint32_t mps_bytes = 256;    ///< Max_Payload_Size, 128..4096
    std::uint32_t mrrs_bytes = 512;   ///< Max_Read_Request_Size, 128..4096
    std::uint32_t rcb_bytes = 64;     ///< Read Completion Boundary, 64 or 128
    std::uint32_t address_bits = 64;  ///< 64: requests carry a header of four dwords, 32: of three
    bool ecrc = false;                ///< a digest of 4 bytes in every TLP
    bool encoding = true;             ///< false: a link that carries data at its full signalling rate
    bool dword_padding = true;        ///< payloads are whole dwords on the link, as the byte enables demand
    DllpMode dllp = DllpMode::spec;

    /// Throws UserError naming the parameter, its value and the rule it breaks.
    void validate() const;
};

}  // namespace tlmetry::pcie
