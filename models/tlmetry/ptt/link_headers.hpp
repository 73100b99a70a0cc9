// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/choose.hpp>
#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>
#include <tlmetry/tlp/fields.hpp>
#include <tlmetry/tlp/header.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tlmetry::ptt {

/// Field of the byte enables of a request by its bytes: from an offset in the first dword on, up to `end`,
/// counted from that dword; by offset + 4 * (end mod 4) + 16 * (end > 4).
constexpr std::array<std::uint8_t, 32> make_byte_enables() {
    std::array<std::uint8_t, 32> table{};
    for (std::uint32_t offset = 0; offset < 4; ++offset) {
        for (std::uint32_t end = offset + 1; end <= 8; ++end) {
            std::uint32_t first = 0;
            std::uint32_t last = 0;
            for (std::uint32_t byte = offset; byte < end; ++byte)
                (byte < 4 ? first : last) |= 1U << byte % 4;
            table[offset + 4 * (end & 3) + 16 * (end > 4)] =
                static_cast<std::uint8_t>(tlp::field::byte_enables(first, last));
        }
    }
    return table;
}
inline constexpr std::array<std::uint8_t, 32> byte_enables = make_byte_enables();

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
            // Without a branch: what comes next is as good as random.
            const bool completion = tlp.kind == endpoint::LinkTlp::Kind::completion;
            const bool wide = !completion && high != 0;
            words[0] |= field::upper_tag(tlp.tag) | field::length((end + 3) / 4) |
                        field::attributes(tlp.flags) | only_if(wide, field::four_dwords);
            const std::uint32_t tag = field::lower_tag(tlp.tag);
            words[1] |= choose(completion, field::byte_count(tlp.byte_count),
                               tag | byte_enables[offset + 4 * (end & 3) + 16 * (end > 4)]);
            words[2] |= choose(completion, tag | field::lower_address(low), choose(wide, high, low & ~3U));
            words[3] = only_if(wide, low & ~3U);
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
