// SPDX-License-Identifier: BSD-3-Clause
#include "root_port/literal_tx.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint/root_port_tx.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace tlmetry;
using endpoint::Batching;
using endpoint::RootPortTx;
using endpoint::TuneEvent;
using endpoint::Tuning;

namespace {

struct Packet {
    RootPortTx::Kind kind = RootPortTx::posted;
    time_fs at = 0;
    std::uint32_t bytes = 0;
};
struct Sent {
    RootPortTx::Kind kind = RootPortTx::posted;
    time_fs at = 0;
    time_fs start = 0;
    std::uint32_t bytes = 0;
};
struct Change {
    time_fs at = 0;
    Tuning tuning;
};

/// A transmitter and a link that sends a byte in each femtosecond.
struct Bench {
    explicit Bench(const Batching& batching = {}, const Tuning& tuning = {}) : tx(batching, tuning) {}

    /// Packets, in the order of time, come, and everything happens that does before `end`.
    std::vector<Sent> run(const std::vector<Packet>& packets, time_fs end,
                          const std::vector<Change>& changes = {}) {
        std::vector<Sent> sent;
        auto next = packets.begin();
        auto change = changes.begin();
        for (;;) {
            const time_fs input = next == packets.end() ? never : next->at;
            const time_fs release = tx.next_release();
            const time_fs start = tx.next_send(free);
            const time_fs first = std::min({input, release, start});
            if (change != changes.end() && change->at <= first) {
                tx.tune(change->at, change->tuning);
                ++change;
            } else if (first >= end) {
                return sent;
            } else if (input == first) {
                RootPortTx::Tlp tlp;
                tlp.at = input;
                tlp.bytes = next->bytes;
                tx.add(next->kind, tlp);
                ++next;
            } else if (release == first) {
                tx.release(free);
            } else {
                RootPortTx::Kind kind;
                const RootPortTx::Tlp tlp = tx.take(start, kind);
                sent.push_back({kind, tlp.at, start, tlp.bytes});
                free = start + tlp.bytes;
            }
        }
    }

    RootPortTx tx;
    time_fs free = 0;
};

/// So many packets of one kind, evenly spread from `from` on.
void add(std::vector<Packet>& packets, RootPortTx::Kind kind, std::uint32_t bytes, time_fs from,
         time_fs interval, int count) {
    for (int i = 0; i < count; ++i)
        packets.push_back({kind, from + i * interval, bytes});
    std::stable_sort(packets.begin(), packets.end(),
                     [](const Packet& a, const Packet& b) { return a.at < b.at; });
}

double bytes_of(const std::vector<Sent>& sent, RootPortTx::Kind kind) {
    double bytes = 0;
    for (const Sent& s : sent)
        bytes += s.kind == kind ? s.bytes : 0;
    return bytes;
}

Tuning weights(std::uint32_t completions, std::uint32_t nonposted, std::uint32_t posted) {
    Tuning tuning;
    tuning[TuneEvent::qos_tx_cpl] = completions;
    tuning[TuneEvent::qos_tx_np] = nonposted;
    tuning[TuneEvent::qos_tx_p] = posted;
    return tuning;
}

Tuning watermark(std::uint32_t level) {
    Tuning tuning;
    tuning[TuneEvent::tx_alloc_buf_level] = level;
    return tuning;
}

constexpr double weight[] = {1, 2, 4};

}  // namespace

