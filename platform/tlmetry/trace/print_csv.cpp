// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/print.hpp"

#include <tlmetry/tlp/text.hpp>

namespace tlmetry::trace {

namespace {

using tlp::Header;

void print_head(TextBuffer& out) {
    out.begin_line();
    out.add(
        "time,kind,type,requester,tag,header_dwords,length_dwords,address,first_be,last_be,completer,status,"
        "bcm,"
        "byte_count,lower_address,message_code,routing,th,ph,so,tc,ro,ns,ido,td,ep,at,prefix\n");
}

void print_no_buffer(TextBuffer&, std::uint64_t) {}

void add_number(TextBuffer& out, std::uint64_t value) {
    out.add(',');
    out.add_decimal(value);
}

void add_name(TextBuffer& out, std::string_view name) {
    out.add(',');
    out.add(name);
}

void add_hex(TextBuffer& out, std::uint64_t value, unsigned digits) {
    out.add(",0x");
    out.add_hex(value, digits);
}

void add_bdf(TextBuffer& out, std::uint16_t id) {
    out.add(',');
    out.add_bdf(id);
}

/// From the address to the routing, empty where the kind has none.
void add_fields_of_kind(TextBuffer& out, const Header& h) {
    if (is_completion(h.kind)) {
        out.add(",,,");
        add_bdf(out, h.completer);
        add_name(out, tlp::status_name(h.status));
        add_number(out, h.byte_count_modified);
        add_number(out, h.byte_count);
        add_number(out, h.lower_address);
        out.add(",,");
    } else if (is_message(h.kind)) {
        add_hex(out, h.address, 16);
        out.add(",,,,,,,");
        add_number(out, h.message_code);
        add_number(out, h.routing);
    } else {
        add_hex(out, h.address, h.four_dwords ? 16 : 8);
        add_number(out, h.first_be);
        add_number(out, h.last_be);
        if (is_config(h.kind))
            add_bdf(out, h.completer);
        else
            out.add(',');
        out.add(",,,,,,");
    }
}

void print_tlp(TextBuffer& out, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    out.begin_line();
    out.add_decimal(tlp.time);
    add_name(out, tlp::name_of(h.kind));
    add_name(out, tlp::name_of(h.category()));
    add_bdf(out, h.requester);
    add_number(out, h.tag);
    add_number(out, h.four_dwords ? 4 : 3);
    add_number(out, h.length_dwords);
    add_fields_of_kind(out, h);
    add_number(out, h.hints);
    add_number(out, h.processing_hint);
    if (tlp.format == ptt::Format::four_dwords) {
        add_number(out, tlp.record.so);
        out.add(",,,,,,,,\n");
        return;
    }
    out.add(',');
    add_number(out, h.traffic_class);
    add_number(out, h.relaxed_ordering);
    add_number(out, h.no_snoop);
    add_number(out, h.id_ordering);
    add_number(out, h.digest);
    add_number(out, h.poisoned);
    add_number(out, h.address_type);
    if (tlp.record.prefix != 0)
        add_hex(out, tlp.record.prefix, 8);
    else
        out.add(',');
    out.add('\n');
}

}  // namespace

const Layout csv_layout = {print_head, print_no_buffer, print_tlp};

}  // namespace tlmetry::trace
