// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

Config bounded(std::uint32_t lines) {
    Config config = plain(500 * ns);
    config.lines_in_flight = lines;
    config.line_service_fs = 10 * ns;
    return config;
}

}  // namespace

TEST_CASE("A large read is ready in steps of the lines in flight") {
    for (const std::uint32_t lines : {1U, 4U}) {
        RootComplex host(bounded(lines), 1, 1);
        CHECK(host.read(0, read_at(0, 0, 4096)) == 500 * ns);
        for (std::uint32_t i = 0; i < 64; ++i)
            CHECK(host.line_ready(i) == (500 + 10 * time_fs{i / lines}) * ns);
    }
}

TEST_CASE("The time of the last byte of a read is a staircase with steps of 64 bytes") {
    time_fs before = 0;
    for (std::uint32_t bytes = 1; bytes <= 512; ++bytes) {
        RootComplex host(bounded(1), 1, 1);
        host.read(0, read_at(0, 0, bytes));
        const time_fs last = host.line_ready((bytes - 1) / 64);
        CHECK(last - before == (bytes == 1 ? 500 * ns : bytes % 64 == 1 ? 10 * ns : 0));
        before = last;
    }
}

TEST_CASE("A read waits for the lines in front of it, each endpoint by itself") {
    RootComplex host(bounded(2), 2, 1);
    host.read(0, read_at(0, 0, 192));  // lines at 0, 0 and 10 ns; a place is free again at 10 and 20
    CHECK(host.line_ready(2) == 510 * ns);
    CHECK(host.read(1, read_at(1 * ns)) == 501 * ns);
    CHECK(host.read(0, read_at(1 * ns)) == 510 * ns);
    CHECK(host.read(0, read_at(1 * ns)) == 520 * ns);
    CHECK(host.statistics(0).read_wait_fs == static_cast<std::uint64_t>(28 * ns));
    CHECK(host.read(0, read_at(29 * ns)) == 529 * ns);
    CHECK(host.read(0, read_at(30 * ns)) == 530 * ns);
}

TEST_CASE("Lines in flight bound the rate of reads to lines per service time") {
    RootComplex host(bounded(4), 1, 1);
    Sources sources(host);
    sources.keep(0, true, 512, 64);
    constexpr time_fs end = fs_per_ms;
    sources.run(end);
    CHECK(rate(sources.done(0), end) == Approx(4 * 64 / 10e-9).epsilon(0.001));
}

TEST_CASE("Ordered reads also wait for the last line of the read in front") {
    const auto early = [](bool ordered) {
        Config config = bounded(4);
        config.latency = Latency::uniform;
        config.ordered = ordered;
        RootComplex host(config, 1, 1);
        int after_first = 0;
        int after_last = 0;
        time_fs first = 0;
        time_fs last = 0;
        for (int i = 0; i < 1000; ++i) {
            const time_fs ready = host.read(0, read_at(i * 100 * ns, 0, 1024));
            after_first += ready >= first ? 1 : 0;
            after_last += ready >= last ? 1 : 0;
            first = ready;
            last = std::max(last, host.line_ready(15));
        }
        return after_first - after_last;
    };
    CHECK(early(false) > 10);
    CHECK(early(true) == 0);
}
