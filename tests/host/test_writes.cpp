// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

Config writing() {
    Config config;
    config.commit_latency_fs = 100 * ns;
    config.write_cost_fs = 5 * ns;
    return config;
}

time_fs commit(RootComplex& host, time_fs t, std::uint8_t flags = 0) {
    host.write(0, write_at(t, 0, 64, flags));
    return host.last_commit(0);
}

}  // namespace

TEST_CASE("Writes commit after their latency, and one after the other") {
    RootComplex host(writing(), 1, 1);
    CHECK(commit(host, 0) == 100 * ns);
    CHECK(commit(host, 0) == 105 * ns);
    CHECK(commit(host, 9 * ns) == 110 * ns);
    CHECK(commit(host, 10 * ns) == 115 * ns);
    CHECK(commit(host, 20 * ns) == 120 * ns);
    CHECK(commit(host, 21 * ns) == 125 * ns);
    CHECK(host.total().writes == 6);
    CHECK(host.total().write_commit_fs == static_cast<std::uint64_t>((675 - 60) * ns));
}

TEST_CASE("A write with relaxed ordering waits for no other, but others for it") {
    Config config = writing();
    config.iotlb_entries = 1;
    config.iotlb_miss_fs = 50 * ns;
    RootComplex host(config, 1, 1);
    CHECK(commit(host, 0) == 150 * ns);
    CHECK(commit(host, 10 * ns, relaxed_ordering) == 150 * ns);
    CHECK(commit(host, 10 * ns) == 155 * ns);
    CHECK(commit(host, 52 * ns, relaxed_ordering) == 152 * ns);
    CHECK(commit(host, 52 * ns) == 160 * ns);
    CHECK(commit(host, 100 * ns, relaxed_ordering) == 200 * ns);
    CHECK(commit(host, 100 * ns) == 205 * ns);
}

TEST_CASE("Writes of different endpoints commit independently") {
    RootComplex host(writing(), 2, 1);
    host.write(0, write_at(0));
    host.write(1, write_at(0));
    CHECK(host.last_commit(0) == 100 * ns);
    CHECK(host.last_commit(1) == 100 * ns);
}

TEST_CASE("The first write of a run waits for none") {
    Config config = writing();
    config.commit_latency_fs = 0;
    RootComplex host(config, 1, 1);
    CHECK(commit(host, 0) == 0);
    CHECK(commit(host, 0) == 5 * ns);
}

TEST_CASE("The cost of a write bounds the rate of ordered writes") {
    RootComplex host(writing(), 1, 1);
    Sources sources(host);
    sources.keep(0, false, 64, 64);
    sources.run(fs_per_ms);
    CHECK(rate(sources.done(0), fs_per_ms) == Approx(64 / 5e-9).epsilon(0.001));
}

TEST_CASE("Writing parts of lines takes the bandwidth of the lines read to merge them") {
    Config config = writing();
    config.write_cost_fs = 0;
    config.memory_bytes_per_s = 64'000'000'000;  // 1 ns a line
    RootComplex host(config, 1, 1);
    host.write(0, write_at(0, 0x20, 64));
    CHECK(host.last_commit(0) == 103 * ns);
    host.write(0, write_at(0, 0x40, 64));
    CHECK(host.last_commit(0) == 104 * ns);
}
