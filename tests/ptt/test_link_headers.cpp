// SPDX-License-Identifier: BSD-3-Clause
// The headers of TLPs on links, bit for bit.
#include "sent.hpp"

#include <tlmetry/ptt/link_headers.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using endpoint::LinkTlp;
using Kind = LinkTlp::Kind;

namespace {

tlp::Words words_of(const LinkTlp& tlp, const card::Topology& topology = {}) {
    return ptt::LinkHeaders(topology).maker()(tlp);
}

LinkTlp request(Kind kind, std::uint64_t address, std::uint32_t length, std::uint16_t tag = 0) {
    LinkTlp tlp;
    tlp.kind = kind;
    tlp.inbound = true;
    tlp.address = address;
    tlp.length = length;
    tlp.tag = tlp.kind == Kind::read ? tag : std::uint16_t{0};
    return tlp;
}

}  // namespace

TEST_CASE("memory requests as figures 2-17 and 2-18 of the specification have them") {
    // MRd with 64 bits: Fmt 001, Type 0; requester 01:00.0; last and first byte enables.
    CHECK(words_of(request(Kind::read, 0x1'2345'6780, 256, 0x12)) ==
          tlp::Words{0x2000'0040, 0x0100'12ff, 0x0000'0001, 0x2345'6780});
    // MWr with 32 bits: Fmt 010.
    CHECK(words_of(request(Kind::write, 0x8000'0000, 64)) ==
          tlp::Words{0x4000'0010, 0x0100'00ff, 0x8000'0000, 0});
    // MWr with 64 bits, MRd with 32.
    CHECK(words_of(request(Kind::write, 0xffff'ffff'0000'0000, 4)) ==
          tlp::Words{0x6000'0001, 0x0100'000f, 0xffff'ffff, 0});
    CHECK(words_of(request(Kind::read, 0x1000, 4096, 0xff)) ==
          tlp::Words{0x0000'0000, 0x0100'ffff, 0x1000, 0});
    // 10-bit tags have T9 and T8 in bits 23 and 19 of DW0.
    CHECK(words_of(request(Kind::read, 0x1000, 4, 0x2a5)) == tlp::Words{0x0080'0001, 0x0100'a50f, 0x1000, 0});
    CHECK(words_of(request(Kind::read, 0x1000, 4, 0x1a5)) == tlp::Words{0x0008'0001, 0x0100'a50f, 0x1000, 0});
    // Relaxed ordering is bit 13, no snoop bit 12.
    LinkTlp relaxed = request(Kind::write, 0x1000, 4);
    relaxed.flags = 2;
    CHECK(words_of(relaxed)[0] == 0x4000'2001);
    relaxed.flags = 1;
    CHECK(words_of(relaxed)[0] == 0x4000'1001);
}

TEST_CASE("byte enables of every offset and length") {
    for (std::uint32_t offset = 0; offset < 4; ++offset) {
        for (std::uint32_t length = 1; length <= 40; ++length) {
            CAPTURE(offset, length);
            const tlp::Words words = words_of(request(Kind::write, 0x1000 + offset, length));
            // Each byte of the dwords is enabled or not.
            std::uint32_t first = 0;
            std::uint32_t last = 0;
            const std::uint32_t dwords = (offset + length + 3) / 4;
            for (std::uint32_t byte = offset; byte < offset + length; ++byte) {
                if (byte / 4 == 0) first |= 1u << byte % 4;
                if (byte / 4 == dwords - 1 && dwords > 1) last |= 1u << byte % 4;
            }
            CHECK((words[0] & 0x3ff) == dwords);
            CHECK((words[1] & 0xf) == first);
            CHECK((words[1] >> 4 & 0xf) == last);
            CHECK(words[2] == 0x1000);
        }
    }
}

TEST_CASE("completions have their completer, byte count and lower address") {
    LinkTlp tlp;
    tlp.kind = Kind::completion;
    tlp.address = 0x1'0000'0044;
    tlp.length = 60;
    tlp.byte_count = 572;
    tlp.tag = 0x3f;
    CHECK(words_of(tlp) == tlp::Words{0x4a00'000f, 0x0080'023c, 0x0100'3f44, 0});
    tlp.byte_count = 4096;  // is written as 0
    CHECK(words_of(tlp)[1] == 0x0080'0000);
    // The answer of the card to the processor.
    tlp.native = tlp.inbound = true;
    tlp.byte_count = 60;
    CHECK(words_of(tlp) == tlp::Words{0x4a00'000f, 0x0100'003c, 0x0080'3f44, 0});
}

TEST_CASE("requesters by where endpoints hang") {
    LinkTlp tlp = request(Kind::write, 0x1000, 4);
    tlp.endpoint = 9;
    CHECK(words_of(tlp, {16, false})[1] >> 16 == 0x0a00);  // bus 10
    CHECK(words_of(tlp, {16, true})[1] >> 16 == 0x0c00);   // behind the switch
    tlp.inbound = false;
    tlp.native = true;
    CHECK(words_of(tlp, {16, false})[1] >> 16 == card::make_bdf(0, 0x11, 1));  // port 9 is 00:11.1
    CHECK(words_of(tlp, {16, true})[1] >> 16 == card::make_bdf(0, 0x10, 0));
}

TEST_CASE("headers are those of the codec, field by field") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; ++i) {
        const card::Topology topology{16, i % 2 == 1};
        const LinkTlp sent = test::any_tlp(random, topology, 0);
        const auto header = tlp::decode(words_of(sent, topology));
        REQUIRE(header);
        CAPTURE(i, sent.address, sent.length, static_cast<int>(sent.kind));
        const bool completion = sent.kind == Kind::completion;
        CHECK(header->kind == (completion                ? tlp::Kind::completion_data
                               : sent.kind == Kind::read ? tlp::Kind::memory_read
                                                         : tlp::Kind::memory_write));
        CHECK(header->tag == sent.tag);
        CHECK(header->length_dwords == (sent.address % 4 + sent.length + 3) / 4);
        const std::uint16_t port = topology.root_port(topology.port_of(sent.endpoint));
        const std::uint16_t card = topology.endpoint(sent.endpoint);
        CHECK(header->requester == (sent.native ? port : card));
        CHECK(header->relaxed_ordering == ((sent.flags & 2) != 0));
        CHECK(header->no_snoop == ((sent.flags & 1) != 0));
        if (completion) {
            CHECK(header->completer == (sent.native ? card : port));
            CHECK(header->byte_count == sent.byte_count);
            CHECK(header->lower_address == sent.address % 128);
        } else {
            CHECK(header->address == sent.address - sent.address % 4);
            CHECK(header->four_dwords == (sent.address > 0xffff'ffff));
        }
    }
}
