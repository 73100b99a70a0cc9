// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/tlp/header.hpp"

#include <tlmetry/tlp/fields.hpp>

#include <tuple>

namespace tlmetry::tlp {

namespace {

using field::placed;

constexpr std::uint8_t fmt_4dw = 1U << 5;
constexpr std::uint8_t fmt_data = 2U << 5;
constexpr unsigned fmt_types = 256;
constexpr std::uint8_t no_kind = 0xff;

constexpr std::array<Traits, kinds> table{{
    {Category::non_posted, 0b00000, false, true, true},
    {Category::non_posted, 0b00001, false, true, true},
    {Category::posted, fmt_data | 0b00000, true, true, true},
    {Category::non_posted, 0b00010, false, true, false},
    {Category::non_posted, fmt_data | 0b00010, true, true, false},
    {Category::non_posted, 0b00100, false, true, false},
    {Category::non_posted, fmt_data | 0b00100, true, true, false},
    {Category::non_posted, 0b00101, false, true, false},
    {Category::non_posted, fmt_data | 0b00101, true, true, false},
    {Category::non_posted, fmt_data | 0b11011, true, true, true},
    {Category::non_posted, fmt_data | 0b01100, true, true, true},
    {Category::non_posted, fmt_data | 0b01101, true, true, true},
    {Category::non_posted, fmt_data | 0b01110, true, true, true},
    {Category::posted, fmt_4dw | 0b10000, false, false, false},
    {Category::posted, fmt_4dw | fmt_data | 0b10000, true, true, false},
    {Category::completion, 0b01010, false, false, false},
    {Category::completion, fmt_data | 0b01010, true, true, false},
    {Category::completion, 0b01011, false, false, false},
    {Category::completion, fmt_data | 0b01011, true, true, false},
}};

constexpr std::array<std::uint8_t, fmt_types> make_kind_by_code() {
    std::array<std::uint8_t, fmt_types> result{};
    for (std::uint8_t& kind : result)
        kind = no_kind;
    for (unsigned k = 0; k < kinds; ++k) {
        const auto value = static_cast<std::uint8_t>(k);
        const unsigned code = table[k].fmt_type;
        result[code] = value;
        if (table[k].any_address) result[code | fmt_4dw] = value;
        constexpr unsigned routings = 6;  // two more are reserved
        for (unsigned r = 1; is_message(static_cast<Kind>(k)) && r < routings; ++r)
            result[code | r] = value;
    }
    return result;
}
constexpr std::array<std::uint8_t, fmt_types> kind_by_code = make_kind_by_code();

/// `bits` bits of `word` from bit `lowest` on.
constexpr std::uint32_t bits_of(std::uint32_t word, unsigned lowest, unsigned bits) {
    return word >> lowest & ((1U << bits) - 1);
}

/// DW0 but for Fmt and Type.
std::uint32_t common(const Header& h) {
    return field::upper_tag(h.tag) | placed(h.traffic_class, 20, 3) | placed(h.id_ordering, 18, 1) |
           placed(h.hints, 16, 1) | placed(h.digest, 15, 1) | placed(h.poisoned, 14, 1) |
           field::attributes(std::uint32_t{h.relaxed_ordering} << 1 | h.no_snoop) |
           placed(h.address_type, 10, 2) | field::length(h.length_dwords);
}

}  // namespace

const Traits& traits_of(Kind kind) {
    return table[static_cast<unsigned>(kind)];
}

bool operator==(const Header& a, const Header& b) {
    const auto fields = [](const Header& h) {
        return std::tie(h.kind, h.four_dwords, h.traffic_class, h.relaxed_ordering, h.no_snoop, h.id_ordering,
                        h.hints, h.digest, h.poisoned, h.address_type, h.length_dwords, h.requester, h.tag,
                        h.first_be, h.last_be, h.address, h.processing_hint, h.completer, h.status,
                        h.byte_count_modified, h.byte_count, h.lower_address, h.routing, h.message_code);
    };
    return fields(a) == fields(b);
}

Words encode(const Header& h) {
    const Traits& traits = traits_of(h.kind);
    std::uint32_t code = traits.fmt_type;
    if (traits.any_address && h.four_dwords) code |= fmt_4dw;
    if (is_message(h.kind)) code |= placed(h.routing, 0, 3);
    Words words{code << 24 | common(h), std::uint32_t{h.requester} << 16 | field::lower_tag(h.tag), 0, 0};
    if (is_completion(h.kind)) {
        words[2] = words[1] | field::lower_address(h.lower_address);
        words[1] = std::uint32_t{h.completer} << 16 | placed(h.status, 13, 3) |
                   placed(h.byte_count_modified, 12, 1) | field::byte_count(h.byte_count);
        return words;
    }
    const auto high = static_cast<std::uint32_t>(h.address >> 32);
    const auto low = static_cast<std::uint32_t>(h.address);
    if (is_message(h.kind)) {
        words[1] |= h.message_code;
        words[2] = high;
        words[3] = low;
        return words;
    }
    words[1] |= field::byte_enables(h.first_be, h.last_be);
    if (is_config(h.kind)) {
        words[2] = std::uint32_t{h.completer} << 16 | (low & 0xffcU);
        return words;
    }
    const std::uint32_t last =
        (low & ~3U) | (traits.any_address && h.hints ? placed(h.processing_hint, 0, 2) : 0);
    if ((code & fmt_4dw) != 0) {
        words[2] = high;
        words[3] = last;
    } else {
        words[2] = last;
    }
    return words;
}

std::optional<Header> decode(const Words& words) {
    const std::uint32_t first = words[0];
    const std::uint8_t kind = kind_by_code[first >> 24];
    if (kind == no_kind) return std::nullopt;
    const Traits& traits = table[kind];
    Header h;
    h.kind = static_cast<Kind>(kind);
    h.four_dwords = (first >> 24 & fmt_4dw) != 0;
    h.traffic_class = static_cast<std::uint8_t>(bits_of(first, 20, 3));
    h.id_ordering = bits_of(first, 18, 1) != 0;
    h.hints = bits_of(first, 16, 1) != 0;
    h.digest = bits_of(first, 15, 1) != 0;
    h.poisoned = bits_of(first, 14, 1) != 0;
    h.relaxed_ordering = bits_of(first, 13, 1) != 0;
    h.no_snoop = bits_of(first, 12, 1) != 0;
    h.address_type = static_cast<std::uint8_t>(bits_of(first, 10, 2));
    // The greatest count of a field is written as 0.
    if (traits.has_length) h.length_dwords = static_cast<std::uint16_t>(bits_of(first - 1, 0, 10) + 1);

    const std::uint32_t ids = is_completion(h.kind) ? words[2] : words[1];
    h.requester = static_cast<std::uint16_t>(ids >> 16);
    h.tag = static_cast<std::uint16_t>(bits_of(first, 23, 1) << 9 | bits_of(first, 19, 1) << 8 |
                                       bits_of(ids, 8, 8));
    if (is_completion(h.kind)) {
        h.completer = static_cast<std::uint16_t>(words[1] >> 16);
        h.status = static_cast<std::uint8_t>(bits_of(words[1], 13, 3));
        h.byte_count_modified = bits_of(words[1], 12, 1) != 0;
        h.byte_count = static_cast<std::uint16_t>(bits_of(words[1] - 1, 0, 12) + 1);
        h.lower_address = static_cast<std::uint8_t>(bits_of(words[2], 0, 7));
        return h;
    }
    if (is_message(h.kind)) {
        h.routing = static_cast<std::uint8_t>(bits_of(first, 24, 3));
        h.message_code = static_cast<std::uint8_t>(bits_of(words[1], 0, 8));
        h.address = std::uint64_t{words[2]} << 32 | words[3];
        return h;
    }
    h.last_be = static_cast<std::uint8_t>(bits_of(words[1], 4, 4));
    h.first_be = static_cast<std::uint8_t>(bits_of(words[1], 0, 4));
    if (is_config(h.kind)) {
        h.completer = static_cast<std::uint16_t>(words[2] >> 16);
        h.address = words[2] & 0xffcU;
        return h;
    }
    const std::uint32_t last = h.four_dwords ? words[3] : words[2];
    h.address = (h.four_dwords ? std::uint64_t{words[2]} << 32 : 0) | (last & ~3U);
    if (traits.any_address && h.hints) h.processing_hint = static_cast<std::uint8_t>(bits_of(last, 0, 2));
    return h;
}

}  // namespace tlmetry::tlp
