// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/pcie/link_settings.hpp>

#include <cstdint>

namespace tlmetry::pcie {

/// Bytes of a TLP on the link, framing included: 8 of framing, sequence number and LCRC, 12 or 16 of header,
/// 4 of digest with ECRC, and the payload.
class TlpSizes {
public:
    explicit TlpSizes(const LinkSettings& settings)
        : m_completion(framing_bytes + header_3dw_bytes + (settings.ecrc ? digest_bytes : 0)),
          m_request(m_completion + (settings.address_bits == 64 ? header_4dw_bytes - header_3dw_bytes : 0)),
          m_padding_mask(settings.dword_padding ? 3 : 0) {}

    /// Overhead of a memory write or read, which is the whole of a read: 20 with 32-bit addresses, 24 with
    /// 64-bit ones, 4 more with ECRC.
    std::uint32_t request_overhead() const { return m_request; }

    /// Overhead of a completion with data, and the whole of one without: 20, 4 more with ECRC.
    std::uint32_t completion_overhead() const { return m_completion; }

    /// Memory write of `bytes`.
    std::uint32_t write(std::uint64_t address, std::uint32_t bytes) const {
        return m_request + payload(address, bytes);
    }

    /// Memory read request.
    std::uint32_t read() const { return m_request; }

    /// Completion with `bytes` of data that begin at `address`; the low two bits of it are enough.
    std::uint32_t completion(std::uint64_t address, std::uint32_t bytes) const {
        return m_completion + payload(address, bytes);
    }

    /// Completion without data.
    std::uint32_t completion() const { return m_completion; }

    /// Bytes of payload on the link: every dword that a byte from `address` on touches, or `bytes` itself
    /// without dword padding.
    std::uint32_t payload(std::uint64_t address, std::uint32_t bytes) const {
        const std::uint32_t before = static_cast<std::uint32_t>(address) & m_padding_mask;
        return (before + bytes + m_padding_mask) & ~m_padding_mask;
    }

private:
    static constexpr std::uint32_t framing_bytes = 8;
    static constexpr std::uint32_t header_3dw_bytes = 12;
    static constexpr std::uint32_t header_4dw_bytes = 16;
    static constexpr std::uint32_t digest_bytes = 4;

    std::uint32_t m_completion;
    std::uint32_t m_request;
    std::uint32_t m_padding_mask;
};

}  // namespace tlmetry::pcie
