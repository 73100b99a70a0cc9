// SPDX-License-Identifier: BSD-3-Clause
// The driver of the trace unit, fast and slow: nothing twice, nothing lost that is not counted.
#include "sent.hpp"
#include "trace_bench.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/ptt/link_headers.hpp>
#include <tlmetry/ptt/trace_reader.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tlmetry;
using endpoint::LinkTlp;
using ptt::TraceDriver;
using test::TraceBench;
using Kind = LinkTlp::Kind;
namespace reg = ptt::reg;

namespace {

ptt::TraceConfig everything(ptt::Format format = ptt::Format::eight_dwords) {
    ptt::TraceConfig config;
    config.filter |= 1;
    config.both_directions = true;
    config.format = format;
    return config;
}

/// Collects what a driver hands over.
struct Collected {
    std::string bytes;
    std::vector<std::size_t> pieces;

    TraceDriver::Sink sink() {
        return [this](std::uint8_t* data, std::size_t size) {
            bytes.append(reinterpret_cast<const char*>(data), size);
            pieces.push_back(size);
            return data;
        };
    }
    /// Numbers of the TLPs, which are their times.
    std::vector<std::uint64_t> numbers() const {
        std::vector<std::uint64_t> result;
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
        for (std::size_t i = 0; i < bytes.size(); i += 32)
            result.push_back(ptt::get_record(ptt::Format::eight_dwords, data + i).value().time);
        return result;
    }
};

LinkTlp numbered(std::uint64_t number) {
    LinkTlp tlp;
    tlp.at = static_cast<time_fs>(number) * fs_per_ns;
    return tlp;
}

}  // namespace

TEST_CASE("a round trip by ring and driver keeps every field") {
    const card::Topology topology{8, false};
    for (const auto format : {ptt::Format::four_dwords, ptt::Format::eight_dwords}) {
        std::mt19937_64 random(3);
        TraceBench bench({topology}, 1024);
        TraceDriver driver(bench, bench.ring(), bench.bytes);
        ptt::TraceConfig config = everything(format);
        config.filter |= 0x5555;
        Collected collected;
        driver.start(config);
        std::vector<LinkTlp> sent;
        for (int i = 0; i < 5000; ++i) {
            const time_fs at =
                (sent.empty() ? 0 : sent.back().at) + static_cast<time_fs>(random() % 2000) * fs_per_ns;
            sent.push_back(test::any_tlp(random, topology, at));
            bench.pass(sent.back());
            driver.serve(collected.sink());
        }
        driver.stop(collected.sink());

        ptt::TraceReader reader(
            ptt::AuxSource(ptt::ByteSource::from_memory("trace", collected.bytes, false)));
        const ptt::LinkHeaders headers(topology);
        std::size_t i = 0;
        ptt::TracedTlp traced;
        while (reader.next_buffer()) {
            CHECK(reader.format() == format);
            while (reader.next(traced)) {
                REQUIRE(i < sent.size());
                CAPTURE(i);
                tlp::Header expected = tlp::decode(headers.maker()(sent[i])).value();
                if (format == ptt::Format::four_dwords)  // which has none of these
                    expected.relaxed_ordering = expected.no_snoop = false;
                CHECK(traced.header == expected);
                CHECK(traced.time * static_cast<std::uint64_t>(fs_per_ns) ==
                      static_cast<std::uint64_t>(sent[i].at));
                ++i;
            }
        }
        CHECK(i == sent.size());
        CHECK(driver.statistics().lost_bytes == 0);
        CHECK(driver.statistics().bytes == sent.size() * ptt::record_bytes(format));
    }
}

TEST_CASE("several buffers that are full at a time are handed over in order") {
    for (std::uint64_t before = 0; before < 40; ++before) {
        for (std::uint64_t count = 0; count <= 32; ++count) {
            CAPTURE(before, count);
            TraceBench bench({{1, false}}, 256);  // 8 records each
            TraceDriver driver(bench, bench.ring(), bench.bytes);
            Collected collected;
            driver.start(everything());
            std::uint64_t number = 0;
            for (; number < before; ++number) {
                bench.pass(numbered(number));
                driver.serve(collected.sink());
            }
            // Up to four buffers, the one that is begun included, without anybody looking.
            const std::uint64_t end = std::min(before + count, before / 8 * 8 + 32);
            for (; number < end; ++number)
                bench.pass(numbered(number));
            driver.serve(collected.sink());
            driver.stop(collected.sink());
            CHECK(driver.statistics().lost_bytes == 0);
            CHECK(driver.statistics().overruns == 0);
            const std::vector<std::uint64_t> got = collected.numbers();
            REQUIRE(got.size() == end);
            for (std::uint64_t i = 0; i < end; ++i)
                CHECK(got[i] == i);
        }
    }
}

