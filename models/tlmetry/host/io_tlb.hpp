// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstdint>
#include <vector>

namespace tlmetry::host {

/// The translations of pages that an IOMMU holds: any page in any entry, and the least recently used one
/// makes room. Constant time whatever the number of entries.
class IoTlb {
public:
    struct Translation {
        std::uint64_t page = 0;
        time_fs valid_from = 0;  ///< the end of the walk that found it; for the user of a new one to set
        std::uint32_t newer = 0;
        std::uint32_t older = 0;
        std::uint32_t next = 0;  // in the chain of its bucket
    };

    /// `entries` of 0: there is no translation, and use() must not be called.
    IoTlb(std::uint32_t entries, std::uint32_t page_bytes);

    /// Uses the translation of the page with `address`, which is the most recent one then. `hit` tells
    /// whether it was there.
    Translation& use(std::uint64_t address, bool& hit);

    std::uint32_t entries() const { return m_entries; }
    std::uint32_t page_bytes() const { return std::uint32_t{1} << m_page_log2; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint32_t& bucket(std::uint64_t page) {
        return m_buckets[page * 0x9E37'79B9'7F4A'7C15 >> m_bucket_shift];
    }
    void unlink(std::uint32_t place);
    void make_newest(std::uint32_t place);
    void remove_from_bucket(std::uint32_t place);

    std::uint32_t m_entries;
    std::uint32_t m_page_log2 = 0;
    std::uint32_t m_bucket_shift = 63;
    std::vector<Translation> m_translations;  // as many as were ever used
    std::vector<std::uint32_t> m_buckets;
    std::uint32_t m_newest = none;
    std::uint32_t m_oldest = none;
};

}  // namespace tlmetry::host
