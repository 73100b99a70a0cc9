// SPDX-License-Identifier: BSD-3-Clause
#include "moments.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/random.hpp>
#include <tlmetry/generator/request_stream.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::generator;

namespace {

std::vector<Request> first(const Config& config, std::size_t count, std::uint64_t seed = 1) {
    RequestStream stream(config, seed, "port");
    std::vector<Request> requests(count);
    requests.resize(stream.fill(requests.data(), count));
    return requests;
}

/// Five standard deviations of a share found in `count` requests.
double margin(double share, double count) {
    return 5 * std::sqrt(share * (1 - share) / count);
}

}  // namespace

TEST_CASE("The reference load has the means of the report") {
    constexpr std::size_t count = 2'000'000;
    Moments reads;
    Moments writes;
    Moments completions;
    const std::vector<Request> requests = first(reference_load(), count);
    for (const Request& r : requests) {
        REQUIRE((r.flags & flag::last) != 0);
        (r.read ? reads : writes).add(r.length);
        constexpr std::uint64_t mps = 512;
        if (r.read)
            completions.add(static_cast<double>((r.address + r.length - 1) / mps - r.address / mps + 1));
    }
    CHECK(static_cast<double>(reads.count()) / count == Approx(0.2586).margin(margin(0.2586, count)));
    CHECK(writes.mean() == Approx(198).margin(5 * std::sqrt(writes.variance() / 1.4e6)));
    CHECK(reads.mean() == Approx(387).margin(5 * std::sqrt(reads.variance() / 5e5)));
    // 34.8 M/s of 15.0 M reads/s
    CHECK(completions.mean() == Approx(34.8 / (58.0 * 0.2586)).epsilon(0.003));
    CHECK(requests.back().arrival == static_cast<time_fs>(Wide{count - 1} * fs_per_s / 58'000'000));

    // The tables themselves, without chance.
    CHECK(mean_bytes(reference_load().write_size.bands("")) == Approx(198).epsilon(0.0005));
    CHECK(mean_bytes(reference_load().read_size.bands("")) == Approx(387).epsilon(0.0005));
}

TEST_CASE("The presets mix as their names say") {
    constexpr std::size_t count = 100'000;
    const auto share = [](const Config& config) {
        std::size_t reads = 0;
        for (const Request& r : first(config, count)) {
            reads += r.read ? 1 : 0;
            REQUIRE(r.length == 256);
            REQUIRE(r.arrival == 0);
        }
        return static_cast<double>(reads) / count;
    };
    CHECK(share(only_reads(256)) == 1);
    CHECK(share(only_writes(256)) == 0);
    CHECK(share(half_and_half(256)) == Approx(0.5).margin(margin(0.5, count)));
}

TEST_CASE("Shares and sizes are independent of each other") {
    Config config;
    config.read_ppm = 300'000;
    config.no_snoop_ppm = 200'000;
    config.relaxed_ordering_ppm = 700'000;
    config.read_size = Size::weighted("64:1,128:3");
    config.write_size = Size::weighted("32:1,96:1");
    constexpr std::size_t count = 1'000'000;
    double counts[2][4][2] = {};
    double high_half = 0;  // of the region
    double high_half_of_64 = 0;
    for (const Request& r : first(config, count)) {
        const bool large = r.length >= 96;
        REQUIRE((r.length == (r.read ? (large ? 128 : 64) : (large ? 96 : 32))));
        counts[r.read ? 1 : 0][r.flags & 3][large ? 1 : 0] += 1.0 / count;
        const bool high = r.address >= config.base_address + config.region_bytes / 2;
        high_half += high ? 1.0 / count : 0;
        high_half_of_64 += high && r.length == 64 ? 1.0 / count : 0;
    }
    for (int read = 0; read < 2; ++read) {
        for (int flags = 0; flags < 4; ++flags) {
            for (int large = 0; large < 2; ++large) {
                const double expected = (read != 0 ? 0.3 : 0.7) * ((flags & 1) != 0 ? 0.2 : 0.8) *
                                        ((flags & 2) != 0 ? 0.7 : 0.3) *
                                        (read == 0 ? 0.5 : (large != 0 ? 0.75 : 0.25));
                CHECK(counts[read][flags][large] == Approx(expected).margin(margin(expected, count)));
            }
        }
    }
    CHECK(high_half == Approx(0.5).margin(margin(0.5, count)));
    CHECK(high_half_of_64 == Approx(0.0375).margin(margin(0.0375, count)));
}

