// SPDX-License-Identifier: BSD-3-Clause
// How TLPs are printed: the layouts of perf to the letter, and every field in text, JSON and CSV.
#include "../tlp/random_header.hpp"
#include "trace_builder.hpp"

#include <tlmetry/tlp/text.hpp>
#include <tlmetry/trace/filter.hpp>
#include <tlmetry/trace/print.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace tlmetry;
using namespace tlmetry::test;
using nlohmann::json;
using ptt::Format;
using tlp::Header;
using tlp::Kind;

namespace {

std::string printed(const std::string& bytes, const trace::Layout& layout) {
    std::ostringstream out;
    trace::TextBuffer text(out);
    ptt::TraceReader reader = reader_of(bytes);
    ptt::TracedTlp tlp;
    layout.print_head(text);
    while (reader.next_buffer()) {
        layout.print_buffer(text, reader.buffer_bytes());
        while (reader.next(tlp))
            layout.print_tlp(text, tlp);
    }
    text.flush();
    return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

/// The words of two 8DW records, and three bytes more.
const std::string eight_dwords = bytes_of(
    "ffffffff 00000000 08200060 ff020001 23010000 a0896745 00000000 78563412"
    "ffffffff 05000091 1000ca4a 40000800 445a1c02 00000000 00000000 7a563412 010203");
const std::string four_dwords = bytes_of(
    "01846041 ff020001 23010000 a0896745"
    "ff0f9094 40000800 445a1c02 00000000");

}  // namespace

TEST_CASE("8DW as perf report -D prints it") {
    CHECK(printed(eight_dwords, trace::perf_layout) ==
          ". ... HISI PTT data: size 64 bytes\n"
          ".  00000004: 00 00 00 00                                 Prefix\n"
          ".  00000008: 60 00 20 08                                 Header DW0\n"
          ".  0000000c: 01 00 02 ff                                 Header DW1\n"
          ".  00000010: 00 00 01 23                                 Header DW2\n"
          ".  00000014: 45 67 89 a0                                 Header DW3\n"
          ".  0000001c: 12 34 56 78                                 Time\n"
          ".  00000024: 91 00 00 05                                 Prefix\n"
          ".  00000028: 4a ca 00 10                                 Header DW0\n"
          ".  0000002c: 00 08 00 40                                 Header DW1\n"
          ".  00000030: 02 1c 5a 44                                 Header DW2\n"
          ".  00000034: 00 00 00 00                                 Header DW3\n"
          ".  0000003c: 12 34 56 7a                                 Time\n");
}

TEST_CASE("8DW as older versions of perf print it") {
    CHECK(printed(eight_dwords, trace::legacy_perf_layout) ==
          ". ... HISI PTT data: size 64 bytes\n"
          ".  00000004: 00 00 00 00                                 Prefix\n"
          ".  00000008: 08 20 00 60                                 Header DW0\n"
          ".  0000000c: ff 02 00 01                                 Header DW1\n"
          ".  00000010: 23 01 00 00                                 Header DW2\n"
          ".  00000014: a0 89 67 45                                 Header DW3\n"
          ".  0000001c: 78 56 34 12                                 Time\n"
          ".  00000024: 05 00 00 91                                 Prefix\n"
          ".  00000028: 10 00 ca 4a                                 Header DW0\n"
          ".  0000002c: 40 00 08 00                                 Header DW1\n"
          ".  00000030: 44 5a 1c 02                                 Header DW2\n"
          ".  00000034: 00 00 00 00                                 Header DW3\n"
          ".  0000003c: 7a 56 34 12                                 Time\n");
}

TEST_CASE("4DW as perf report -D prints it, and in the old byte order") {
    CHECK(printed(four_dwords, trace::perf_layout) ==
          ". ... HISI PTT data: size 32 bytes\n"
          ".  00000000: 41 60 84 01                                 "
          "Format 1 Type 0 T9 1 T8 0 TH 1 SO 1 Length 10 Time 401\n"
          ".  00000004: 01 00 02 ff                                 Header DW1\n"
          ".  00000008: 00 00 01 23                                 Header DW2\n"
          ".  0000000c: 45 67 89 a0                                 Header DW3\n"
          ".  00000010: 94 90 0f ff                                 "
          "Format 2 Type a T9 0 T8 1 TH 0 SO 0 Length 201 Time 7ff\n"
          ".  00000014: 00 08 00 40                                 Header DW1\n"
          ".  00000018: 02 1c 5a 44                                 Header DW2\n"
          ".  0000001c: 00 00 00 00                                 Header DW3\n");
    CHECK(printed(four_dwords, trace::legacy_perf_layout) ==
          ". ... HISI PTT data: size 32 bytes\n"
          ".  00000000: 01 84 60 41                                 "
          "Format 1 Type 0 T9 1 T8 0 TH 1 SO 1 Length 10 Time 401\n"
          ".  00000004: ff 02 00 01                                 Header DW1\n"
          ".  00000008: 23 01 00 00                                 Header DW2\n"
          ".  0000000c: a0 89 67 45                                 Header DW3\n"
          ".  00000010: ff 0f 90 94                                 "
          "Format 2 Type a T9 0 T8 1 TH 0 SO 0 Length 201 Time 7ff\n"
          ".  00000014: 40 00 08 00                                 Header DW1\n"
          ".  00000018: 44 5a 1c 02                                 Header DW2\n"
          ".  0000001c: 00 00 00 00                                 Header DW3\n");
}

TEST_CASE("a damaged record is not printed, and the others stay where they are") {
    std::string bytes = eight_dwords;
    bytes[1] = 0;
    ptt::TraceReader reader = reader_of(bytes, false, Format::eight_dwords);
    std::ostringstream out;
    trace::TextBuffer text(out);
    ptt::TracedTlp tlp;
    REQUIRE(reader.next_buffer());
    while (reader.next(tlp))
        trace::perf_layout.print_tlp(text, tlp);
    text.flush();
    CHECK_THAT(out.str(), Catch::StartsWith(".  00000024: 91 00 00 05 "));
}

TEST_CASE("an empty trace has no buffer, and one without a whole record an empty one") {
    CHECK(printed("", trace::perf_layout).empty());
    CHECK(printed("abc", trace::perf_layout) == ". ... HISI PTT data: size 0 bytes\n");
    CHECK(printed("", trace::json_layout).empty());
    CHECK(lines_of(printed("", trace::csv_layout)).size() == 1);
}

TEST_CASE("one line a TLP, to be read") {
    Header read;
    read.kind = Kind::memory_read;
    read.four_dwords = true;
    read.length_dwords = 16;
    read.requester = 0x0100;
    read.tag = 0x15;
    read.first_be = read.last_be = 0xf;
    read.address = 0x2'0000'1000;
    read.no_snoop = read.relaxed_ordering = true;
    read.traffic_class = 3;
    Header answer;
    answer.kind = Kind::completion_data;
    answer.length_dwords = 16;
    answer.requester = 0x0100;
    answer.tag = 0x15;
    answer.byte_count = 64;
    answer.id_ordering = true;
    Header interrupt;
    interrupt.kind = Kind::message;
    interrupt.routing = 4;
    interrupt.requester = 0x0100;
    interrupt.message_code = 0x20;
    Header config;
    config.kind = Kind::config_read_0;
    config.length_dwords = 1;
    config.first_be = 0xf;
    config.completer = 0x0100;
    config.address = 0x10;
    const Format format = Format::eight_dwords;
    CHECK(printed(record_of(format, read, 1000) + record_of(format, answer, 1600) +
                      record_of(format, interrupt, 1700) + record_of(format, config, 1800),
                  trace::text_layout) ==
          "       ticks  kind      from     tag    address             dwords  BE f/l attributes\n"
          "        1000  MRd       01:00.0  0x015  0x0000000200001000  16      f/f    TC3 RO NS\n"
          "        1600  CplD      01:00.0  0x015  ..00                16             SC by 00:00.0 left 64 "
          "IDO\n"
          "        1700  Msg       01:00.0  0x000  Assert_INTA                        routing 4 "
          "0x0000000000000000\n"
          "        1800  CfgRd0    00:00.0  0x000  01:00.0 0x010       1       f/0\n");
}

TEST_CASE("JSON has every field of every kind") {
    std::mt19937_64 random(5);
    for (const Format format : {Format::eight_dwords, Format::four_dwords}) {
        std::string bytes;
        std::vector<Header> headers;
        for (int i = 0; i < 4000; ++i) {
            headers.push_back(random_header(static_cast<Kind>(random() % tlp::kinds), random));
            bytes += record_of(format, headers.back(), static_cast<std::uint32_t>(i));
        }
        const auto lines = lines_of(printed(bytes, trace::json_layout));
        REQUIRE(lines.size() == headers.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Header& h = headers[i];
            CAPTURE(lines[i]);
            json expected = {{"time", i},
                             {"kind", tlp::name_of(h.kind)},
                             {"type", tlp::name_of(h.category())},
                             {"requester", tlp::format_bdf(h.requester)},
                             {"tag", h.tag},
                             {"header_dwords", h.four_dwords ? 4 : 3},
                             {"length_dwords", h.length_dwords},
                             {"th", h.hints}};
            if (h.hints) expected["ph"] = h.processing_hint;
            const auto hex = [](std::uint64_t value, int digits) {
                std::ostringstream text;
                text << "0x" << std::hex;
                text.fill('0');
                text.width(digits);
                text << value;
                return text.str();
            };
            if (is_completion(h.kind)) {
                expected["completer"] = tlp::format_bdf(h.completer);
                expected["status"] = tlp::status_name(h.status);
                expected["bcm"] = h.byte_count_modified;
                expected["byte_count"] = h.byte_count;
                expected["lower_address"] = h.lower_address;
            } else if (is_message(h.kind)) {
                expected["message_code"] = h.message_code;
                expected["routing"] = h.routing;
                expected["message_words"] = hex(h.address, 16);
            } else {
                if (is_config(h.kind)) expected["completer"] = tlp::format_bdf(h.completer);
                expected["address"] = hex(h.address, h.four_dwords ? 16 : 8);
                expected["first_be"] = h.first_be;
                expected["last_be"] = h.last_be;
            }
            if (format == Format::four_dwords) {
                expected["so"] = false;
            } else {
                expected["tc"] = h.traffic_class;
                expected["ro"] = h.relaxed_ordering;
                expected["ns"] = h.no_snoop;
                expected["ido"] = h.id_ordering;
                expected["td"] = h.digest;
                expected["ep"] = h.poisoned;
                expected["at"] = h.address_type;
            }
            REQUIRE(json::parse(lines[i]) == expected);
        }
    }
    CHECK(json::parse(lines_of(printed(eight_dwords, trace::json_layout))[1])["prefix"] == "0x91000005");
    CHECK(json::parse(lines_of(printed(four_dwords, trace::json_layout))[0])["so"] == true);
}

TEST_CASE("CSV says the same as JSON") {
    std::mt19937_64 random(6);
    for (const Format format : {Format::eight_dwords, Format::four_dwords}) {
        std::string bytes;
        for (int i = 0; i < 2000; ++i) {
            const Header h = random_header(static_cast<Kind>(random() % tlp::kinds), random);
            bytes += record_of(format, h, static_cast<std::uint32_t>(i));
        }
        const auto lines = lines_of(printed(bytes, trace::csv_layout));
        const auto objects = lines_of(printed(bytes, trace::json_layout));
        REQUIRE(lines.size() == objects.size() + 1);
        const auto names = cells_of(lines[0]);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            CAPTURE(lines[i + 1], objects[i]);
            const auto cells = cells_of(lines[i + 1]);
            REQUIRE(cells.size() == names.size());
            const json object = json::parse(objects[i]);
            std::size_t keys = 0;
            for (std::size_t c = 0; c < cells.size(); ++c) {
                // Words of messages stand in the column of the address.
                const bool words = names[c] == "address" && object.contains("message_words");
                const std::string key = words ? "message_words" : names[c];
                if (!object.contains(key)) {
                    const bool nothing = cells[c].empty() || (key == "ph" && cells[c] == "0");
                    REQUIRE(nothing);
                    continue;
                }
                ++keys;
                const json& value = object[key];
                REQUIRE(cells[c] == (value.is_string()    ? value.get<std::string>()
                                     : value.is_boolean() ? std::to_string(value.get<bool>())
                                                          : value.dump()));
            }
            REQUIRE(keys == object.size());
        }
    }
}

