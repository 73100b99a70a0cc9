// SPDX-License-Identifier: BSD-3-Clause
// TLP headers bit for bit: dwords worked out by hand from the figures of the PCI Express Base Specification
// (section 2.2), and every field in every kind there and back.
#include "random_header.hpp"

#include <tlmetry/tlp/header.hpp>
#include <tlmetry/tlp/text.hpp>

#include <catch2/catch.hpp>

#include <set>

using namespace tlmetry::tlp;
using tlmetry::test::random_header;

namespace {

/// Both ways.
void check(const Header& header, const Words& words) {
    CAPTURE(name_of(header.kind));
    CHECK(encode(header) == words);
    const auto decoded = decode(words);
    REQUIRE(decoded);
    CHECK(*decoded == header);
}

Header request(Kind kind) {
    Header h;
    h.kind = kind;
    h.length_dwords = 1;
    h.requester = 0x021c;  // 02:03.4
    h.tag = 0x5a;
    return h;
}

}  // namespace

TEST_CASE("memory requests with 32-bit addresses") {
    Header h = request(Kind::memory_read);
    h.length_dwords = 16;
    h.first_be = 0xe;
    h.last_be = 0xf;
    h.address = 0x8000'1000;
    check(h, {0x0000'0010, 0x021c'5afe, 0x8000'1000, 0});
    h.kind = Kind::memory_write;
    check(h, {0x4000'0010, 0x021c'5afe, 0x8000'1000, 0});
    h.kind = Kind::memory_read_locked;
    check(h, {0x0100'0010, 0x021c'5afe, 0x8000'1000, 0});
    h.kind = Kind::deferrable_memory_write;
    check(h, {0x5b00'0010, 0x021c'5afe, 0x8000'1000, 0});
}

TEST_CASE("memory requests with 64-bit addresses") {
    Header h = request(Kind::memory_write);
    h.four_dwords = true;
    h.length_dwords = 8;
    h.first_be = 0xf;
    h.last_be = 0x3;
    h.address = 0x0000'0123'4567'89a0;
    check(h, {0x6000'0008, 0x021c'5a3f, 0x0000'0123, 0x4567'89a0});
    h.kind = Kind::memory_read;
    check(h, {0x2000'0008, 0x021c'5a3f, 0x0000'0123, 0x4567'89a0});
}

TEST_CASE("all that the first dword holds") {
    Header h = request(Kind::memory_read);
    h.four_dwords = true;
    h.tag = 0x35a;
    h.traffic_class = 5;
    h.id_ordering = h.hints = h.digest = h.poisoned = h.relaxed_ordering = h.no_snoop = true;
    h.address_type = 2;
    h.length_dwords = 1023;
    h.processing_hint = 3;
    h.address = 0xffff'ffff'ffff'fffc;
    check(h, {0x20dd'fbff, 0x021c'5a00, 0xffff'ffff, 0xffff'ffff});

    // Each of them alone.
    const Header plain = request(Kind::memory_write);
    const auto with = [&](auto&& change) {
        Header changed = plain;
        change(changed);
        const Words words = encode(changed);
        CHECK(decode(words) == changed);
        return words[0] ^ encode(plain)[0];
    };
    CHECK(with([](Header& x) { x.tag |= 0x200; }) == 1U << 23);
    CHECK(with([](Header& x) { x.traffic_class = 4; }) == 1U << 22);
    CHECK(with([](Header& x) { x.traffic_class = 1; }) == 1U << 20);
    CHECK(with([](Header& x) { x.tag |= 0x100; }) == 1U << 19);
    CHECK(with([](Header& x) { x.id_ordering = true; }) == 1U << 18);
    CHECK(with([](Header& x) { x.hints = true; }) == 1U << 16);
    CHECK(with([](Header& x) { x.digest = true; }) == 1U << 15);
    CHECK(with([](Header& x) { x.poisoned = true; }) == 1U << 14);
    CHECK(with([](Header& x) { x.relaxed_ordering = true; }) == 1U << 13);
    CHECK(with([](Header& x) { x.no_snoop = true; }) == 1U << 12);
    CHECK(with([](Header& x) { x.address_type = 1; }) == 1U << 10);
    CHECK(with([](Header& x) { x.length_dwords = 1024; }) == 1);  // 1024 is written as 0
    CHECK(with([](Header& x) { x.four_dwords = true; }) == 1U << 29);
}

TEST_CASE("completions") {
    Header h;
    h.kind = Kind::completion_data;
    h.length_dwords = 16;
    h.completer = 0x0008;  // 00:01.0
    h.requester = 0x021c;
    h.tag = 0x15a;
    h.byte_count = 64;
    h.lower_address = 0x44;
    check(h, {0x4a08'0010, 0x0008'0040, 0x021c'5a44, 0});
    h.byte_count = 4096;  // written as 0
    h.byte_count_modified = true;
    check(h, {0x4a08'0010, 0x0008'1000, 0x021c'5a44, 0});
    h.kind = Kind::completion_locked_data;
    check(h, {0x4b08'0010, 0x0008'1000, 0x021c'5a44, 0});

    h = {};
    h.kind = Kind::completion;
    h.completer = 0xff08;
    h.requester = 0x021c;
    h.tag = 0x07;
    h.byte_count = 4;
    h.status = unsupported_request;
    check(h, {0x0a00'0000, 0xff08'2004, 0x021c'0700, 0});
    h.status = completer_abort;
    check(h, {0x0a00'0000, 0xff08'8004, 0x021c'0700, 0});
    h.status = request_retry;
    h.kind = Kind::completion_locked;
    check(h, {0x0b00'0000, 0xff08'4004, 0x021c'0700, 0});
}

TEST_CASE("messages") {
    Header h;
    h.kind = Kind::message;
    h.four_dwords = true;
    h.requester = 0x0100;
    h.routing = 4;  // local
    h.message_code = 0x20;
    check(h, {0x3400'0000, 0x0100'0020, 0, 0});
    CHECK(message_name(h.message_code) == "Assert_INTA");

    h.kind = Kind::message_data;
    h.length_dwords = 1;
    h.message_code = 0x50;
    check(h, {0x7400'0001, 0x0100'0050, 0, 0});

    h.routing = 2;  // by ID
    h.message_code = 0x7e;
    h.tag = 3;
    h.address = 0x0300'19e5'dead'beef;
    check(h, {0x7200'0001, 0x0100'037e, 0x0300'19e5, 0xdead'beef});
}

TEST_CASE("configuration, I/O and AtomicOps") {
    Header h = request(Kind::config_write_0);
    h.first_be = 0xf;
    h.completer = 0x0100;
    h.address = 0xf10;
    check(h, {0x4400'0001, 0x021c'5a0f, 0x0100'0f10, 0});
    h.kind = Kind::config_read_1;
    check(h, {0x0500'0001, 0x021c'5a0f, 0x0100'0f10, 0});
    h.kind = Kind::config_read_0;
    check(h, {0x0400'0001, 0x021c'5a0f, 0x0100'0f10, 0});
    h.kind = Kind::config_write_1;
    check(h, {0x4500'0001, 0x021c'5a0f, 0x0100'0f10, 0});

    h = request(Kind::io_write);
    h.first_be = 3;
    h.address = 0x0000'03f8;
    check(h, {0x4200'0001, 0x021c'5a03, 0x0000'03f8, 0});
    h.kind = Kind::io_read;
    check(h, {0x0200'0001, 0x021c'5a03, 0x0000'03f8, 0});

    h = request(Kind::fetch_add);
    h.address = 0x1'0000'0040;
    h.four_dwords = true;
    check(h, {0x6c00'0001, 0x021c'5a00, 0x0000'0001, 0x0000'0040});
    h.kind = Kind::swap;
    check(h, {0x6d00'0001, 0x021c'5a00, 0x0000'0001, 0x0000'0040});
    h.kind = Kind::compare_and_swap;
    h.length_dwords = 2;
    check(h, {0x6e00'0002, 0x021c'5a00, 0x0000'0001, 0x0000'0040});
}

TEST_CASE("36 codes of Fmt and Type are TLPs, all others are refused") {
    std::set<unsigned> expected;
    for (const unsigned memory : {0x00U, 0x01U, 0x40U, 0x4cU, 0x4dU, 0x4eU, 0x5bU})
        expected.insert({memory, memory | 0x20U});
    expected.insert({0x02, 0x42, 0x04, 0x44, 0x05, 0x45, 0x0a, 0x4a, 0x0b, 0x4b});
    for (unsigned routing = 0; routing < 6; ++routing)
        expected.insert({0x30U | routing, 0x70U | routing});
    REQUIRE(expected.size() == 36);
    for (unsigned code = 0; code < 256; ++code) {
        CAPTURE(code);
        const auto header = decode({code << 24, 0, 0, 0});
        CHECK(header.has_value() == (expected.count(code) == 1));
        if (header) CHECK(encode(*header)[0] >> 24 == code);
    }
}

TEST_CASE("every field of every kind comes back") {
    std::mt19937_64 random(1);
    for (unsigned kind = 0; kind < kinds; ++kind) {
        for (int i = 0; i < 20'000; ++i) {
            const Header header = random_header(static_cast<Kind>(kind), random);
            const auto decoded = decode(encode(header));
            if (!decoded || *decoded != header) FAIL(name_of(header.kind) << " number " << i);
        }
    }
}

TEST_CASE("reserved bits are ignored, all others count") {
    std::mt19937_64 random(2);
    for (int i = 0; i < 100'000; ++i) {
        Words words{};
        for (std::uint32_t& word : words)
            word = static_cast<std::uint32_t>(random());
        const auto header = decode(words);
        if (!header) continue;
        // What comes out of it is a fixed point, and only bits that are reserved are lost.
        const Words again = encode(*header);
        REQUIRE(decode(again) == header);
        for (unsigned w = 0; w < 4; ++w)
            REQUIRE((again[w] & ~words[w]) == 0);
        REQUIRE((again[0] | 0x0002'03ff) == (words[0] | 0x0002'03ff));
        if (!is_completion(header->kind)) REQUIRE(again[1] == words[1]);
    }
}

TEST_CASE("categories of flow control") {
    for (unsigned k = 0; k < kinds; ++k) {
        const auto kind = static_cast<Kind>(k);
        CAPTURE(name_of(kind));
        const bool posted = kind == Kind::memory_write || is_message(kind);
        CHECK(traits_of(kind).category == (posted                ? Category::posted
                                           : is_completion(kind) ? Category::completion
                                                                 : Category::non_posted));
    }
}

TEST_CASE("bus, device and function as text") {
    CHECK(format_bdf(0x021c) == "02:03.4");
    CHECK(format_bdf(0xffff) == "ff:1f.7");
    CHECK(parse_bdf("02:03.4") == 0x021c);
    CHECK(parse_bdf("0000:ff:1f.7") == 0xffff);
    for (unsigned id = 0; id <= 0xffff; id += 13)
        CHECK(parse_bdf(format_bdf(static_cast<std::uint16_t>(id))) == id);
    for (const char* bad :
         {"", "02", "02:03", "02.3", "100:00.0", "00:20.0", "00:00.8", "0001:02:03.4", "02:03.4 ", " 2:3.4",
          "-1:00.0", "02:03.", ":03.4", "02:.4", "02.03:4", "0x2:03.4", "002:03.4"}) {
        CAPTURE(bad);
        CHECK_FALSE(parse_bdf(bad));
    }
}
