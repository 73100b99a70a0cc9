// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tlmetry::pcie {

/// Where a completer cuts the answer to a read.
enum class CompletionCut {
    combined,    ///< the fewest parts allowed: up to the MPS each, all but the last ending at an RCB boundary
    rcb_blocks,  ///< the most parts allowed: one for each RCB block, with an RCB of 64 for each cache line
    mps_blocks,  ///< at every multiple of the MPS
    mps_chunks,  ///< analytic model: pieces of MPS bytes, wherever they begin
    rcb_chunks,  ///< analytic model: pieces of RCB bytes, wherever they begin
};

/// One completion with data.
struct CompletionPart {
    std::uint32_t bytes = 0;          ///< of payload
    std::uint32_t byte_count = 0;     ///< left to complete, this part included (Byte Count of its header)
    std::uint32_t lower_address = 0;  ///< bits 6..0 of the address of its first byte
    bool last = false;
};

/// Cuts the answers to reads into completions.
class CompletionSplitter {
public:
    /// What of a read is still to be answered.
    struct Rest {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
    };

    /// MPS and RCB in bytes, powers of two, the RCB not above the MPS.
    CompletionSplitter(std::uint32_t mps_bytes, std::uint32_t rcb_bytes, CompletionCut cut)
        : m_step(cut == CompletionCut::rcb_blocks || cut == CompletionCut::rcb_chunks ? rcb_bytes
                                                                                      : mps_bytes),
          m_last(cut == CompletionCut::combined ? mps_bytes : 0) {
        if (cut == CompletionCut::combined || cut == CompletionCut::rcb_blocks)
            m_boundary_mask = rcb_bytes - 1;
        if (cut == CompletionCut::mps_blocks) m_boundary_mask = mps_bytes - 1;
        while (std::uint32_t{1} << m_step_log2 < m_step)
            ++m_step_log2;
    }

    /// Takes the next part off a read that has bytes left.
    CompletionPart next(Rest& rest) const {
        const std::uint32_t bytes = first_bytes(rest.address, rest.bytes);
        const CompletionPart part{bytes, rest.bytes, static_cast<std::uint32_t>(rest.address & 0x7F),
                                  bytes == rest.bytes};
        rest.address += bytes;
        rest.bytes -= bytes;
        return part;
    }

    /// Number of parts of a read of `bytes` (1 or more).
    std::uint32_t count(std::uint64_t address, std::uint32_t bytes) const {
        const std::uint32_t after_first = bytes - first_bytes(address, bytes);
        return 1 + ((after_first + m_step - 1) >> m_step_log2);
    }

private:
    std::uint32_t first_bytes(std::uint64_t address, std::uint32_t bytes) const {
        // A part that begins within a dword carries the whole of it, which counts against the MPS.
        const std::uint32_t within_dword = static_cast<std::uint32_t>(address) & 3;
        if (within_dword + bytes <= m_last) return bytes;
        const std::uint32_t to_cut =
            m_step - ((static_cast<std::uint32_t>(address) + m_step) & m_boundary_mask);
        return bytes < to_cut ? bytes : to_cut;
    }

    std::uint32_t m_step;               // longest part
    std::uint32_t m_last;               // up to so many bytes are not cut at a boundary any more
    std::uint32_t m_boundary_mask = 0;  // parts end at multiples of mask + 1
    std::uint32_t m_step_log2 = 0;
};

}  // namespace tlmetry::pcie
