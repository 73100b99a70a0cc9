// SPDX-License-Identifier: BSD-3-Clause
// Numbers that follow from counters: shares that add up, bytes of narrow buses, factors.
#include "healthy.hpp"

#include <tlmetry/report/shares.hpp>
#include <tlmetry/verdict/evidence.hpp>

#include <catch2/catch.hpp>

#include <random>

using namespace tlmetry;
using report::Shares;
using test::healthy;
using verdict::Bounds;
using verdict::Evidence;
using verdict::LinkFacts;

namespace {

long hundredths(double percent) {
    return std::lround(100 * percent);
}

}  // namespace

TEST_CASE("shares add up to 100.00 whatever they are of") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<double> parts(1 + random() % 6);
        for (double& part : parts)
            part = static_cast<double>(random() % (round % 2 ? 7 : 1'000'000'007));
        parts.front() += 1;
        const Shares of_sum = Shares::of_sum(parts);
        REQUIRE(of_sum.size() == parts.size());
        long sum = 0;
        double whole = 0;
        for (const double part : parts)
            whole += part;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            sum += hundredths(of_sum[i]);
            CHECK(of_sum[i] == Approx(100 * parts[i] / whole).margin(0.0101));
        }
        CHECK(sum == 10'000);
        const Shares rest = Shares::with_rest(parts, 2 * whole);
        REQUIRE(rest.size() == parts.size() + 1);
        CHECK(rest[parts.size()] == Approx(50).margin(0.0101));
    }
}

TEST_CASE("parts beyond their whole are shares of what they are together") {
    const Shares shares = Shares::with_rest({75, 50}, 100);
    CHECK(shares[0] == 60);
    CHECK(shares[1] == 40);
    CHECK(shares[2] == 0);
    CHECK(Shares::of_sum({0, 0})[1] == 0);
}

TEST_CASE("bytes of a bus as wide as its probe are its items") {
    const driver::Measurement m = healthy();
    const Evidence e(m, 0, {});
    CHECK(!e.up_bus(0).narrow);
    CHECK(e.up_bus(0).bytes.exact());
    CHECK(e.up_bus(0).bytes.low == 2560e6);
    CHECK(e.up_bus(0).frame_bytes()->low == 256);
    CHECK(e.up_bus(0).filled()->high == 1);
    CHECK(e.reads == 10e6);
    CHECK(e.writes == 10e6);
    CHECK(e.completions == 20e6);
}

TEST_CASE("bytes of a bus that is narrower than its probe lie between bounds") {
    // Frames of 100 B on 2 x 32 B, each alone in its two words: regions 0 and 1, then 0 and 1 with one item.
    // A probe of four regions takes the two it has too many for full in the first word.
    constexpr std::uint64_t frames = 1'000'000, items = 25;
    driver::Measurement m = healthy();
    m.layout.dma.regions = 4;
    driver::BusCounts& up = m.endpoints[0].buses[test::up_bus];
    up.transactions = frames;
    up.mvb_items = 20 * frames;
    up.words = 2 * frames;
    up.regions = {2 * frames, 2 * frames};
    up.items = frames * (items + 16);
    const Evidence e(m, 0, {});
    CHECK(e.up_bus(0).narrow);
    CHECK(e.up_bus(0).bytes.low == 4.0 * (3 * 8 + 1) * frames);  // what they have
    CHECK(e.up_bus(0).bytes.high == 4.0 * 4 * 8 * frames);
    CHECK(e.up_bus(0).bytes.high < 4.0 * static_cast<double>(up.items));
}

TEST_CASE("use of a bus adds up, also where its counters reach beyond its cycles") {
    driver::Measurement m = healthy();
    driver::BusCounts& up = m.endpoints[0].buses[test::up_bus];
    up.words = m.endpoints[0].dma_cycles;
    up.stalled = 1000;
    const Evidence e(m, 0, {});
    CHECK(e.up_bus(0).idle == Approx(0).margin(1e-12));
    CHECK(e.up_bus(0).busy + e.up_bus(0).stalled == Approx(1));
}

TEST_CASE("factors of headers count the bytes of a TLP besides its payload") {
    const driver::Measurement m = healthy();
    // 2560 MB in 10 million writes, and as many reads without payload
    const auto efficiency = [&](const LinkFacts& facts) {
        return *Evidence(m, 0, facts).up_header_efficiency;
    };
    CHECK(efficiency({}).low == Approx(2560.0 / (2560 + 20 * 24)));
    CHECK(efficiency({{}, {}, 32, false}).low == Approx(2560.0 / (2560 + 20 * 20)));
    CHECK(efficiency({{}, {}, 64, true}).low == Approx(2560.0 / (2560 + 20 * 28)));
    CHECK(Evidence(m, 0, {}).down_header_efficiency->low == Approx(256.0 / 276));

    driver::Measurement writes = m;
    writes.endpoints[0].buses[test::up_bus].mvb_items = 10'000'000;
    CHECK(Evidence(writes, 0, {}).up_header_efficiency->low == Approx(256.0 / 280));  // 0.914
}

