// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/topology.hpp>
#include <tlmetry/endpoint/link_tlp.hpp>

#include <cstdint>
#include <random>

namespace tlmetry::test {

/// Any TLP that can be on a link, `at` that time.
template <class Random>
endpoint::LinkTlp any_tlp(Random& random, const card::Topology& topology, time_fs at) {
    using Kind = endpoint::LinkTlp::Kind;
    const auto number = [&](std::uint64_t most) {
        return std::uniform_int_distribution<std::uint64_t>(0, most)(random);
    };
    endpoint::LinkTlp tlp;
    tlp.at = at;
    tlp.kind = static_cast<Kind>(number(2));
    tlp.inbound = number(1) == 1;
    // Requests that come in are those of the card, what goes out those of the processor; completions answer
    // the other side.
    tlp.native = tlp.inbound == (tlp.kind == Kind::completion);
    tlp.endpoint = static_cast<std::uint16_t>(number(topology.endpoints - 1));
    tlp.address = number(1) == 0 ? number(0xffff'ffff) : number(~std::uint64_t{0});
    tlp.length = static_cast<std::uint32_t>(1 + number(number(3) == 0 ? 3 : 4095));
    // No request goes beyond 4 KiB.
    tlp.address &= ~std::uint64_t{0xfff};
    tlp.address += number(4096 - tlp.length);
    tlp.byte_count =
        tlp.kind == Kind::completion ? static_cast<std::uint32_t>(tlp.length + number(4096 - tlp.length)) : 0;
    tlp.tag = tlp.kind == Kind::write ? std::uint16_t{0} : static_cast<std::uint16_t>(number(1023));
    tlp.flags = tlp.kind == Kind::completion ? std::uint8_t{0} : static_cast<std::uint8_t>(number(3));
    return tlp;
}

}  // namespace tlmetry::test
