// SPDX-License-Identifier: BSD-3-Clause
// At which MI edge an access is sampled, and when the initiator has its answer.
#include "bench.hpp"

using namespace tlmetry;
using namespace tlmetry::mi;
using namespace tlmetry::mi::test;

namespace {

using Data = std::vector<std::uint8_t>;

constexpr auto rd = tlm::TLM_READ_COMMAND;
constexpr auto wr = tlm::TLM_WRITE_COMMAND;

// Reads or writes `words` words at the kernel's time plus `delay` and returns the returned delay.
time_fs timed(RawInitiator& i, tlm::tlm_command command, time_fs delay, std::size_t words = 1) {
    Data data(4 * words);
    CHECK(i.send(command, 0, data, delay) == tlm::TLM_OK_RESPONSE);
    return delay;
}

std::vector<cycle_t> edges(const LoggingDevice& device) {
    std::vector<cycle_t> result;
    for (const Seen& s : device.log) {
        result.push_back(s.edge);
    }
    return result;
}

}  // namespace

TEST_CASE("an access exactly on an edge is sampled at it, one femtosecond later at the next") {
    TargetBench bench(
        [](RawInitiator& i) {  // edges at 3, 13, 23, ... ns
            CHECK(timed(i, rd, 13 * ns - 1) == 33 * ns);
            CHECK(timed(i, rd, 33 * ns) == 53 * ns);
            CHECK(timed(i, rd, 53 * ns + 1) == 83 * ns);
            CHECK(timed(i, wr, 93 * ns) == 103 * ns);
            CHECK(timed(i, wr, 103 * ns + 1) == 123 * ns);
        },
        10 * ns, 3 * ns);
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{1, 3, 6, 9, 11});
    CHECK(bench.target.late_accesses() == 0);
}

TEST_CASE("the returned delay counts from the time of the kernel") {
    TargetBench bench([](RawInitiator& i) {
        sc_core::wait(to_sc_time(1234567));
        CHECK(timed(i, rd, 0) == 30 * ns - 1234567);  // sampled at 10 ns
        sc_core::wait(to_sc_time(40 * ns - 1234567));
        CHECK(timed(i, rd, 0) == 20 * ns);  // sampled at 40 ns
    });
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{1, 4});
}

TEST_CASE("reads in a row take two cycles each, writes one, words of a burst one") {
    TargetBench bench([](RawInitiator& i) {
        time_fs t = 0;
        t = timed(i, rd, t);  // 0
        t = timed(i, rd, t);  // 2
        t = timed(i, wr, t);  // 4
        t = timed(i, wr, t);  // 5
        t = timed(i, rd, t);  // 6: a read in the cycle after a write
        CHECK(t == 80 * ns);
        t = timed(i, rd, t, 3);  // 8, 9, 10
        CHECK(t == 120 * ns);
        t = timed(i, wr, t, 3);  // 12, 13, 14
        CHECK(t == 150 * ns);
    });
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{0, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14});
    CHECK(bench.target.late_accesses() == 0);
}

TEST_CASE("accesses meant for the same cycle follow each other and are not late") {
    TargetBench bench([](RawInitiator& i) {
        CHECK(timed(i, rd, 50 * ns) == 70 * ns);
        CHECK(timed(i, rd, 50 * ns) == 80 * ns);
        CHECK(timed(i, wr, 50 * ns, 2) == 90 * ns);
        CHECK(timed(i, rd, 60 * ns) == 110 * ns);
    });
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{5, 6, 7, 8, 9});
    CHECK(bench.target.late_accesses() == 0);
}

TEST_CASE("an access out of order is served after the last one and counted") {
    TargetBench bench([](RawInitiator& i) {
        CHECK(timed(i, rd, 500 * ns) == 520 * ns);
        CHECK(timed(i, rd, 490 * ns + 1) == 530 * ns);  // meant for the same edge: not late
        CHECK(timed(i, rd, 490 * ns) == 540 * ns);      // late
        CHECK(timed(i, wr, 0, 2) == 550 * ns);          // late, once
        CHECK(timed(i, rd, 100 * ns) == 570 * ns);      // late: earlier than the first
        CHECK(timed(i, rd, 540 * ns) == 580 * ns);      // the cycle is taken, yet in order
    });
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{50, 51, 52, 53, 54, 55, 56});
    CHECK(bench.target.late_accesses() == 3);
}

TEST_CASE("refused accesses take no cycle") {
    TargetBench bench([](RawInitiator& i) {
        Data word(4);
        time_fs t = 500 * ns;
        CHECK(i.send(rd, 0x10000, word, t) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(timed(i, rd, 0) == 20 * ns);
    });
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{0});
    CHECK(bench.target.late_accesses() == 0);
}

TEST_CASE("edges are exact at a period that is no whole number of picoseconds") {
    constexpr time_fs period = 3'333'333;
    TargetBench bench(
        [](RawInitiator& i) {
            constexpr cycle_t far = 1'000'000'000;
            CHECK(timed(i, rd, 1 + far * period) == 1 + (far + 2) * period);
            CHECK(timed(i, rd, 2 + (far + 2) * period) == 1 + (far + 5) * period);
        },
        period, 1);
    sc_core::sc_start();
    CHECK(edges(bench.device) == std::vector<cycle_t>{1'000'000'000, 1'000'000'003});
}