TEST_CASE("Groups repeat exactly") {
    Config config;
    config.mix = Mix::groups;
    config.writes_per_group = 3;
    config.reads_per_group = 2;
    config.read_size = Size::fixed(100);
    config.write_size = Size::fixed(50);
    std::string kinds;
    for (const Request& r : first(config, 12)) {
        kinds += r.read ? 'R' : 'W';
        CHECK(r.length == (r.read ? 100 : 50));
    }
    CHECK(kinds == "WWWRRWWWRRWW");

    config.writes_per_group = 0;
    for (const Request& r : first(config, 5))
        CHECK(r.read);
    config.writes_per_group = 1;
    config.reads_per_group = 0;
    for (const Request& r : first(config, 5))
        CHECK_FALSE(r.read);
}

TEST_CASE("An operation becomes requests at MPS or MRRS and at 4 KiB") {
    Config config = only_reads(2000);
    config.pattern = Pattern::sequential;
    config.base_address = 0;
    config.offset_bytes = 3000;
    config.mrrs_bytes = 512;
    std::vector<Request> requests = first(config, 6);
    const std::vector<std::pair<std::uint64_t, unsigned>> expected = {
        {3000, 512}, {3512, 512}, {4024, 72}, {4096, 512}, {4608, 392}, {3000 + 4096, 512}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(requests[i].address == expected[i].first);
        CHECK(requests[i].length == expected[i].second);
        CHECK(((requests[i].flags & flag::last) != 0) == (i == 4));
    }

    config.split = false;
    requests = first(config, 1);
    CHECK(requests[0].length == 2000);
    CHECK(requests[0].flags == flag::last);
}

TEST_CASE("A rate counts every request of an operation, which arrive together") {
    Config config = only_writes(1024);
    config.mps_bytes = 256;
    config.rate = Rate::requests;
    config.requests_per_s = fs_per_s / fs_per_ps;
    std::vector<Request> requests = first(config, 9);
    CHECK(requests[3].arrival == 0);
    CHECK(requests[4].arrival == 4 * fs_per_ps);
    CHECK(requests[8].arrival == 8 * fs_per_ps);

    config.rate = Rate::payload;
    config.payload_bits_per_s = 8'000'000'000;  // 1 B/ns
    requests = first(config, 9);
    CHECK(requests[4].arrival == 1024 * fs_per_ns);
    CHECK(requests[8].arrival == 2048 * fs_per_ns);
}

TEST_CASE("A stream has a start, a stop and a limit") {
    Config config = only_writes(64);
    config.rate = Rate::requests;
    config.requests_per_s = fs_per_s / fs_per_ps;
    config.start_fs = 1000;
    config.stop_fs = 5000;
    CHECK(first(config, 100).size() == 4);
    CHECK(first(config, 100).front().arrival == 1000);
    config.stop_fs = 5001;
    CHECK(first(config, 100).size() == 5);
    config.max_requests = 3;
    CHECK(first(config, 100).size() == 3);
    config.stop_fs = config.start_fs;
    CHECK(first(config, 100).empty());

    config = only_writes(1024);
    config.max_requests = 6;  // the second operation is cut
    RequestStream stream(config, 1, "port");
    for (int i = 0; i < 6; ++i) {
        CHECK_FALSE(stream.empty());
        stream.pop();
    }
    CHECK(stream.empty());
    CHECK(stream.front().arrival == never);
    stream.pop();
    CHECK(stream.empty());
}

