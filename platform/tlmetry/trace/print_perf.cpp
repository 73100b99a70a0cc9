// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/print.hpp"

#include <tlmetry/base/bytes.hpp>

namespace tlmetry::trace {

namespace {

enum class ByteOrder { most_significant_first, as_in_memory };

constexpr std::size_t word_bytes = 4;
constexpr std::string_view gap = "                                ";  // of 30 and 2 blanks

void print_nothing(TextBuffer&) {}

void print_buffer(TextBuffer& out, std::uint64_t buffer_bytes) {
    out.begin_line();
    out.add(". ... HISI PTT data: size ");
    out.add_decimal(buffer_bytes);
    out.add(" bytes\n");
}

/// What stands in front of a dword's meaning.
template <ByteOrder order>
void print_word(TextBuffer& out, const ptt::TracedTlp& tlp, unsigned word) {
    out.add(".  ");
    out.add_hex(tlp.offset + word_bytes * word, 8);
    out.add(": ");
    for (std::size_t i = 0; i < word_bytes; ++i) {
        const std::size_t byte = order == ByteOrder::as_in_memory ? i : word_bytes - 1 - i;
        out.add_hex(tlp.bytes[word_bytes * word + byte], 2);
        out.add(' ');
    }
    out.add(gap);
}

void print_4dw_fields(TextBuffer& out, std::uint32_t word) {
    const auto field = [&](std::string_view name, unsigned lowest, unsigned bits) {
        out.add(name);
        out.add_hex(word >> lowest & ((1U << bits) - 1), 1);
    };
    field("Format ", 30, 2);
    field(" Type ", 25, 5);
    field(" T9 ", 24, 1);
    field(" T8 ", 23, 1);
    field(" TH ", 22, 1);
    field(" SO ", 21, 1);
    field(" Length ", 11, 10);
    field(" Time ", 0, 11);
}

template <ByteOrder order>
void print_tlp(TextBuffer& out, const ptt::TracedTlp& tlp) {
    out.begin_line();
    const auto print = [&](unsigned word, std::string_view name) {
        print_word<order>(out, tlp, word);
        out.add(name);
        out.add('\n');
    };
    if (tlp.format == ptt::Format::eight_dwords) {
        print(1, "Prefix");
        print(2, "Header DW0");
        print(3, "Header DW1");
        print(4, "Header DW2");
        print(5, "Header DW3");
        print(7, "Time");
        return;
    }
    print_word<order>(out, tlp, 0);
    print_4dw_fields(out, word_of(tlp.bytes));
    out.add('\n');
    print(1, "Header DW1");
    print(2, "Header DW2");
    print(3, "Header DW3");
}

}  // namespace

const Layout perf_layout = {print_nothing, print_buffer, print_tlp<ByteOrder::most_significant_first>};
const Layout legacy_perf_layout = {print_nothing, print_buffer, print_tlp<ByteOrder::as_in_memory>};

}  // namespace tlmetry::trace