TEST_CASE("the link's bytes are encoding, headers, payload and the rest") {
    const driver::Measurement m = healthy();
    const Evidence e(m, 0, {{{4, 16}}, {}, 64, false});
    CHECK(e.up->line_gbytes == Approx(32));
    CHECK(1 - e.up->encoding == Approx(128.0 / 130));
    CHECK(e.up->payload == Approx(2.56 / 32));
    CHECK(e.up->headers == Approx(0.48 / 32));
    CHECK(e.up->encoding + e.up->headers + e.up->payload + e.up->rest == Approx(1));
    CHECK(e.up->used() == Approx(3.04 / 32 * 130 / 128));
    // The factors multiply to what was carried.
    CHECK((1 - e.up->encoding) * e.up->used() * e.up_header_efficiency->low == Approx(e.up->payload));

    const Evidence slow(m, 0, {{{1, 1}}, {}, 64, false});  // 0.2 GB/s behind the encoding
    CHECK(slow.up->used() == Approx(1));
    CHECK(slow.up->rest == Approx(0).margin(1e-12));
    CHECK(!Evidence(m, 0, {}).up);
}

TEST_CASE("generations have their encodings") {
    CHECK(verdict::LinkSpeed{2, 1}.line_gbytes() == Approx(0.625));
    CHECK(verdict::LinkSpeed{2, 1}.data_gbytes() == Approx(0.5));
    CHECK(verdict::LinkSpeed{3, 8}.data_gbytes() == Approx(8.0 * 128 / 130));
    CHECK(verdict::LinkSpeed{6, 16}.data_gbytes() == Approx(128.0 * 242 / 256));
    CHECK(verdict::LinkSpeed{5, 16}.name() == "Gen5 x16");
}

TEST_CASE("the window lies between what overlapping reasons allow") {
    driver::Measurement m = healthy();
    m.endpoints[0].reasons = {100'000'000, 0, 200'000'000, 0, 0, 0};
    const Evidence e(m, 0, {});
    // 20 million requests in 10 to 20 million cycles; waiting 200 to 300 million
    CHECK(e.window->low == Approx(10.0 / 310));
    CHECK(e.window->high == Approx(20.0 / 220));
    m.endpoints[0].reasons.clear();
    CHECK(Evidence(m, 0, {}).window->low == 1);
    m.endpoints[0].buses[test::up_bus].mvb_items = 0;
    CHECK(!Evidence(m, 0, {}).window);
}

TEST_CASE("tags in use and their round trip come from the histogram") {
    driver::Measurement m = healthy();
    m.endpoints[0].tags = {0, 0};
    m.endpoints[0].histograms[0].bands = {400'000'000, 0, 0, 0};
    const Evidence all(m, 0, {});
    CHECK(all.tags_used->low == 256);
    CHECK(all.tags_used->high == 256);
    CHECK(all.read_round_trip_s->low == Approx(256 / 10e6));
    CHECK(all.tags_short() == 1);

    m.endpoints[0].tags = {250, 200};
    m.endpoints[0].histograms[0].bands = {0, 0, 0, 400'000'000};
    const Evidence few(m, 0, {});
    CHECK(few.tags_used->low == 0);
    CHECK(few.tags_used->high == 56);  // never fewer than 200 were free
    CHECK(few.tags_short() == 0);

    m.endpoints[0].histograms[0].bands = {0, 200'000'000, 200'000'000, 0};
    m.endpoints[0].tags.lowest = 1;
    const Evidence half(m, 0, {});
    CHECK(half.tags_used->low == Approx((224 + 128) / 2.0));
    CHECK(half.tags_used->high == Approx((255 + 223) / 2.0));
    m.endpoints[0].histograms.clear();
    CHECK(!Evidence(m, 0, {}).tags_used);
}

TEST_CASE("words of the storage FIFO in use bound the round trip from below") {
    driver::Measurement m = healthy();
    m.endpoints[0].tags = {100, 100};  // less than half in use by the histogram
    m.endpoints[0].stfifo = {0, 0};
    m.endpoints[0].histograms[1].bands = {400'000'000, 0, 0, 0};
    // Reads of 512 B have 8 words of 64 B, and up to 10 reserved; no tags are known to be in use.
    const Evidence e(m, 0, {});
    CHECK(e.tags_used->low == 0);
    CHECK(e.read_round_trip_s->low == Approx(1024 / 10.0 / 10e6));
    CHECK(e.read_round_trip_s->high == Approx(127 / 10e6));
    m.endpoints[0].tags = {256, 256};  // cannot be, so it bounds nothing
    CHECK(Evidence(m, 0, {}).read_round_trip_s->low == 0);
}

TEST_CASE("without an interval there are shares, but no rates") {
    driver::Measurement m = healthy();
    m.seconds.reset();
    const Evidence e(m, 0, {{{4, 16}}, {}, 64, false});
    CHECK(!e.up);
    CHECK(!e.read_round_trip_s);
    CHECK(e.up_header_efficiency);
    CHECK(e.rq().busy == Approx(0.125));
}
