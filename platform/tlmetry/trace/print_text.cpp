// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/print.hpp"

#include <tlmetry/tlp/text.hpp>

namespace tlmetry::trace {

namespace {

using tlp::Header;

// Columns of a line. The time is at the right of the first one.
constexpr unsigned time_digits = 12;
constexpr std::size_t kind_column = 14;
constexpr std::size_t requester_column = 24;
constexpr std::size_t tag_column = 33;
constexpr std::size_t address_column = 40;
constexpr std::size_t length_column = 60;
constexpr std::size_t enables_column = 68;
constexpr std::size_t attributes_column = 75;

void print_head(TextBuffer& out) {
    out.begin_line();
    out.add("       ticks");
    const auto head = [&](std::size_t column, std::string_view name) {
        out.pad_to(column);
        out.add(name);
    };
    head(kind_column, "kind");
    head(requester_column, "from");
    head(tag_column, "tag");
    head(address_column, "address");
    head(length_column, "dwords");
    head(enables_column, "BE f/l");
    head(attributes_column, "attributes\n");
}

void print_nothing(TextBuffer&, std::uint64_t) {}

/// Address or what the kind has in its place.
void print_address(TextBuffer& out, const Header& h) {
    if (is_completion(h.kind)) {
        out.add("..");
        out.add_hex(h.lower_address, 2);
    } else if (is_message(h.kind)) {
        const std::string_view name = tlp::message_name(h.message_code);
        if (name.empty()) {
            out.add("code 0x");
            out.add_hex(h.message_code, 2);
        } else {
            out.add(name);
        }
    } else if (is_config(h.kind)) {
        out.add_bdf(h.completer);
        out.add(" 0x");
        out.add_hex(h.address, 3);
    } else {
        out.add("0x");
        out.add_hex(h.address, h.four_dwords ? 16 : 8);
    }
}

/// Words with a blank in front of all but the first.
class Attributes {
public:
    explicit Attributes(TextBuffer& out) : m_out(out) {}
    void add(std::string_view word) {
        m_out.pad_to(attributes_column);
        if (!m_first) m_out.add(' ');
        m_first = false;
        m_out.add(word);
    }
    void add(std::string_view word, std::uint64_t value) {
        add(word);
        m_out.add_decimal(value);
    }

private:
    TextBuffer& m_out;
    bool m_first = true;
};

void print_attributes(TextBuffer& out, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    Attributes attributes(out);
    if (is_completion(h.kind)) {
        attributes.add(tlp::status_name(h.status));
        attributes.add("by ");
        out.add_bdf(h.completer);
        attributes.add("left ", h.byte_count);
        if (h.byte_count_modified) attributes.add("BCM");
    }
    if (is_message(h.kind)) {
        attributes.add("routing ", h.routing);
        attributes.add("0x");
        out.add_hex(h.address, 16);
    }
    if (h.traffic_class != 0) attributes.add("TC", h.traffic_class);
    if (h.relaxed_ordering) attributes.add("RO");
    if (h.no_snoop) attributes.add("NS");
    if (h.id_ordering) attributes.add("IDO");
    if (h.hints) attributes.add("TH");
    if (h.digest) attributes.add("TD");
    if (h.poisoned) attributes.add("EP");
    if (h.address_type != 0) attributes.add("AT", h.address_type);
    if (tlp.record.so) attributes.add("SO");
    if (tlp.record.prefix != 0) {
        attributes.add("prefix 0x");
        out.add_hex(tlp.record.prefix, 8);
    }
}

void print_tlp(TextBuffer& out, const ptt::TracedTlp& tlp) {
    const Header& h = tlp.header;
    out.begin_line();
    std::uint64_t bound = 10;
    unsigned digits = 1;
    for (; digits < time_digits && tlp.time >= bound; bound *= 10)
        ++digits;
    out.pad_to(time_digits - digits);
    out.add_decimal(tlp.time);
    out.add("  ");
    out.pad_to(kind_column);
    out.add(tlp::name_of(h.kind));
    out.pad_to(requester_column);
    out.add_bdf(h.requester);
    out.pad_to(tag_column);
    out.add("0x");
    out.add_hex(h.tag, 3);
    out.pad_to(address_column);
    print_address(out, h);
    if (tlp::traits_of(h.kind).has_length) {
        out.add(' ');
        out.pad_to(length_column);
        out.add_decimal(h.length_dwords);
    }
    if (!is_completion(h.kind) && !is_message(h.kind)) {
        out.pad_to(enables_column);
        out.add_hex(h.first_be, 1);
        out.add('/');
        out.add_hex(h.last_be, 1);
    }
    print_attributes(out, tlp);
    out.add('\n');
}

}  // namespace

const Layout text_layout = {print_head, print_nothing, print_tlp};

}  // namespace tlmetry::trace
