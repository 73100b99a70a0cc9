// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

constexpr time_fs run_time = 2 * fs_per_ms;
constexpr time_fs warm = fs_per_ms;
constexpr std::uint64_t giga = 1'000'000'000;

struct Rates {
    double reads;
    double writes;
};

/// Reads and writes of one endpoint, each as fast as possible with `outstanding` under way.
Rates saturated(const Config& config, int outstanding = 256) {
    RootComplex host(config, 1, 1);
    Sources sources(host);
    sources.keep(0, true, 256, outstanding);
    sources.keep(0, false, 256, outstanding);
    sources.run(run_time, warm);
    return {rate(sources.done(0), run_time - warm), rate(sources.done(1), run_time - warm)};
}

}  // namespace

TEST_CASE("Any number of endpoints share the ceiling of reads, and reach it exactly") {
    // Rates whose time per line is and is not a whole number of femtoseconds.
    for (const std::uint64_t ceiling : {64 * giga, std::uint64_t{37'123'456'789}}) {
        for (std::uint32_t endpoints = 1; endpoints <= 4; ++endpoints) {
            Config config = plain(500 * ns);
            config.memory_read_bytes_per_s = ceiling;
            RootComplex host(config, endpoints, 1);
            Sources sources(host);
            for (std::uint32_t e = 0; e < endpoints; ++e)
                sources.keep(e, true, 512, 256);
            sources.run(run_time);
            std::uint64_t sum = 0;
            for (std::uint32_t e = 0; e < endpoints; ++e) {
                sum += sources.done(e);
                CHECK(sources.done(e) == Approx(static_cast<double>(sources.done(0))).epsilon(0.01));
            }
            // All the time but the first latency is used, to a request.
            const double possible = static_cast<double>(ceiling) * static_cast<double>(run_time - 500 * ns) /
                                    static_cast<double>(fs_per_s);
            CHECK(static_cast<double>(sum) == Approx(possible).margin(1025));
        }
    }
}

TEST_CASE("A ceiling above what is asked for costs nothing") {
    Config config = plain(500 * ns);
    config.memory_read_bytes_per_s = 64 * giga;
    config.memory_bytes_per_s = 64 * giga;
    RootComplex host(config, 1, 1);
    for (int i = 0; i < 1000; ++i) {
        const time_fs t = i * 8 * ns;
        CHECK(host.read(0, read_at(t, 0, 512)) == t + 500 * ns);
        CHECK(host.line_ready(7) == t + 507 * ns);
    }
    CHECK(host.total().read_wait_fs == 0);
    // A read that comes too early waits for the rest.
    CHECK(host.read(0, read_at(8001 * ns)) == 8501 * ns);
    CHECK(host.read(0, read_at(8001 * ns)) == 8502 * ns);
}

TEST_CASE("The ceiling counts lines touched, not bytes asked for") {
    Config config = plain(500 * ns);
    config.memory_read_bytes_per_s = 64 * giga;
    RootComplex host(config, 1, 1);
    CHECK(host.read(0, read_at(0, 0x3C, 8)) == 500 * ns);  // two lines
    CHECK(host.read(0, read_at(0, 0, 8)) == 502 * ns);
    CHECK(host.read(0, read_at(0, 0, 8)) == 503 * ns);
    host.write(0, write_at(0, 0x20, 64));  // reads two lines more to merge
    CHECK(host.read(0, read_at(0, 0, 8)) == 506 * ns);
}

TEST_CASE("Data from a cache needs no memory bandwidth") {
    Config config = plain(500 * ns);
    config.memory_read_bytes_per_s = giga;
    config.cache_ppm = million;
    RootComplex host(config, 1, 1);
    for (int i = 0; i < 100; ++i)
        CHECK(host.read(0, read_at(0, 0, 4096)) == 500 * ns);
}

TEST_CASE("Data from a cache does not wait for that of the memory") {
    Config config = plain(500 * ns);
    config.memory_bytes_per_s = giga;
    config.cache_ppm = 500'000;
    RootComplex host(config, 1, 1);
    int late = 0;
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t cached = host.total().reads_cached;
        const time_fs ready = host.read(0, read_at(0, 0, 4096));
        if (host.total().reads_cached != cached) {
            CHECK(ready == 500 * ns);
            CHECK(host.line_ready(63) == 500 * ns);
        } else {
            late += ready > 500 * ns ? 1 : 0;
        }
    }
    CHECK(late > 30);
}

TEST_CASE("A write commits when its last line may be written and the last one to merge is read") {
    Config config = plain(500 * ns);
    config.commit_latency_fs = 100 * ns;
    config.memory_write_bytes_per_s = 64 * giga;  // 1 ns a line
    config.memory_read_bytes_per_s = 32 * giga;
    RootComplex host(config, 1, 1);
    host.write(0, write_at(0, 0, 4096));
    CHECK(host.last_commit(0) == 163 * ns);
    host.read(0, read_at(0, 0, 4096));  // 128 ns
    host.write(0, write_at(0, 0x20, 64));
    CHECK(host.last_commit(0) == 230 * ns);
}

TEST_CASE("Writes have a ceiling of their own") {
    for (std::uint32_t endpoints = 1; endpoints <= 4; ++endpoints) {
        Config config = plain(500 * ns);
        config.memory_write_bytes_per_s = 20 * giga;
        RootComplex host(config, endpoints, 1);
        Sources sources(host);
        for (std::uint32_t e = 0; e < endpoints; ++e)
            sources.keep(e, false, 256, 64);
        sources.keep(0, true, 256, 64);  // not concerned
        sources.run(run_time);
        std::uint64_t sum = 0;
        for (std::uint32_t e = 0; e < endpoints; ++e)
            sum += sources.done(e);
        CHECK(rate(sum, run_time) == Approx(20e9).epsilon(0.0002));
        CHECK(rate(sources.done(endpoints), run_time) == Approx(64 * 256 / 500e-9).epsilon(0.001));
    }
}

TEST_CASE("Reads and writes that both wait share a ceiling by their weights") {
    Config config = plain(500 * ns);
    config.memory_bytes_per_s = 10 * giga;
    struct Row {
        std::uint32_t read_weight;
        std::uint32_t write_weight;
    };
    for (const Row row : {Row{1, 1}, Row{1, 3}, Row{3, 1}, Row{2, 5}, Row{3, 2}}) {
        INFO("weights " << row.read_weight << ":" << row.write_weight);
        config.read_weight = row.read_weight;
        config.write_weight = row.write_weight;
        const Rates rates = saturated(config);
        const double share = static_cast<double>(row.read_weight) / (row.read_weight + row.write_weight);
        CHECK(rates.reads == Approx(10e9 * share).epsilon(0.001));
        CHECK(rates.writes == Approx(10e9 * (1 - share)).epsilon(0.001));
        CHECK(rates.reads + rates.writes == Approx(10e9).epsilon(0.0002));
    }
}

TEST_CASE("What one direction leaves of a shared ceiling the other gets") {
    Config config = plain(500 * ns);
    config.memory_bytes_per_s = 10 * giga;
    RootComplex host(config, 1, 1);
    Sources sources(host);
    sources.keep(0, true, 256, 256);
    sources.every(128 * ns, 0, false, 256);  // 2 GB/s, less than half
    sources.run(run_time);
    CHECK(rate(sources.done(0), run_time) == Approx(8e9).epsilon(0.001));
    CHECK(rate(sources.done(1), run_time) == Approx(2e9).epsilon(0.001));
}

TEST_CASE("When writes are favoured, reads beside them halve and writes stay") {
    const auto together = [](std::uint32_t read_weight, std::uint32_t write_weight, int reads, bool writes) {
        Config config = plain(500 * ns);
        config.memory_bytes_per_s = 10 * giga;
        config.read_weight = read_weight;
        config.write_weight = write_weight;
        RootComplex host(config, 1, 1);
        Sources sources(host);
        sources.keep(0, true, 256, reads);
        if (writes) {
            sources.every(51'200'000, 0, false, 256);  // 5 GB/s
        } else {
            sources.keep(0, false, 256, 0);
        }
        sources.run(run_time, warm);
        return Rates{rate(sources.done(0), run_time - warm), rate(sources.done(1), run_time - warm)};
    };
    CHECK(together(1, 3, 256, false).reads == Approx(10e9).epsilon(0.001));
    CHECK(together(1, 3, 0, true).writes == Approx(5e9).epsilon(0.001));
    const Rates both = together(1, 3, 256, true);
    CHECK(both.reads == Approx(5e9).epsilon(0.001));
    CHECK(both.writes == Approx(5e9).epsilon(0.001));
    // An arbiter that favours reads leaves them their share.
    CHECK(together(3, 1, 256, true).reads == Approx(7.5e9).epsilon(0.001));
}

TEST_CASE("A shared ceiling tells starts as if lines were infinitely small") {
    SharedCeiling memory;
    memory.set_rate(64 * giga, 1, 3);  // 1 ns a line
    memory.take(SharedCeiling::write, 0, 3);
    CHECK(memory.start(0) == 0);
    CHECK(memory.start(2) == 2 * ns);
    // A quarter of the rate until the writes are done, which is when it has had a line of four.
    memory.take(SharedCeiling::read, 0, 2);
    CHECK(memory.start(0) == 3 * ns);
    CHECK(memory.start(1) == 4 * ns);
    // At 2 ns 1.5 lines of both are left.
    memory.take(SharedCeiling::read, 2 * ns, 1);
    CHECK(memory.start(0) == 5 * ns);
    memory.take(SharedCeiling::write, 2 * ns, 1);
    CHECK(memory.start(0) == Approx(static_cast<double>(2 * ns + 2.5 * 4 / 3 * ns - ns)).margin(1));
    // All five lines and the three of the start take 7 ns.
    memory.take(SharedCeiling::read, 7 * ns, 1);
    CHECK(memory.start(0) == 7 * ns);
    memory.take(SharedCeiling::read, 7 * ns, 1);
    CHECK(memory.start(0) == 8 * ns);
}

TEST_CASE("An overload without end does not leave the range of times") {
    Config config = plain(500 * ns);
    config.memory_bytes_per_s = 1'000'000;
    config.memory_read_bytes_per_s = 1'000'000;
    config.memory_write_bytes_per_s = 1'000'000;
    config.lines_in_flight = 1;
    config.line_service_fs = fs_per_s;
    RootComplex host(config, 1, 1);
    time_fs ready = 0;
    for (int i = 0; i < 100'000; ++i) {
        host.write(0, write_at(i, 0, 4096));
        ready = host.read(0, read_at(i, 0, 4096));
    }
    CHECK(ready > fs_per_s);
    CHECK(ready < never + fs_per_s);
    CHECK(host.last_commit(0) < never + fs_per_s);
}
