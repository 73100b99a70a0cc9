// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/print.hpp"

#include <tlmetry/tlp/text.hpp>

namespace tlmetry::trace {

namespace {

using tlp::Header;

void print_no_head(TextBuffer&) {}
void print_no_buffer(TextBuffer&, std::uint64_t) {}

/// `key` begins with the comma and ends with the colon.
void add_number(TextBuffer& out, std::string_view key, std::uint64_t value) {
    out.add(key);
    out.add_decimal(value);
}

void add_flag(TextBuffer& out, std::string_view key, bool value) {
    out.add(key);
    out.add(value ? std::string_view("true") : std::string_view("false"));
}

void add_hex(TextBuffer& out, std::string_view key, std::uint64_t value, unsigned digits) {
    out.add(key);
    out.add("\"0x");
    out.add_hex(value, digits);
    out.add('"');
}

void add_name(TextBuffer& out, std::string_view key, std::string_view name) {
    out.add(key);
    out.add('"');
    out.add(name);
    out.add('"');
}

void add_bdf(TextBuffer& out, std::string_view key, std::uint16_t id) {
    out.add(key);
    out.add('"');
    out.add_bdf(id);
    out.add('"');
}

void add_fields_of_kind(TextBuffer& out, const Header& h) {
    if (is_completion(h.kind)) {
        add_bdf(out, R"(,"completer":)", h.completer);
        add_name(out, R"(,"status":)", tlp::status_name(h.status));
        add_flag(out, R"(,"bcm":)", h.byte_count_modified);
        add_number(out, R"(,"byte_count":)", h.byte_count);
        add_number(out, R"(,"lower_address":)", h.lower_address);
    } else if (is_message(h.kind)) {
        add_number(out, R"(,"message_code":)", h.message_code);
        add_number(out, R"(,"routing":)", h.routing);
        add_hex(out, R"(,"message_words":)", h.address, 16);
    } else {
        if (is_config(h.kind)) add_bdf(out, R"(,"completer":)", h.completer);
        add_hex(out, R"(,"address":)", h.address, h.four_dwords ? 16 : 8);
        add_number(out, R"(,"first_be":)", h.first_be);
        add_number(out, R"(,"last_be":)", h.last_be);
    }
}

void print_tlp(TextBuffer& out, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    out.begin_line();
    add_number(out, R"({"time":)", tlp.time);
    add_name(out, R"(,"kind":)", tlp::name_of(h.kind));
    add_name(out, R"(,"type":)", tlp::name_of(h.category()));
    add_bdf(out, R"(,"requester":)", h.requester);
    add_number(out, R"(,"tag":)", h.tag);
    add_number(out, R"(,"header_dwords":)", h.four_dwords ? 4 : 3);
    add_number(out, R"(,"length_dwords":)", h.length_dwords);
    add_fields_of_kind(out, h);
    add_flag(out, R"(,"th":)", h.hints);
    if (h.hints) add_number(out, R"(,"ph":)", h.processing_hint);
    if (tlp.format == ptt::Format::four_dwords) {
        add_flag(out, R"(,"so":)", tlp.record.so);
    } else {
        add_number(out, R"(,"tc":)", h.traffic_class);
        add_flag(out, R"(,"ro":)", h.relaxed_ordering);
        add_flag(out, R"(,"ns":)", h.no_snoop);
        add_flag(out, R"(,"ido":)", h.id_ordering);
        add_flag(out, R"(,"td":)", h.digest);
        add_flag(out, R"(,"ep":)", h.poisoned);
        add_number(out, R"(,"at":)", h.address_type);
        if (tlp.record.prefix != 0) add_hex(out, R"(,"prefix":)", tlp.record.prefix, 8);
    }
    out.add("}\n");
}

}  // namespace

const Layout json_layout = {print_no_head, print_no_buffer, print_tlp};

}  // namespace tlmetry::trace
