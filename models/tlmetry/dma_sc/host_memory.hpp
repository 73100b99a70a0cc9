// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace tlmetry::dma_sc {

/// The bytes of a host: 2^64 addresses, all zero until they are written. Takes memory for pages that have
/// been written only.
class HostMemory {
public:
    /// `address` + `length` must not exceed 2^64.
    void read(std::uint64_t address, std::uint8_t* data, std::size_t length) const;
    void write(std::uint64_t address, const std::uint8_t* data, std::size_t length);

    /// Pages of 4 KiB that have been written.
    std::size_t pages() const { return m_pages.size(); }

private:
    static constexpr std::size_t page_bytes = 4096;
    using Page = std::array<std::uint8_t, page_bytes>;

    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> m_pages;  // by address / page_bytes
};

}  // namespace tlmetry::dma_sc
