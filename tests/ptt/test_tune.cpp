// SPDX-License-Identifier: BSD-3-Clause
// Levels of the tune unit: registers, driver, values.
#include <tlmetry/base/error.hpp>
#include <tlmetry/ptt/registers.hpp>
#include <tlmetry/ptt/tune_unit.hpp>
#include <tlmetry/ptt_driver/tune_driver.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using ptt::TuneEvent;
using ptt::TuneUnit;
namespace reg = ptt::reg;

namespace {

struct Bench : ptt::UnitBus {
    TuneUnit::Levels applied{};
    int times = 0;
    TuneUnit unit{{1, 1, 1, 0, 0}, [this](const TuneUnit::Levels& levels) {
                      applied = levels;
                      ++times;
                  }};
    bool busy = false;

    std::uint32_t read32(std::uint32_t offset) override {
        if (busy && offset == reg::tune_int_stat) return reg::tune_busy;
        return unit.read(offset).value_or(0);
    }
    void write32(std::uint32_t offset, std::uint32_t value) override { unit.write(offset, value); }
};

}  // namespace

TEST_CASE("registers of the tune unit") {
    Bench bench;
    // The codes of the events as the hardware has them.
    const std::uint32_t codes[] = {0x30004, 0x40004, 0x50004, 0x60005, 0x70005};
    for (std::size_t e = 0; e < 5; ++e) {
        CAPTURE(e);
        bench.write32(0x000, codes[e]);
        bench.write32(0x004, 0xffff'ffff);  // a read
        CHECK(bench.read32(0x898) == 0);
        CHECK(bench.read32(0x004) == (e < 3 ? 1 : 0));
        CHECK(bench.times == static_cast<int>(e));
        bench.write32(0x004, 2);
        CHECK(bench.read32(0x004) == 2);
        CHECK(bench.times == static_cast<int>(e) + 1);
        CHECK(bench.applied[e] == 2);
    }
    bench.write32(0x004, 7);  // beyond the highest
    CHECK(bench.read32(0x004) == 2);
    // No event of that code.
    bench.write32(0x000, 0x30005);
    bench.write32(0x004, 0);
    CHECK(bench.times == 6);
    CHECK(bench.read32(0x004) == 0);
    CHECK(bench.applied == TuneUnit::Levels{2, 2, 2, 2, 2});
}

TEST_CASE("the driver reads and writes levels") {
    Bench bench;
    ptt::TuneDriver driver(bench);
    CHECK(driver.level(TuneEvent::qos_tx_np) == 1);
    driver.set_level(TuneEvent::qos_tx_np, 0);
    driver.set_level(TuneEvent::tx_alloc_buf_level, 9);
    CHECK(driver.level(TuneEvent::qos_tx_np) == 0);
    CHECK(driver.level(TuneEvent::tx_alloc_buf_level) == 2);
    CHECK(driver.level(TuneEvent::rx_alloc_buf_level) == 0);
    bench.busy = true;
    CHECK_THROWS_AS(driver.level(TuneEvent::qos_tx_p), UserError);
    CHECK_THROWS_WITH(driver.set_level(TuneEvent::qos_tx_p, 1), Catch::Contains("found it busy"));
}

TEST_CASE("levels as software writes them") {
    CHECK(ptt::parse_level("0", "x") == 0);
    CHECK(ptt::parse_level("1", "x") == 1);
    CHECK(ptt::parse_level("2", "x") == 2);
    CHECK(ptt::parse_level("3", "x") == 2);
    CHECK(ptt::parse_level("65535", "x") == 2);
    for (const char* text : {"-1", "65536", "one", "", "1.5", "2 3", "0x10000"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(ptt::parse_level(text, "x"), UserError);
        CHECK_THROWS_WITH(ptt::parse_level(text, "x"),
                          Catch::StartsWith("x: expected a level from 0 to 65535"));
    }
    CHECK(ptt::tune_event_named("qos_tx_p", "x") == TuneEvent::qos_tx_p);
    CHECK_THROWS_WITH(
        ptt::tune_event_named("qos", "x"),
        "x: expected qos_tx_cpl, qos_tx_np, qos_tx_p, rx_alloc_buf_level or tx_alloc_buf_level, found 'qos'");
}