TEST_CASE("kinds that all want the link share it by their weights") {
    for (std::uint32_t c = 0; c <= 2; ++c) {
        for (std::uint32_t p = 0; p <= 2; ++p) {
            std::vector<Packet> packets;
            add(packets, RootPortTx::completion, 276, 0, 1, 4000);
            add(packets, RootPortTx::posted, 88, 0, 1, 12000);
            const auto sent = Bench({}, weights(c, 1, p)).run(packets, 200'000);
            const double completions = bytes_of(sent, RootPortTx::completion);
            const double posted = bytes_of(sent, RootPortTx::posted);
            CHECK(completions / (completions + posted) ==
                  Approx(weight[c] / (weight[c] + weight[p])).epsilon(0.01));
            CHECK(completions + posted == Approx(200'000).epsilon(0.01));
        }
    }
}

TEST_CASE("three kinds share the link, whatever the sizes of their packets") {
    std::vector<Packet> packets;
    add(packets, RootPortTx::completion, 532, 0, 1, 4000);
    add(packets, RootPortTx::nonposted, 24, 0, 1, 30000);
    add(packets, RootPortTx::posted, 88, 0, 1, 12000);
    const auto sent = Bench({}, weights(0, 1, 2)).run(packets, 500'000);
    CHECK(bytes_of(sent, RootPortTx::completion) / 500'000 == Approx(1.0 / 7).epsilon(0.01));
    CHECK(bytes_of(sent, RootPortTx::nonposted) / 500'000 == Approx(2.0 / 7).epsilon(0.01));
    CHECK(bytes_of(sent, RootPortTx::posted) / 500'000 == Approx(4.0 / 7).epsilon(0.01));
}

TEST_CASE("a kind that wants less than its share gets all of it, and waits for one packet at most") {
    std::vector<Packet> packets;
    add(packets, RootPortTx::completion, 276, 0, 1, 4000);
    add(packets, RootPortTx::nonposted, 24, 50, 400, 1000);  // 6 % of the link, a share of 1/5 is its own
    const auto sent = Bench({}, weights(2, 0, 0)).run(packets, 400'000);
    CHECK(bytes_of(sent, RootPortTx::nonposted) == 24 * 1000);
    time_fs longest = 0;
    for (const Sent& s : sent)
        if (s.kind == RootPortTx::nonposted) longest = std::max(longest, s.start - s.at);
    CHECK(longest <= 2 * 276);
}

TEST_CASE("a kind that had nothing to send has saved nothing up") {
    std::vector<Packet> packets;
    add(packets, RootPortTx::completion, 100, 0, 1, 4000);
    add(packets, RootPortTx::posted, 100, 100'000, 1, 2000);
    const auto sent = Bench({}, weights(1, 1, 1)).run(packets, 200'000);
    double early = 0;
    for (const Sent& s : sent)
        early += s.kind == RootPortTx::posted && s.start < 110'000 ? s.bytes : 0;
    CHECK(early == Approx(5000).margin(200));
}

TEST_CASE("what was sent before the link was idle does not count") {
    // A large packet, then nothing for a long time; both kinds come back together and alternate.
    std::vector<Packet> packets = {{RootPortTx::posted, 0, 4000}};
    add(packets, RootPortTx::completion, 100, 50'000, 1, 20);
    add(packets, RootPortTx::posted, 100, 50'000, 1, 20);
    const auto sent = Bench().run(packets, 100'000);
    REQUIRE(sent.size() == 41);
    for (std::size_t i = 1; i < sent.size(); ++i)
        CHECK(sent[i].kind == (i % 2 == 1 ? RootPortTx::completion : RootPortTx::posted));
}

TEST_CASE("without a watermark a packet leaves at once") {
    const auto sent = Bench().run({{RootPortTx::posted, 70, 88}, {RootPortTx::completion, 500, 88}}, 1000);
    REQUIRE(sent.size() == 2);
    CHECK(sent[0].start == 70);
    CHECK(sent[1].start == 500);
}

TEST_CASE("a single packet waits for the time-out, exactly") {
    for (const std::uint32_t level : {1u, 2u}) {
        const auto sent = Bench({3000, 0}, watermark(level)).run({{RootPortTx::posted, 70, 88}}, 10'000);
        REQUIRE(sent.size() == 1);
        CHECK(sent[0].start == 3070);
    }
}

TEST_CASE("a stream leaves in batches of the watermark") {
    std::vector<Packet> packets;
    add(packets, RootPortTx::posted, 64, 1000, 100, 64);
    for (const std::uint32_t level : {1u, 2u}) {
        Bench bench({fs_per_us, 0}, watermark(level));
        const auto sent = bench.run(packets, fs_per_us);
        REQUIRE(sent.size() == 64);
        const std::size_t batch = level == 1 ? 8 : 32;  // 512 or 2048 bytes
        for (std::size_t i = 0; i < sent.size(); ++i) {
            const std::size_t in_batch = i % batch;
            const auto complete = static_cast<time_fs>(i - in_batch + batch - 1);
            CHECK(sent[i].start == 1000 + 100 * complete + 64 * static_cast<time_fs>(in_batch));
        }
        CHECK(bench.tx.statistics(RootPortTx::posted).batches == 64 / batch);
    }
}

TEST_CASE("where batches cost time, a larger watermark raises the rate") {
    std::vector<Packet> packets;
    add(packets, RootPortTx::posted, 64, 0, 1, 20'000);
    double rates[3];
    for (std::uint32_t level = 0; level <= 2; ++level)
        rates[level] =
            bytes_of(Bench({fs_per_us, 1000}, watermark(level)).run(packets, 200'000), RootPortTx::posted);
    CHECK(rates[0] == 64 * 200);
    CHECK(rates[1] == Approx(512 * 200).epsilon(0.01));
    CHECK(rates[2] == Approx(200'000).epsilon(0.02));  // all that the link can
}

TEST_CASE("a lower watermark lets leave at once what reaches it") {
    const std::vector<Packet> packets(10, {RootPortTx::posted, 100, 64});
    const auto sent = Bench({fs_per_us, 0}, watermark(2)).run(packets, 5000, {{2000, watermark(1)}});
    REQUIRE(sent.size() == 8);
    CHECK(sent.front().start == 2000);
}

TEST_CASE("taking all out leaves nothing behind") {
    Bench bench({3000, 0}, watermark(1));
    bench.run({{RootPortTx::posted, 70, 600}, {RootPortTx::posted, 80, 64}, {RootPortTx::completion, 90, 64}},
              71);
    int lost = 0;
    bench.tx.clear([&](RootPortTx::Kind, const RootPortTx::Tlp&) { ++lost; });
    CHECK(lost == 0);  // the one that came has been sent
    bench.run({{RootPortTx::posted, 80, 64}, {RootPortTx::completion, 90, 64}}, 100);
    bench.tx.clear([&](RootPortTx::Kind, const RootPortTx::Tlp&) { ++lost; });
    CHECK(lost == 2);
    CHECK(bench.tx.next_release() == never);
    CHECK(bench.tx.next_send(0) == never);
    CHECK(bench.tx.statistics(RootPortTx::posted).lost == 1);
}

TEST_CASE("everything is sent when a literal model sends it") {
    Random random(5, "root port");
    const auto below = [&](std::uint64_t n) { return static_cast<time_fs>(random.next() % n); };
    std::uint64_t waited_for_link = 0;
    std::uint64_t timed_out = 0;
    std::uint64_t filled = 0;
    for (int round = 0; round < 300; ++round) {
        Batching batching;
        batching.timeout_fs = below(4) == 0 ? 0 : below(6000);
        batching.batch_time_fs = below(2) == 0 ? 0 : below(600);
        test::LiteralTx literal;
        literal.timeout = batching.timeout_fs;
        literal.batch_time = batching.batch_time_fs;
        std::vector<Change> changes;
        for (time_fs from = 0; from < 20'000; from += 1 + below(12'000)) {
            Tuning tuning =
                weights(static_cast<std::uint32_t>(below(3)), static_cast<std::uint32_t>(below(3)),
                        static_cast<std::uint32_t>(below(3)));
            tuning[TuneEvent::tx_alloc_buf_level] = static_cast<std::uint32_t>(below(3));
            changes.push_back({from, tuning});
            test::LiteralLevels levels;
            levels.from = from;
            for (std::size_t k = 0; k < 3; ++k)
                levels.weight[k] = 1 << tuning.levels[k];
            levels.watermark = tuning[TuneEvent::tx_alloc_buf_level] == 0   ? 0
                               : tuning[TuneEvent::tx_alloc_buf_level] == 1 ? 512
                                                                            : 2048;
            literal.levels.push_back(levels);
        }
        std::vector<Packet> packets;
        const time_fs spread = 1 + below(400);
        for (time_fs t = 1 + below(50); packets.size() < 100;
             t += below(3) == 0 ? 0 : below(static_cast<std::uint64_t>(spread)))
            packets.push_back({static_cast<RootPortTx::Kind>(below(3)), t,
                               static_cast<std::uint32_t>(4 * (5 + below(below(2) == 0 ? 10 : 130)))});
        for (const Packet& p : packets)
            literal.packets.push_back({p.kind, p.at, p.bytes, -1, -1});
        constexpr time_fs end = 30'000;
        literal.run(end);
        std::vector<test::LiteralPacket> expected;
        for (const test::LiteralPacket& p : literal.packets) {
            if (p.sent < 0) continue;
            expected.push_back(p);
            waited_for_link += p.sent > p.released;
            timed_out += p.released == p.at + literal.timeout;
            filled += p.released > p.at && p.released < p.at + literal.timeout;
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const auto& a, const auto& b) { return a.sent < b.sent; });

        const auto sent = Bench(batching).run(packets, end, changes);
        REQUIRE(sent.size() == expected.size());
        for (std::size_t i = 0; i < sent.size(); ++i) {
            INFO("round " << round << " packet " << i);
            REQUIRE(sent[i].start == expected[i].sent);
            REQUIRE(sent[i].kind == expected[i].kind);
            REQUIRE(sent[i].at == expected[i].at);
        }
    }
    CHECK(waited_for_link > 1000);
    CHECK(timed_out > 1000);
    CHECK(filled > 1000);
}
