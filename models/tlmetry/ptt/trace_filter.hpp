// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>
#include <tlmetry/ptt/record.hpp>

#include <cstdint>

namespace tlmetry::ptt {

using endpoint::LinkTlp;

/// What TRACE_CTRL selects of the TLPs at the root ports of one core.
class TraceFilter {
public:
    TraceFilter() = default;
    TraceFilter(std::uint32_t ctrl, const card::Topology& topology, std::uint32_t core);

    Format format() const { return m_format; }
    bool takes(const LinkTlp& tlp) const {
        return (m_endpoints >> tlp.endpoint & m_sorts >> sort_of(tlp) & 1) != 0;
    }

private:
    static constexpr unsigned kinds = 3;
    static constexpr unsigned inbound_sort = 4;
    static constexpr unsigned native_sort = 8;
    static unsigned sort_of(const LinkTlp& tlp) {
        return static_cast<unsigned>(tlp.kind) + tlp.inbound * inbound_sort + tlp.native * native_sort;
    }

    Format m_format = Format::four_dwords;
    std::uint64_t m_sorts = 0;      // bits by sort_of()
    std::uint64_t m_endpoints = 0;  // bits
};

}  // namespace tlmetry::ptt
