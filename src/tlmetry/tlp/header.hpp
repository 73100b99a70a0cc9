// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tlmetry::tlp {

/// What a TLP is, by Fmt and Type of its header (PCI Express Base Specification, table 2-3); headers of three
/// and of four dwords are the same kind.
enum class Kind : std::uint8_t {
    memory_read,
    memory_read_locked,
    memory_write,
    io_read,
    io_write,
    config_read_0,
    config_write_0,
    config_read_1,
    config_write_1,
    deferrable_memory_write,
    fetch_add,
    swap,
    compare_and_swap,
    message,
    message_data,
    completion,
    completion_data,
    completion_locked,
    completion_locked_data,
};
inline constexpr unsigned kinds = 19;

/// Kinds by flow control, with its order in masks.
enum class Category : std::uint8_t { posted, non_posted, completion };
inline constexpr unsigned categories = 3;

/// Completion Status field.
enum CompletionStatus : std::uint8_t {
    successful = 0,
    unsupported_request = 1,
    request_retry = 2,
    completer_abort = 4,
};

/// What a kind's header and payload consist of.
struct Traits {
    Category category;
    std::uint8_t fmt_type;  ///< with a header of three dwords if there is one, routing 0
    bool has_data;
    bool has_length;   ///< Length is not reserved
    bool any_address;  ///< headers of three or four dwords: memory and AtomicOps
};
const Traits& traits_of(Kind kind);

constexpr bool is_completion(Kind kind) {
    return kind >= Kind::completion;
}
constexpr bool is_message(Kind kind) {
    return kind == Kind::message || kind == Kind::message_data;
}
constexpr bool is_memory_read(Kind kind) {
    return kind == Kind::memory_read || kind == Kind::memory_read_locked;
}
constexpr bool is_config(Kind kind) {
    return kind >= Kind::config_read_0 && kind <= Kind::config_write_1;
}

/// Dwords DW0 to DW3 of a header; byte 0 of the specification's figures is the most significant one of DW0.
/// DW3 of a header of three dwords is 0.
using Words = std::array<std::uint32_t, 4>;

/// A TLP header by its fields. Those that a kind does not have stay 0.
struct Header {
    Kind kind = Kind::memory_read;
    bool four_dwords = false;         ///< else three; Traits::any_address leaves a choice
    std::uint8_t traffic_class = 0;   ///< TC
    bool relaxed_ordering = false;    ///< Attr[1]
    bool no_snoop = false;            ///< Attr[0]
    bool id_ordering = false;         ///< Attr[2], IDO
    bool hints = false;               ///< TH
    bool digest = false;              ///< TD
    bool poisoned = false;            ///< EP
    std::uint8_t address_type = 0;    ///< AT
    std::uint16_t length_dwords = 0;  ///< 1 to 1024; 0 where Length is reserved

    std::uint16_t requester = 0;  ///< bus [15:8], device [7:3], function [2:0]
    std::uint16_t tag = 0;        ///< 10 bits, T9 and T8 on top

    // Requests other than messages.
    std::uint8_t first_be = 0;
    std::uint8_t last_be = 0;
    std::uint64_t address =
        0;  ///< in bytes, a multiple of 4; of Cfg the register; of Msg DW2 and DW3 as they are
    std::uint8_t processing_hint = 0;  ///< PH, with `hints` only

    // Completions. A Cfg request has its target in `completer`.
    std::uint16_t completer = 0;
    std::uint8_t status = 0;           ///< CompletionStatus
    bool byte_count_modified = false;  ///< BCM
    std::uint16_t byte_count = 0;      ///< 1 to 4096
    std::uint8_t lower_address = 0;

    // Messages.
    std::uint8_t routing = 0;  ///< low 3 bits of Type
    std::uint8_t message_code = 0;

    Category category() const { return traits_of(kind).category; }
    std::uint32_t length_bytes() const { return 4U * length_dwords; }
    std::uint32_t payload_bytes() const { return traits_of(kind).has_data ? length_bytes() : 0; }
};

bool operator==(const Header& a, const Header& b);
inline bool operator!=(const Header& a, const Header& b) {
    return !(a == b);
}

/// The header's dwords, reserved fields 0. Values wider than their fields lose their upper bits.
Words encode(const Header& header);

/// Nothing when Fmt and Type are none of a Kind. Reserved fields are ignored.
std::optional<Header> decode(const Words& words);

}  // namespace tlmetry::tlp