TEST_CASE("a time of any size fits its line") {
    ptt::TracedTlp tlp;
    tlp.header.length_dwords = 1;
    tlp.time = ~std::uint64_t{0};
    std::ostringstream out;
    trace::TextBuffer text(out);
    trace::text_layout.print_tlp(text, tlp);
    tlp.time = 999'999'999'999;
    trace::text_layout.print_tlp(text, tlp);
    text.flush();
    CHECK_THAT(out.str(),
               Catch::StartsWith("18446744073709551615  MRd") && Catch::Contains("\n999999999999  MRd "));
}

TEST_CASE("filters") {
    trace::Filter filter;
    ptt::TracedTlp tlp;
    tlp.header.requester = 0x0100;
    tlp.time = 100;
    CHECK(filter.accepts(tlp));
    filter.from = 100;
    filter.to = 101;
    CHECK(filter.accepts(tlp));
    tlp.time = 101;
    CHECK_FALSE(filter.accepts(tlp));
    tlp.time = 99;
    CHECK_FALSE(filter.accepts(tlp));
    tlp.time = 100;
    filter.requesters = {0x0101, 0x0100};
    CHECK(filter.accepts(tlp));
    tlp.header.requester = 0x0102;
    CHECK_FALSE(filter.accepts(tlp));
    filter.requesters = {};
    for (unsigned category = 0; category < tlp::categories; ++category) {
        filter.categories = {};
        filter.categories[category] = true;
        for (unsigned k = 0; k < tlp::kinds; ++k) {
            tlp.header.kind = static_cast<Kind>(k);
            CHECK(filter.accepts(tlp) == (static_cast<unsigned>(tlp.header.category()) == category));
        }
    }
}
