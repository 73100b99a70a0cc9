// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/tlp/header.hpp>

#include <random>

namespace tlmetry::test {

/// A header of this kind with random values in all the fields that it has.
inline tlp::Header random_header(tlp::Kind kind, std::mt19937_64& random) {
    const auto bits = [&](unsigned count) { return static_cast<std::uint32_t>(random() >> (64 - count)); };
    const tlp::Traits& traits = tlp::traits_of(kind);
    tlp::Header h;
    h.kind = kind;
    h.four_dwords = is_message(kind) || (traits.any_address && bits(1) != 0);
    h.traffic_class = static_cast<std::uint8_t>(bits(3));
    h.relaxed_ordering = bits(1) != 0;
    h.no_snoop = bits(1) != 0;
    h.id_ordering = bits(1) != 0;
    h.hints = bits(1) != 0;
    h.digest = bits(1) != 0;
    h.poisoned = bits(1) != 0;
    h.address_type = static_cast<std::uint8_t>(bits(2));
    if (traits.has_length) h.length_dwords = static_cast<std::uint16_t>(1 + bits(10));
    h.requester = static_cast<std::uint16_t>(bits(16));
    h.tag = static_cast<std::uint16_t>(bits(10));
    if (is_completion(kind)) {
        h.completer = static_cast<std::uint16_t>(bits(16));
        h.status = static_cast<std::uint8_t>(bits(3));
        h.byte_count_modified = bits(1) != 0;
        h.byte_count = static_cast<std::uint16_t>(1 + bits(12));
        h.lower_address = static_cast<std::uint8_t>(bits(7));
        return h;
    }
    if (is_message(kind)) {
        h.routing = static_cast<std::uint8_t>(bits(3) % 6);
        h.message_code = static_cast<std::uint8_t>(bits(8));
        h.address = random();
        return h;
    }
    h.first_be = static_cast<std::uint8_t>(bits(4));
    h.last_be = static_cast<std::uint8_t>(bits(4));
    if (is_config(kind)) {
        h.completer = static_cast<std::uint16_t>(bits(16));
        h.address = bits(10) << 2;
        return h;
    }
    h.address = (h.four_dwords ? random() : bits(32)) & ~std::uint64_t{3};
    if (traits.any_address && h.hints) h.processing_hint = static_cast<std::uint8_t>(bits(2));
    return h;
}

}  // namespace tlmetry::test
