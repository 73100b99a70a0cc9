// SPDX-License-Identifier: BSD-3-Clause
// What a direction of a link sends in vain, by hand, and that rows of TLPs take the time of single ones.
#include <tlmetry/base/processor.hpp>
#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/link_direction.hpp>
#include <tlmetry/endpoint/link_lanes.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace tlmetry;
using endpoint::LinkDirection;

namespace {

constexpr time_fs ns = fs_per_ns;
constexpr std::uint64_t byte_time = std::uint64_t{fs_per_ns} << 16;  // a byte in a nanosecond

LinkDirection link(std::vector<std::uint64_t> damaged, time_fs nak_latency) {
    return {byte_time, 0, std::move(damaged), nak_latency, 1, "test"};
}

}  // namespace

TEST_CASE("what is sent behind a damaged TLP until its NAK is sent again") {
    LinkDirection direction = link({0}, 100 * ns);
    // Damaged from 0 to 50, known at 150.
    CHECK(direction.send(0, 50) == 200 * ns);
    // In vain from 50 to 80, from 80 to 140 and from 140 until it is cut short.
    CHECK(direction.send(0, 30) == 230 * ns);
    CHECK(direction.send(0, 60) == 290 * ns);
    CHECK(direction.send(0, 40) == 330 * ns);
    CHECK(direction.send(149 * ns, 8) == 338 * ns);
    const LinkDirection::Statistics& s = direction.statistics();
    CHECK(s.sent_bytes == 188);
    CHECK(s.repeated_bytes == 50 + 30 + 60 + 10);
    CHECK(s.naks == 1);
    CHECK(s.busy_fs == (188 + 150) * ns);
}

TEST_CASE("nothing else is sent again when nothing was there to be sent") {
    LinkDirection direction = link({0}, 100 * ns);
    CHECK(direction.send(0, 50) == 200 * ns);
    // It begins at 120 in vain.
    CHECK(direction.send(120 * ns, 20) == 220 * ns);
    CHECK(direction.send(150 * ns, 20) == 240 * ns);
    CHECK(direction.statistics().repeated_bytes == 50 + 20);
}

TEST_CASE("a repetition may arrive damaged as well") {
    LinkDirection direction = link({0, 1, 3}, 100 * ns);
    CHECK(direction.send(0, 50) == 350 * ns);
    CHECK(direction.statistics().repeated_bytes == 2 * 50);
    // Twice in vain behind the one before it, and once more on its own.
    CHECK(direction.send(0, 30) == 350 * ns + 30 * ns + 100 * ns + 30 * ns);
    CHECK(direction.statistics().repeated_bytes == 2 * 50 + 2 * 30 + 30);
    CHECK(direction.statistics().naks == 3);
}

TEST_CASE("a NAK that takes no time leaves nothing to be sent again but the damaged TLP") {
    LinkDirection direction = link({0}, 0);
    CHECK(direction.send(0, 50) == 100 * ns);
    CHECK(direction.send(0, 30) == 130 * ns);
    CHECK(direction.statistics().repeated_bytes == 50);
}