TEST_CASE("a slow driver knows how much it has lost, and hands over nothing that was written over") {
    std::mt19937_64 random(11);
    bool lost_some = false;
    bool lost_laps = false;
    for (int round = 0; round < 400; ++round) {
        TraceBench bench({{1, false}}, 256);
        TraceDriver driver(bench, bench.ring(), bench.bytes);
        Collected collected;
        driver.start(everything());
        const std::uint64_t patience = 1 + random() % 200;  // TLPs between two looks, at most
        std::uint64_t number = 0;
        for (int look = 0; look < 20; ++look) {
            const std::uint64_t end = number + random() % patience;
            for (; number < end; ++number)
                bench.pass(numbered(number));
            driver.serve(collected.sink());
        }
        driver.stop(collected.sink());
        CAPTURE(round, patience, number);
        const TraceDriver::Statistics& statistics = driver.statistics();
        CHECK(statistics.bytes == collected.bytes.size());
        CHECK(statistics.bytes + statistics.lost_bytes == number * 32);
        CHECK((statistics.lost_bytes == 0) == (statistics.overruns == 0));
        // In order, and without gaps inside of buffers.
        const std::vector<std::uint64_t> got = collected.numbers();
        std::uint64_t gaps = 0;
        for (std::size_t i = 1; i < got.size(); ++i) {
            REQUIRE(got[i] > got[i - 1]);
            if (got[i] == got[i - 1] + 1) continue;
            CHECK(got[i] % 8 == 0);
            ++gaps;
        }
        CHECK(gaps <= statistics.overruns);
        lost_some = lost_some || statistics.lost_bytes != 0;
        lost_laps = lost_laps || statistics.lost_bytes > 256 * 20;
        if (patience <= 24) CHECK(statistics.lost_bytes == 0);
    }
    CHECK(lost_some);
    CHECK(lost_laps);
}

TEST_CASE("memory that the reader keeps is replaced by other memory") {
    TraceBench bench({{1, false}}, 256);
    std::vector<std::vector<std::uint8_t>> more(20, std::vector<std::uint8_t>(256));
    std::size_t next = 0;
    TraceDriver* behind = nullptr;
    ptt::TraceUnit unit({{1, false}},
                        [&](std::uint64_t address, std::uint32_t) { return behind->memory_at(address); });
    struct Bus : ptt::UnitBus {
        explicit Bus(ptt::TraceUnit& u) : unit(u) {}
        std::uint32_t read32(std::uint32_t offset) override { return unit.read(offset).value_or(0); }
        void write32(std::uint32_t offset, std::uint32_t value) override { unit.write(offset, value); }
        ptt::TraceUnit& unit;
    } bus(unit);
    TraceDriver driver(bus, bench.ring(), 256);
    behind = &driver;
    std::vector<const std::uint8_t*> kept;
    const TraceDriver::Sink sink = [&](std::uint8_t* data, std::size_t) {
        kept.push_back(data);
        return more.at(next++).data();
    };
    driver.start(everything());
    for (std::uint64_t number = 0; number < 100; ++number) {
        const LinkTlp tlp = numbered(number);
        unit.pass(&tlp, &tlp + 1);
        driver.serve(sink);
        unit.memory_changed();
    }
    driver.stop(sink);
    REQUIRE(kept.size() == 13);
    for (std::uint64_t i = 0; i < 100; ++i)
        CHECK(ptt::get_record(ptt::Format::eight_dwords, kept[i / 8] + i % 8 * 32).value().time == i);
    CHECK(driver.memory_at(1) == nullptr);
}

TEST_CASE("a unit that does not get ready is an error") {
    struct Stuck : ptt::UnitBus {
        std::uint32_t idle = 0;
        std::uint32_t read32(std::uint32_t offset) override { return offset == reg::trace_sts ? idle : 5; }
        void write32(std::uint32_t, std::uint32_t) override {}
    } bus;
    std::array<ptt::DmaBuffer, 4> ring;
    TraceDriver driver(bus, ring, 256);
    CHECK_THROWS_WITH(driver.start(everything()), Catch::Contains("expected it to be idle"));
    bus.idle = reg::sts_idle;
    CHECK_THROWS_WITH(driver.start(everything()), Catch::Contains("expected it to reset its write position"));
}
