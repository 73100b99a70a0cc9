// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::host;

TEST_CASE("Listed reads are never answered") {
    Config config = plain(500 * ns);
    config.lost_reads = {7, 0, 3, 3, 4};
    RootComplex host(config, 2, 1);
    for (int i = 0; i < 20; ++i) {
        const bool lost = i == 0 || i == 3 || i == 4 || i == 7;
        CHECK(host.read(i % 2 == 0 ? 0 : 1, read_at(i)) == (lost ? never : 500 * ns + i));
        CHECK(host.line_ready(0) == 500 * ns + i);
        host.write(0, write_at(i));
    }
    CHECK(host.statistics(0).reads_lost == 2);
    CHECK(host.statistics(1).reads_lost == 2);
    CHECK(host.total().reads == 20);
    CHECK(host.total().read_latency_fs == static_cast<std::uint64_t>(16 * 500 * ns));
}

TEST_CASE("Reads are lost with their probability") {
    Config config = plain(500 * ns);
    config.lost_ppb = 20'000'000;
    RootComplex host(config, 1, 1);
    constexpr int count = 200'000;
    int lost = 0;
    for (int i = 0; i < count; ++i)
        lost += host.read(0, read_at(i)) == never ? 1 : 0;
    CHECK(lost == Approx(0.02 * count).epsilon(0.06));
    CHECK(host.total().reads_lost == static_cast<std::uint64_t>(lost));

    config.lost_ppb = 1'000'000'000;
    RootComplex none(config, 1, 1);
    for (int i = 0; i < 1000; ++i)
        CHECK(none.read(0, read_at(i)) == never);
}

TEST_CASE("Losses do not change what becomes of the other reads") {
    Config config;
    config.latency = Latency::uniform;
    config.memory_read_bytes_per_s = 10'000'000'000;
    config.ordered = true;
    RootComplex all(config, 1, 1);
    config.lost_ppb = 100'000'000;
    RootComplex some(config, 1, 1);
    int lost = 0;
    for (int i = 0; i < 1000; ++i) {
        const time_fs expected = all.read(0, read_at(i * ns, 0, 256));
        const time_fs ready = some.read(0, read_at(i * ns, 0, 256));
        lost += ready == never ? 1 : 0;
        if (ready != never) CHECK(ready == expected);
    }
    CHECK(lost > 50);
}
