// SPDX-License-Identifier: BSD-3-Clause
// Records of both formats, and streams of them: found out, wrapped, damaged, cut off.
#include "../tlp/random_header.hpp"
#include "trace_builder.hpp"

#include <tlmetry/base/error.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::test;
using ptt::Format;
using ptt::Record;
using tlp::Header;
using tlp::Kind;

namespace {

Header some_write(std::uint64_t address = 0x1000) {
    Header h;
    h.kind = Kind::memory_write;
    h.length_dwords = 16;
    h.requester = 0x0100;
    h.tag = 3;
    h.first_be = h.last_be = 0xf;
    h.address = address;
    return h;
}

std::string error_of(std::string_view bytes) {
    try {
        ptt::TraceReader reader = reader_of(bytes);
        read_all(reader);
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("an 8DW record, byte for byte") {
    const std::string bytes =
        bytes_of("ffffffff 34120091 08200060 ff020001 23010000 a0896745 00000000 78563412");
    Record record;
    record.prefix = 0x9100'1234;
    record.header = {0x6000'2008, 0x0100'02ff, 0x0000'0123, 0x4567'89a0};
    record.time = 0x1234'5678;
    CHECK(record_of(Format::eight_dwords, record) == bytes);

    ptt::TraceReader reader = reader_of(bytes);
    const auto tlps = read_all(reader);
    REQUIRE(tlps.size() == 1);
    CHECK(tlps[0].format == Format::eight_dwords);
    CHECK(tlps[0].record.header == record.header);
    CHECK(tlps[0].record.prefix == record.prefix);
    CHECK(tlps[0].time == 0x1234'5678);
    CHECK(tlps[0].header.kind == Kind::memory_write);
    CHECK(tlps[0].header.address == 0x0000'0123'4567'89a0);
    CHECK(tlps[0].header.relaxed_ordering);
}

TEST_CASE("a 4DW record, byte for byte") {
    // Fmt 01, Type 00000, T9 1, T8 0, TH 1, SO 1, Length 0000010000, Time 10000000001
    const std::string bytes = bytes_of("01846041 ff020001 23010000 a0896745");
    Record record;
    record.header = {0x2081'0010, 0x0100'02ff, 0x0000'0123, 0x4567'89a0};
    record.so = true;
    record.time = 0x401;
    CHECK(record_of(Format::four_dwords, record) == bytes);
    const auto read =
        ptt::get_record(Format::four_dwords, reinterpret_cast<const std::uint8_t*>(bytes.data()));
    REQUIRE(read);
    CHECK(read->header == record.header);
    CHECK(read->so);
    CHECK(read->time == 0x401);

    // Each field of the first dword alone.
    const auto first_word = [](const Record& r) {
        std::array<std::uint8_t, 16> to{};
        ptt::put_record(Format::four_dwords, r, to.data());
        return to[0] | to[1] << 8U | to[2] << 16U | std::uint32_t{to[3]} << 24;
    };
    const auto with = [&](std::uint32_t header) {
        Record r;
        r.header[0] = header;
        return first_word(r);
    };
    CHECK(with(0x6000'0000) == 3U << 30);
    CHECK(with(0x1f00'0000) == 0x1fU << 25);
    CHECK(with(0x0080'0000) == 1U << 24);
    CHECK(with(0x0008'0000) == 1U << 23);
    CHECK(with(0x0001'0000) == 1U << 22);
    CHECK(with(0x0000'03ff) == 0x3ffU << 11);
    CHECK(with(0x0076'fc00) == 0);  // TC, IDO, LN, TD, EP, Attr and AT are not in it
    Record late;
    late.time = 0xffff'ffff;
    CHECK(first_word(late) == 0x7ff);
}

TEST_CASE("every field of every kind goes through the records and back") {
    std::mt19937_64 random(3);
    for (const Format format : {Format::eight_dwords, Format::four_dwords}) {
        std::string stream;
        std::vector<Header> expected;
        std::vector<std::uint64_t> times;
        std::uint64_t time = 5;
        for (int i = 0; i < 20'000; ++i) {
            Header h = random_header(static_cast<Kind>(random() % tlp::kinds), random);
            stream += record_of(format, h, static_cast<std::uint32_t>(time));
            if (format == Format::four_dwords) {
                h.traffic_class = h.address_type = 0;
                h.relaxed_ordering = h.no_snoop = h.id_ordering = h.digest = h.poisoned = false;
            }
            expected.push_back(h);
            times.push_back(time);
            time += random() % (format == Format::four_dwords ? 2048 : 0x7fff'ffff);
        }
        ptt::TraceReader reader = reader_of(stream);
        const auto tlps = read_all(reader);
        REQUIRE(tlps.size() == expected.size());
        for (std::size_t i = 0; i < tlps.size(); ++i) {
            if (tlps[i].header != expected[i] || tlps[i].time != times[i] ||
                tlps[i].offset != i * ptt::record_bytes(format))
                FAIL("record " << i << " of " << ptt::name_of(format));
        }
        const std::uint64_t turn = format == Format::four_dwords ? 2048 : std::uint64_t{1} << 32;
        CHECK(reader.counts().wraps == times.back() / turn);
        CHECK(reader.counts().records == expected.size());
        CHECK(reader.counts().damaged == 0);
    }
}

TEST_CASE("a time that goes back a little is no wrap in 8DW") {
    ptt::GrowingTime time;
    CHECK(time.add(Format::eight_dwords, 0xffff'fff0) == 0xffff'fff0);
    CHECK(time.add(Format::eight_dwords, 0xffff'ffe0) == 0xffff'ffe0);
    CHECK(time.wraps() == 0);
    CHECK(time.add(Format::eight_dwords, 0x10) == 0x1'0000'0010);
    CHECK(time.wraps() == 1);
    CHECK(time.add(Format::eight_dwords, 0x00) == 0x1'0000'0000);
    CHECK(time.wraps() == 1);
    ptt::GrowingTime early;
    CHECK(early.add(Format::eight_dwords, 5) == 5);
    CHECK(early.add(Format::eight_dwords, 0xffff'ffff) == 0xffff'ffff);
}

TEST_CASE("the format is found out by the first dword") {
    const std::string eight = record_of(Format::eight_dwords, some_write(), 7);
    const std::string four = record_of(Format::four_dwords, some_write(), 7);
    CHECK(ptt::detect_format(reinterpret_cast<const std::uint8_t*>(eight.data())) == Format::eight_dwords);
    CHECK(ptt::detect_format(reinterpret_cast<const std::uint8_t*>(four.data())) == Format::four_dwords);
    const std::string check_only = bytes_of("00f8ffff");
    CHECK(ptt::detect_format(reinterpret_cast<const std::uint8_t*>(check_only.data())) ==
          Format::eight_dwords);
    const std::string almost = bytes_of("fff7ffff");
    CHECK(ptt::detect_format(reinterpret_cast<const std::uint8_t*>(almost.data())) == Format::four_dwords);

    ptt::TraceReader forced = reader_of(eight, false, Format::four_dwords);
    read_all(forced);
    CHECK(forced.counts().formats[0]);
    CHECK(forced.counts().damaged + forced.counts().records == 2);
}

TEST_CASE("damaged records are skipped and counted, and their time does not count") {
    std::string stream;
    for (std::uint32_t i = 0; i < 10; ++i)
        stream += record_of(Format::eight_dwords, some_write(0x1000 * i), 100 * i);
    stream[std::size_t{3} * 32 + 1] = 0;                         // check bits
    stream[std::size_t{5} * 32 + 11] = static_cast<char>(0x9f);  // Fmt and Type
    stream[std::size_t{5} * 32 + 31] = static_cast<char>(0x70);  // its time
    stream[std::size_t{7} * 32] = 0;                             // [10:0] are not among the check bits
    ptt::TraceReader reader = reader_of(stream);
    const auto tlps = read_all(reader);
    REQUIRE(tlps.size() == 8);
    CHECK(reader.counts().damaged == 2);
    CHECK(reader.counts().wraps == 0);
    CHECK(tlps[3].header.address == 0x4000);
    CHECK(tlps[3].offset == 4 * 32);
    CHECK(tlps[7].time == 900);

    std::string short_stream;
    for (std::uint32_t i = 0; i < 4; ++i)
        short_stream += record_of(Format::four_dwords, some_write(), i);
    short_stream[16 + 3] = static_cast<char>(0x3e);  // Type 11111
    ptt::TraceReader short_reader = reader_of(short_stream);
    CHECK(read_all(short_reader).size() == 3);
    CHECK(short_reader.counts().damaged == 1);
}

TEST_CASE("what is behind the last whole record does not count, wherever a stream ends") {
    for (const Format format : {Format::eight_dwords, Format::four_dwords}) {
        std::string stream;
        for (std::uint32_t i = 0; i < 4; ++i)
            stream += record_of(format, some_write(), i);
        for (std::size_t size = 0; size <= stream.size(); ++size) {
            for (const bool as_pipe : {false, true}) {
                CAPTURE(ptt::name_of(format), size, as_pipe);
                const std::string cut = stream.substr(0, size);
                // Less than a dword shows no format.
                const std::size_t record = size < 4 ? 16 : ptt::record_bytes(format);
                ptt::TraceReader reader = reader_of(cut, as_pipe);
                std::uint64_t records = 0;
                ptt::TracedTlp tlp;
                while (reader.next_buffer()) {
                    CHECK(reader.buffer_bytes() == size / record * record);
                    while (reader.next(tlp))
                        ++records;
                }
                CHECK(records == size / record);
                CHECK(reader.counts().left_over_bytes == size % record);
                CHECK(reader.counts().missing_bytes == 0);
                CHECK(reader.counts().buffers == (size == 0 ? 0 : 1));
            }
        }
    }
}

TEST_CASE("a long stream from a pipe comes in pieces of 4 MiB that go on") {
    const std::size_t piece = ptt::AuxSource::piece_bytes;
    std::string stream;
    std::uint32_t time = 0;
    while (stream.size() < 2 * piece + 16 * 100)
        stream += record_of(Format::four_dwords, some_write(), time += 700);
    // Whatever a later piece begins with, the format stays.
    stream.replace(piece, 16, record_of(Format::four_dwords, some_write(), 0));
    stream.replace(piece, 4, bytes_of("ffffffff"));
    ptt::TraceReader whole = reader_of(stream);
    ptt::TraceReader pieces = reader_of(stream, true);
    const auto expected = read_all(whole);
    const auto found = read_all(pieces);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].time != expected[i].time || found[i].record.header != expected[i].record.header ||
            found[i].offset != expected[i].offset % piece)
            FAIL("record " << i);
    }
    CHECK(whole.counts().buffers == 1);
    CHECK(pieces.counts().buffers == 3);
    CHECK(pieces.counts().damaged == 1);
}

TEST_CASE("buffers of perf.data, each of its own format") {
    std::string eight, four;
    for (std::uint32_t i = 0; i < 5; ++i)
        eight += record_of(Format::eight_dwords, some_write(), 10 * i);
    for (std::uint32_t i = 0; i < 3; ++i)
        four += record_of(Format::four_dwords, some_write(), 1000 * i);
    const std::string other = words_of({9, 16U << 16, 1, 2});
    const std::string events = auxtrace_info_of(6) + other + auxtrace_of(eight) + other + auxtrace_of(four) +
                               auxtrace_of({}) + auxtrace_of(four) + other;
    // perf.data written to a pipe has a short header, and data behind the event of the tracing data.
    const std::string stream =
        "PERFILE2" + words_of({16, 0}) + words_of({66, 12U << 16, 5}) + std::string(8, 'x') + events;
    for (const std::string& file :
         {perf_file_of(events) + "more sections", perf_file_of(events, false), stream}) {
        for (const bool as_pipe : {false, true}) {
            ptt::TraceReader reader = reader_of(file, as_pipe);
            const auto tlps = read_all(reader);
            REQUIRE(tlps.size() == 11);
            CHECK(reader.counts().buffers == 4);
            CHECK(tlps[4].format == Format::eight_dwords);
            CHECK(tlps[4].time == 40);
            CHECK(tlps[5].format == Format::four_dwords);
            CHECK(tlps[5].offset == 0);
            CHECK(tlps[7].time == 2000);
            CHECK(tlps[8].time == 2048);  // it goes on in the next buffer
            CHECK(reader.counts().missing_bytes == 0);
            CHECK(reader.counts().formats[0]);
            CHECK(reader.counts().formats[1]);
        }
    }
}

TEST_CASE("perf.data that is cut off gives what is there") {
    std::string eight;
    for (std::uint32_t i = 0; i < 5; ++i)
        eight += record_of(Format::eight_dwords, some_write(), 10 * i);
    const std::string file = perf_file_of(auxtrace_info_of(6) + auxtrace_of(eight));
    const std::size_t data = file.size() - eight.size();
    for (std::size_t size = 104; size < file.size(); ++size) {
        CAPTURE(size);
        const std::string cut = file.substr(0, size);
        ptt::TraceReader reader = reader_of(cut);
        CHECK(read_all(reader).size() == (size < data ? 0 : (size - data) / 32));
        const bool between_events = size == 104 || size == 104 + 24;
        CHECK((reader.counts().missing_bytes != 0) == !between_events);
        if (size >= data) CHECK(reader.counts().missing_bytes == file.size() - size);
    }
}

TEST_CASE("perf.data with something else is refused in one sentence") {
    CHECK_THAT(error_of("2ELIFREP and so on"), Catch::Contains("little-endian machine"));
    CHECK_THAT(error_of("PERFILE2"), Catch::Contains("expected the header of perf.data, found its end"));
    CHECK_THAT(error_of(perf_file_of(auxtrace_info_of(4))),
               Catch::Contains("expected a trace of HiSilicon PTT, type 6, in perf.data, found type 4"));
    CHECK_THAT(
        error_of(perf_file_of(words_of({1, 4U << 16}))),
        Catch::Contains("expected an event of 8 bytes or more at byte 104 of perf.data, found one of 4"));
    CHECK_THAT(error_of(perf_file_of(words_of({71, 8U << 16}))),
               Catch::Contains("AUXTRACE event with its size"));
    std::string far = perf_file_of({});
    far.replace(40, 8, words_of({0x7fff'ffff, 0}));
    CHECK_THAT(error_of(far), Catch::Contains("expected events at 2147483647, found the end"));
    far.replace(40, 8, words_of({8, 0}));
    CHECK_THAT(error_of(far), Catch::Contains("behind the header"));
}

TEST_CASE("random bytes never make the reader fail") {
    std::mt19937_64 random(4);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random() % 300, ' ');
        for (char& c : bytes)
            c = static_cast<char>(random());
        if (round % 3 == 0) bytes = bytes_of("ffffffff") + bytes;
        ptt::TraceReader reader = reader_of(bytes, round % 2 == 0);
        const auto tlps = read_all(reader);
        const std::size_t record = ptt::record_bytes(reader.format());
        CHECK(tlps.size() + reader.counts().damaged == bytes.size() / record);
    }
}