TEST_CASE("damage comes at random with the share that is asked for") {
    LinkDirection direction(byte_time, 1u << 28, {}, 0, 1, "test");
    for (int i = 0; i < 100'000; ++i)
        direction.send(0, 1);
    // A sixteenth of all transmissions: one in fifteen of those that come through.
    CHECK(static_cast<double>(direction.statistics().naks) == Approx(100'000 / 15.0).epsilon(0.05));
}

namespace {

bool equal(const LinkDirection& a, const LinkDirection& b) {
    const LinkDirection::Statistics& s = a.statistics();
    const LinkDirection::Statistics& t = b.statistics();
    return a.free() == b.free() && s.sent_bytes == t.sent_bytes && s.dllp_bytes == t.dllp_bytes &&
           s.all_bytes == t.all_bytes && s.busy_fs == t.busy_fs;
}

/// One that takes a byte in some 16 ps, with a fraction.
LinkDirection fast_link() {
    return {(std::uint64_t{15'873} << 16) + 12'345, 0, {}, 0, 1, "test"};
}

}  // namespace

TEST_CASE("a row of TLPs takes the time of single ones") {
    Random random(1, "row");
    LinkDirection one_by_one = fast_link();
    LinkDirection in_rows = fast_link();
    time_fs now = 0;
    for (int i = 0; i < 3000; ++i) {
        now +=
            static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(i % 7 == 0 ? 500 * ns : 30 * ns));
        REQUIRE(in_rows.takes_row(now, now + 40 * 10 * ns));
        LinkDirection::Row row(in_rows, now);
        for (int j = 0; j < 40; ++j) {
            if (random.chance(1, 4)) {
                one_by_one.send_dllp(now);
                row.send_dllp(now);
            }
            const std::uint32_t bytes = 20 + random.below(600);
            const time_fs through = one_by_one.send(now, bytes);
            row.hold_until(now);
            REQUIRE(row.send(bytes) == through);
            now += static_cast<time_fs>(random.next() % static_cast<std::uint64_t>(10 * ns));
        }
        now = std::max(now, one_by_one.free() - 100 * ns);
    }
    CHECK(equal(one_by_one, in_rows));
    // What a link waits for is too long ahead for the numbers of a row.
    in_rows.hold_until(now + fs_per_s);
    CHECK_FALSE(in_rows.takes_row(now, now));
    CHECK_FALSE(fast_link().takes_row(0, fs_per_s));
    CHECK_FALSE(link({7}, ns).takes_row(0, 0));
}

#ifdef __x86_64__
TEST_CASE("eight TLPs at a time take the time of single ones") {
    if (!takes_lanes()) return;
    namespace lanes = endpoint::link_lanes;
    constexpr std::size_t most = 120;
    constexpr time_fs period = 5 * ns;
    Random random(1, "lanes");
    LinkDirection one_by_one = fast_link();
    LinkDirection in_rows = fast_link();
    std::int64_t cycle = 1000;
    std::uint64_t dllps = 0;
    std::uint64_t late_rows = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::size_t count = 1 + random.below(most);
        std::vector<std::int64_t> offered(most, 0);
        std::vector<std::int64_t> moved(most, 0);
        std::vector<std::int64_t> bytes(most, 0);
        std::vector<time_fs> due;
        // Now and then DLLPs come so late that TLPs may have to wait for them.
        const bool late = i % 10 == 0;
        const std::uint32_t dllp_share = late ? 3 : random.below(2);
        std::uint64_t sum = 0;
        const std::int64_t first = cycle;
        for (std::size_t j = 0; j < count; ++j) {
            cycle += 1 + random.below(i % 3 == 0 ? 2 : 12);
            offered[j] = cycle;
            moved[j] = cycle + (late ? 0 : 9);
            bytes[j] = 20 + random.below(600);
            sum += static_cast<std::uint64_t>(bytes[j]);
            for (std::uint32_t d = 0; d < dllp_share && random.chance(1, 3); ++d)
                due.push_back(cycle * period - static_cast<time_fs>(random.below(3)));
        }
        std::sort(due.begin(), due.end());
        due.push_back(never);

        std::vector<lanes::AtHost> at_host(most);
        std::size_t sent = 0;
        const time_fs from = first * period;
        {
            LinkDirection::Row row(in_rows, from);
            lanes::Row job;
            job.count = count;
            job.offered = offered.data();
            job.moved = moved.data();
            job.bytes = bytes.data();
            job.offers = job.moves = {0, period};
            job.from = row.from();
            job.free = row.free();
            job.byte_time = static_cast<std::int64_t>(row.byte_time());
            job.dllp_bytes = LinkDirection::dllp_bytes;
            job.fraction_bits = LinkDirection::fraction_bits;
            job.due = due.data();
            job.to_host = 3 * ns;
            job.at_host = at_host.data();
            if (lanes::send(job)) {
                row.sent(sum, job.dllps, job.free);
                sent = count;
                dllps += job.dllps;
            } else {
                ++late_rows;
            }
        }
        std::size_t dllp = 0;
        for (std::size_t j = 0; j < count; ++j) {
            LinkDirection* const links[] = {&one_by_one, sent == 0 ? &in_rows : nullptr};
            for (; due[dllp] <= offered[j] * period; ++dllp) {
                for (LinkDirection* l : links)
                    if (l != nullptr) l->send_dllp(due[dllp]);
            }
            for (LinkDirection* l : links) {
                if (l == nullptr) continue;
                const time_fs through = l->send(moved[j] * period, static_cast<std::uint32_t>(bytes[j]));
                if (sent != 0) REQUIRE(at_host[j].at == through + 3 * ns);
            }
        }
        REQUIRE(equal(one_by_one, in_rows));
        cycle = std::max(cycle, one_by_one.free() / period - 20);
    }
    CHECK(dllps > 1000);
    CHECK(late_rows > 100);
    CHECK(late_rows < 1000);
}
#endif