TEST_CASE("Limits may change, from the front on") {
    Config config = only_writes(1024);
    config.pattern = Pattern::sequential;
    RequestStream stream(config, 1, "port");
    stream.pop();
    stream.set_limits(512, 512);
    CHECK(stream.front().address == config.base_address + 256);
    CHECK(stream.front().length == 512);
    stream.pop();
    stream.set_limits(128, 512);
    CHECK(stream.front().length == 128);
    stream.pop();
    CHECK(stream.front().address == config.base_address + 896);
    CHECK((stream.front().flags & flag::last) != 0);
    CHECK_THROWS_AS(stream.set_limits(100, 512), UserError);
}

TEST_CASE("Sequences differ by seed and by name and stay what they are") {
    const auto digest = [](std::uint64_t seed, const char* name) {
        RequestStream stream(reference_load(), seed, name);
        std::uint64_t hash = 0;
        for (int i = 0; i < 1000; ++i, stream.pop()) {
            const Request& r = stream.front();
            hash = (hash ^ r.address ^ r.length ^ static_cast<std::uint64_t>(r.arrival)) * 0x100'0000'01B3;
        }
        return hash;
    };
    CHECK(digest(1, "port") != digest(2, "port"));
    CHECK(digest(1, "port") != digest(1, "port1"));
    CHECK(digest(1, "port") == 0xFD3C'28C2'0D89'F619);
}

TEST_CASE("Blocks hold what comes one by one") {
    // Everything that a block may pass over, on and off.
    const int kind = GENERATE(range(0, 64));
    CAPTURE(kind);
    Config config = reference_load();
    if ((kind & 1) != 0) config.rate = Rate::payload;
    if ((kind & 2) != 0) config.spacing = Spacing::exponential;
    if ((kind & 4) != 0) config.pattern = Pattern::sequential;
    if ((kind & 8) != 0) config.mps_bytes = 128;  // cuts writes
    if ((kind & 16) != 0) config.burst_requests = 10;
    if ((kind & 32) != 0) config.mix = Mix::groups;
    config.payload_bits_per_s = 200'000'000'000;
    config.max_requests = 700;
    config.stop_fs = kind % 3 == 0 ? 9 * fs_per_us : never;
    RequestStream blocks(config, 5, "port");
    RequestStream single(config, 5, "port");
    Random random(static_cast<std::uint64_t>(kind), "blocks");
    std::uint64_t operations = 0;
    std::size_t total = 0;
    for (time_fs now = 0; !single.empty(); now += random.below(2'000'000'000)) {
        std::vector<Request> requests(random.below(70));
        requests.resize(blocks.fill(requests.data(), requests.size(), now));
        for (const Request& r : requests) {
            const Request& front = single.front();
            REQUIRE(r.arrival < now);
            REQUIRE(r.arrival == front.arrival);
            REQUIRE(r.address == front.address);
            REQUIRE(r.length == front.length);
            REQUIRE(r.read == front.read);
            REQUIRE(r.flags == front.flags);
            operations += (r.flags & flag::last) != 0;
            single.pop();
        }
        total += requests.size();
        CHECK(blocks.operations() == operations);
        CHECK(blocks.front().arrival == single.front().arrival);
        if (requests.size() < 70 && !single.empty() && random.chance(1, 20)) {
            for (RequestStream* stream : {&blocks, &single})
                stream->set_limits(256u << (total % 3), 4096);
        }
    }
    CHECK(total >= 50);
    CHECK(blocks.empty());
}

TEST_CASE("A stream can be moved") {
    RequestStream stream(half_and_half(512), 3, "port");
    RequestStream same(half_and_half(512), 3, "port");
    std::vector<RequestStream> streams;
    streams.push_back(std::move(stream));
    for (int i = 0; i < 100; ++i) {
        REQUIRE(streams[0].front().address == same.front().address);
        streams[0].pop();
        same.pop();
    }
}
