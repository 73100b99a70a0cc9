// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/link_header.hpp"

#include <algorithm>

namespace tlmetry::ptt {

using endpoint::LinkTlp;

namespace {

/// Bytes of the first and of the last dword that a request enables.
std::uint8_t first_enables(std::uint64_t address, std::uint32_t length) {
    const auto offset = static_cast<std::uint32_t>(address & 3);
    const std::uint32_t in_first = std::min(length, 4 - offset);
    return static_cast<std::uint8_t>(((1u << in_first) - 1) << offset);
}

std::uint8_t last_enables(std::uint64_t address, std::uint32_t length) {
    const auto offset = static_cast<std::uint32_t>(address & 3);
    if (offset + length <= 4) return 0;
    const std::uint32_t behind = (offset + length) & 3;
    return static_cast<std::uint8_t>(behind == 0 ? 0xf : (1u << behind) - 1);
}

}  // namespace

tlp::Header header_of(const LinkTlp& tlp, const card::Topology& topology) {
    tlp::Header header;
    const std::uint16_t endpoint = topology.endpoint(tlp.endpoint);
    const std::uint16_t root_port = topology.root_port(topology.port_of(tlp.endpoint));
    const auto offset = static_cast<std::uint32_t>(tlp.address & 3);
    header.length_dwords = static_cast<std::uint16_t>((offset + tlp.length + 3) / 4);
    header.no_snoop = (tlp.flags & 1) != 0;
    header.relaxed_ordering = (tlp.flags & 2) != 0;
    header.requester = tlp.native ? root_port : endpoint;
    header.tag = tlp.tag;
    if (tlp.kind == LinkTlp::Kind::completion) {
        header.kind = tlp::Kind::completion_data;
        header.completer = tlp.native ? endpoint : root_port;
        header.byte_count = static_cast<std::uint16_t>(tlp.byte_count);
        header.lower_address = static_cast<std::uint8_t>(tlp.address & 0x7f);
        return header;
    }
    header.kind = tlp.kind == LinkTlp::Kind::read ? tlp::Kind::memory_read : tlp::Kind::memory_write;
    header.four_dwords = tlp.address >> 32 != 0;
    header.address = tlp.address & ~std::uint64_t{3};
    header.first_be = first_enables(tlp.address, tlp.length);
    header.last_be = last_enables(tlp.address, tlp.length);
    return header;
}

}  // namespace tlmetry::ptt
