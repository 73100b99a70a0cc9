// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <tlmetry/base/error.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::host;

TEST_CASE("A change holds for what arrives at its time or later") {
    RootComplex host(plain(500 * ns), 1, 1);
    host.change_at(3000 * ns, plain(400 * ns));
    host.change_at(2000 * ns, plain(2000 * ns));
    CHECK(host.least_latency_fs() == 400 * ns);
    CHECK(host.read(0, read_at(2000 * ns - 1)) == 2500 * ns - 1);
    CHECK(host.read(0, read_at(2000 * ns)) == 4000 * ns);
    CHECK(host.read(0, read_at(3000 * ns - 1)) == 5000 * ns - 1);
    Config writes = plain(400 * ns);
    writes.commit_latency_fs = 7 * ns;
    host.change_at(4000 * ns, writes);
    CHECK(host.read(0, read_at(3000 * ns)) == 3400 * ns);
    host.write(0, write_at(4000 * ns));
    CHECK(host.last_commit(0) == 4007 * ns);
}

TEST_CASE("Changes keep what is waiting, translations, statistics and read numbers") {
    Config config = plain(500 * ns);
    config.iotlb_entries = 4;
    config.iotlb_miss_fs = 100 * ns;
    config.memory_read_bytes_per_s = 64'000'000'000;
    RootComplex host(config, 1, 1);
    host.read(0, read_at(0, 0, 4096));  // 64 ns of work
    config.latency_fs = 1000 * ns;
    config.lost_reads = {0, 2};
    host.change_at(10 * ns, config);
    CHECK(host.read(0, read_at(10 * ns)) == 1100 * ns);  // translated with the first one, at 100 ns
    CHECK(host.read(0, read_at(10 * ns)) == never);      // the third of all
    CHECK(host.total().iotlb_hits == 2);
    CHECK(host.total().reads_lost == 1);
    config.iotlb_entries = 0;
    host.change_at(20 * ns, config);
    CHECK(host.read(0, read_at(20 * ns)) == 1066 * ns);
}

TEST_CASE("A change leaves the random numbers of reads as they are") {
    Config config;
    config.latency = Latency::uniform;
    RootComplex left(config, 1, 1);
    RootComplex changed(config, 1, 1);
    changed.change_at(10, config);
    for (int i = 0; i < 200; ++i)
        CHECK(changed.read(0, read_at(i)) == left.read(0, read_at(i)));
}

TEST_CASE("A change can switch features on and off again") {
    RootComplex host(plain(500 * ns), 1, 1);
    Config lossy = plain(500 * ns);
    lossy.lost_reads = {0, 1};
    host.change_at(10 * ns, lossy);
    host.change_at(20 * ns, plain(500 * ns));
    CHECK(host.read(0, read_at(0)) == 500 * ns);
    CHECK(host.read(0, read_at(10 * ns)) == never);
    CHECK(host.read(0, read_at(20 * ns)) == 520 * ns);
    CHECK(host.line_ready(0) == 520 * ns);
    Config refused;
    refused.cache_ppm = million + 1;
    CHECK_THROWS_AS(host.change_at(30 * ns, refused), UserError);
}
