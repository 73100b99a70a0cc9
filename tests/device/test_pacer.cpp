// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/device/pacer.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using device::Pacer;

namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

Pacer::Config read(const std::string& speed, const std::string& step, bool free_run) {
    return Pacer::Config::read({speed, "option --speed"}, {step, "option --step"}, free_run, "all");
}

}  // namespace

TEST_CASE("at the pace of a clock, host time is due as simulated time") {
    Pacer pacer({}, 1000);
    CHECK(pacer.due(1000) == 0);
    CHECK(pacer.due(1007) == 7 * fs_per_ns);
    CHECK(pacer.due(1007) == 7 * fs_per_ns);
    pacer.passed(5 * fs_per_ns);
    CHECK(pacer.due(1008) == 3 * fs_per_ns);
    CHECK(pacer.due(900) == 3 * fs_per_ns);  // a clock that goes back is not followed
    CHECK(pacer.lost_s() == 0);
}

TEST_CASE("a speed multiplies") {
    Pacer slow({Pacer::Kind::clock, 0.001, 0}, 0);
    CHECK(slow.due(ns_per_ms) == fs_per_us);
    Pacer fast({Pacer::Kind::clock, 1000, 0}, 0);
    CHECK(fast.due(ns_per_ms) == fs_per_s);
}

TEST_CASE("time that accesses took in advance is due later") {
    Pacer pacer({}, 0);
    pacer.passed(100 * fs_per_ns);
    CHECK(pacer.ahead_ns() == 100);
    CHECK(pacer.due(60) == 0);
    CHECK(pacer.ahead_ns() == 40);
    CHECK(pacer.due(101) == fs_per_ns);
    for (int i = 0; i < 100'000; ++i)
        pacer.passed(1000 * fs_per_s);
    CHECK(pacer.due(102) == 0);
}

TEST_CASE("a backlog beyond the limit is lost, and counted") {
    Pacer pacer({}, 0);
    const std::int64_t limit = Pacer::most_behind_ns;
    CHECK(pacer.due(limit) == limit * fs_per_ns);
    CHECK(pacer.lost_s() == 0);
    CHECK(pacer.due(limit + 10) == limit * fs_per_ns);
    CHECK(pacer.lost_s() == Approx(10e-9));
    pacer.passed(limit * fs_per_ns);
    CHECK(pacer.due(limit + 10) == 0);
    // Also a pause of days.
    const std::int64_t day = 86'400 * 1000 * ns_per_ms;
    CHECK(pacer.due(limit + 10 + day) == limit * fs_per_ns);
    CHECK(pacer.lost_s() == Approx(static_cast<double>(10 + day - limit) * 1e-9).epsilon(1e-12));
}

TEST_CASE("steps and free run have nothing to do with the host's clock") {
    Pacer step({Pacer::Kind::step, 1, 5 * fs_per_us}, 0);
    CHECK(step.due(0) == 5 * fs_per_us);
    for (int i = 0; i < 100'000; ++i)
        step.passed(1000 * fs_per_s);
    CHECK(step.due(ns_per_ms) == 5 * fs_per_us);
    Pacer free_run({Pacer::Kind::free_run, 1, 0}, 0);
    CHECK(free_run.due(ns_per_ms) == 0);
}

TEST_CASE("paces are read from texts") {
    CHECK(read("", "", false).kind == Pacer::Kind::clock);
    CHECK(read("", "", false).speed == 1);
    CHECK(read("0.25", "", false).speed == 0.25);
    CHECK(read("", "2us", false).step_fs == 2 * fs_per_us);
    CHECK(read("", "0s", false).kind == Pacer::Kind::step);
    CHECK(read("", "", true).kind == Pacer::Kind::free_run);
    CHECK_THROWS_WITH(read("1", "1us", false), "all: expected one of them");
    CHECK_THROWS_WITH(read("1", "", true), "all: expected one of them");
    for (const char* speed : {"0", "-1", "nan", "1001", "fast", "1 ", "1x"}) {
        CHECK_THROWS_WITH(read(speed, "", false),
                          "option --speed: expected a factor from 1e-6 to 1000, 1 for real time, found '" +
                              std::string(speed) + "'");
    }
    for (const char* step : {"1", "-1us", "1001s", "x"})
        CHECK_THROWS_AS(read("", step, false), UserError);
}

TEST_CASE("a pace says what it is") {
    CHECK(read("", "", false).text() == "real time");
    CHECK(read("0.1", "", false).text() == "0.1 x real time");
    CHECK(read("", "5us", false).text() == "5us of simulated time an access");
    CHECK(read("", "", true).text() == "as fast as the simulation can");
}
