// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>
#include <tlmetry/tlp/fields.hpp>
#include <tlmetry/tlp/header.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::ptt {

/// Headers of TLPs on links: what is the same for all of a kind is encoded once, the rest is put between.
class LinkHeaders {
public:
    explicit LinkHeaders(const card::Topology& topology);

    /// Makes headers as long as its LinkHeaders lives.
    class Maker {
    public:
        explicit Maker(const tlp::Words* same) : m_same(same) {}

        tlp::Words operator()(const endpoint::LinkTlp& tlp) const {
            namespace field = tlp::field;
            tlp::Words words = m_same[index_of(tlp)];
            const auto low = static_cast<std::uint32_t>(tlp.address);
            const auto high = static_cast<std::uint32_t>(tlp.address >> 32);
            const std::uint32_t offset = low & 3;
            const std::uint32_t end = offset + tlp.length;
            words[0] |= field::upper_tag(tlp.tag) | field::length((end + 3) / 4);
            if (tlp.kind == endpoint::LinkTlp::Kind::completion) {
                words[1] |= field::byte_count(tlp.byte_count);
                words[2] |= field::lower_tag(tlp.tag) | field::lower_address(low);
                return words;
            }
            // Bytes from the offset on in the first dword, up to the end in the last one, if that is another.
            const std::uint32_t first = (end < 4 ? (1U << end) - 1 : 0xfU) & 0xfU << offset;
            const std::uint32_t last = end <= 4 ? 0U : 0xfU >> (-end & 3);
            words[1] |= field::lower_tag(tlp.tag) | field::byte_enables(first, last);
            words[0] |= field::attributes(tlp.flags) | (high != 0 ? field::four_dwords : 0U);
            words[2] = high != 0 ? high : low & ~3U;
            words[3] = high != 0 ? low & ~3U : 0U;
            return words;
        }

    private:
        const tlp::Words* m_same;
    };
    Maker maker() const { return Maker(m_same.data()); }

private:
    static constexpr std::size_t kinds = 3;
    static std::size_t index_of(const endpoint::LinkTlp& tlp) {
        return (std::size_t{tlp.endpoint} * 2 + tlp.native) * kinds + static_cast<std::size_t>(tlp.kind);
    }

    std::vector<tlp::Words> m_same;
};

}  // namespace tlmetry::ptt
