// SPDX-License-Identifier: BSD-3-Clause
// What a port is asked for, and when: rates, look-ahead, and the closed loop of software.
#include <tlmetry/card/dma_source.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

using namespace tlmetry;
using card::DmaSource;

namespace {

constexpr std::uint64_t seed = 3;
constexpr std::size_t block = 5;

generator::Config reads(std::uint32_t bytes) {
    return generator::only_reads(bytes);
}

/// Takes all requests that are known before `now`.
std::vector<endpoint::Request> take(DmaSource& source, time_fs now, std::size_t most = 1000) {
    std::vector<endpoint::Request> result;
    endpoint::Request requests[block];
    while (result.size() < most) {
        const std::size_t count = source.fetch(requests, std::min(block, most - result.size()), now);
        if (count == 0) break;
        result.insert(result.end(), requests, requests + count);
    }
    return result;
}

}  // namespace

TEST_CASE("requests come as the stream makes them, whatever the size of its blocks") {
    generator::Config config = generator::half_and_half(256);
    config.max_requests = 500;
    DmaSource source(config, seed, "port");
    generator::RequestStream stream(config, seed, "port");
    const auto requests = take(source, fs_per_s);
    REQUIRE(requests.size() == 500);
    for (const endpoint::Request& request : requests) {
        CHECK(request.arrival == stream.front().arrival);
        CHECK(request.address == stream.front().address);
        CHECK(request.length == stream.front().length);
        CHECK(request.read == stream.front().read);
        CHECK(request.flags == stream.front().flags);
        stream.pop();
    }
    CHECK(source.statistics().requests == 500);
    CHECK(source.statistics().operations == 500);
}

TEST_CASE("a request that arrives later is not known yet") {
    generator::Config config = generator::only_writes(256);
    config.rate = generator::Rate::requests;
    config.requests_per_s = 1'000'000;
    DmaSource source(config, seed, "port");
    CHECK(take(source, fs_per_us).size() == 1);
    CHECK(take(source, fs_per_us + 1).size() == 1);
    CHECK(take(source, 10 * fs_per_us).size() == 8);
}

TEST_CASE("one outstanding read: the next starts a gap and a copy after its end") {
    generator::Config config = reads(64);
    config.outstanding_max = 1;
    config.gap_fs = 1000;
    config.gap_fs_per_byte = 10;
    DmaSource source(config, seed, "port");
    CHECK(take(source, fs_per_us).size() == 1);
    source.read_done(0, 5000);
    const time_fs start = 5000 + 1000 + 640;
    CHECK(take(source, start).empty());
    const auto next = take(source, start + 1);
    REQUIRE(next.size() == 1);
    CHECK(next[0].arrival == start);
    CHECK(take(source, fs_per_us).empty());
}

TEST_CASE("an operation of several reads ends with the last of them to be done") {
    generator::Config config = reads(2048);
    config.outstanding_max = 2;
    config.alignment_bytes = 4096;
    DmaSource source(config, seed, "port");
    REQUIRE(take(source, fs_per_us).size() == 8);  // two operations of four requests
    source.read_done(4, 100);
    source.read_done(7, 200);
    source.read_done(5, 300);
    source.read_done(0, 350);
    CHECK(take(source, fs_per_us).empty());
    source.read_done(6, 400);
    const auto next = take(source, fs_per_us);
    REQUIRE(next.size() == 4);
    for (const auto& request : next)
        CHECK(request.arrival == 400);
    CHECK(source.statistics().operations == 3);
}

TEST_CASE("request by request, one read of an operation is under way at a time") {
    generator::Config config = reads(2048);
    config.outstanding_max = 1;
    config.request_by_request = true;
    DmaSource source(config, seed, "port");
    for (std::uint64_t number = 0; number < 6; ++number) {
        const time_fs t = 100 * static_cast<time_fs>(number);
        if (number != 0) source.read_done(number - 1, t);
        const auto next = take(source, fs_per_us);
        REQUIRE(next.size() == 1);
        CHECK(next[0].length == 512);
        CHECK(next[0].arrival == t);
    }
    CHECK(source.statistics().operations == 1);
}

TEST_CASE("a write is posted: the gap runs from its start") {
    generator::Config config = generator::only_writes(128);
    config.outstanding_max = 1;
    config.gap_fs = 1000;
    DmaSource source(config, seed, "port");
    const auto writes = take(source, 3500);
    REQUIRE(writes.size() == 4);
    for (std::size_t w = 0; w < writes.size(); ++w)
        CHECK(writes[w].arrival == static_cast<time_fs>(w) * 1000);
}

TEST_CASE("room is taken in the order of time, however much is asked for at once") {
    generator::Config config = generator::half_and_half(64);
    config.outstanding_max = 4;
    config.gap_fs = 700;
    const auto run = [&](time_fs step) {
        DmaSource source(config, seed, "port");
        std::vector<time_fs> arrivals;
        std::vector<std::pair<time_fs, std::uint64_t>> reading;  // when it is done, and its number
        for (time_fs now = step; now <= 60'000; now += step) {
            for (;;) {
                // All that is done before `now` is told before it is asked.
                const auto done = std::min_element(reading.begin(), reading.end());
                if (done == reading.end() || done->first >= now) break;
                source.read_done(done->second, done->first);
                reading.erase(done);
            }
            for (const auto& request : take(source, now)) {
                if (request.read) reading.emplace_back(request.arrival + 3000, arrivals.size());
                arrivals.push_back(request.arrival);
            }
        }
        return arrivals;
    };
    const auto arrivals = run(100);
    CHECK(arrivals.size() > 60);
    CHECK(std::is_sorted(arrivals.begin(), arrivals.end()));
    for (const time_fs step : {1, 50, 600})
        CHECK(run(step) == arrivals);
}
