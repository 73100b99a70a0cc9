// SPDX-License-Identifier: BSD-3-Clause
#include "csv.hpp"

#include <tlmetry/pcie/link_rate.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry;
using namespace tlmetry::pcie;

namespace {

LinkSettings link(std::uint32_t generation, std::uint32_t lanes, DllpMode dllp = DllpMode::off) {
    LinkSettings settings;
    settings.generation = generation;
    settings.lanes = lanes;
    settings.dllp = dllp;
    return settings;
}

}  // namespace

TEST_CASE("the analytic rates equal the published table to the last digit") {
    for (const CsvRow& row : read_csv("pciebench_link_rates.csv")) {
        INFO(row.all());
        const LinkSettings settings = analytic_link(row);
        const double lanes = settings.lanes;
        const double data_gbps = data_rate_bps(settings).value() / 1e9;
        const std::uint32_t limit = dllp_limit_symbols(settings);
        CHECK(printed(line_rate_bps(settings).value() / 1e9 / lanes, 1) == row.text("gt_s"));
        CHECK(printed(data_gbps, 6) == row.text("raw_gbps"));
        CHECK(printed(data_gbps / 8, 6) == row.text("raw_GBps"));
        CHECK(limit == row.number("ack_limit_symbols"));
        CHECK(limit == row.number("fc_interval_symbols"));
        CHECK(printed(8.0 / limit, 8) == row.text("ack_overhead"));
        CHECK(printed(8.0 / limit, 8) == row.text("fc_overhead"));
        CHECK(printed(skip_fraction(settings).value(), 8) == row.text("skip_overhead"));
        CHECK(printed(tlp_rate_gbps(settings), 6) == row.text("tlp_gbps"));
        CHECK(printed(tlp_rate_gbps(settings) / 8, 6) == row.text("tlp_GBps"));
    }
}

// The full table of the analytic model has two entries that its own formula contradicts. They are not among
// the rows in tests/data; a row with one of them would differ from what is right.
TEST_CASE("where the published table slips the formula of the specification counts") {
    LinkSettings update_fc = link(1, 32);
    update_fc.mps_bytes = 2048;
    CHECK(dllp_limit_symbols(update_fc) == 148);  // (2048 + 28) * 2 / 32 + 19
    LinkSettings ack = link(2, 32);
    ack.mps_bytes = 4096;
    CHECK(dllp_limit_symbols(ack) == 327);  // (4096 + 28) * 2 / 32 + 70
    for (const CsvRow& row : read_csv("pciebench_link_rates.csv")) {
        const std::string name = row.text("gen") + row.text("lanes") + "/" + row.text("mps");
        CHECK(name != "gen1x32/2048");
        CHECK(name != "gen2x32/4096");
    }
}

TEST_CASE("rates are exact fractions") {
    CHECK(line_rate_bps(link(1, 1)) == Ratio(2'500'000'000, 1));
    CHECK(data_rate_bps(link(1, 1)) == Ratio(2'000'000'000, 1));
    CHECK(data_rate_bps(link(4, 16)) == Ratio(16'384'000'000'000, 65));  // 256e9 * 128/130
    CHECK(data_rate_bps(link(6, 8)) == Ratio(484'000'000'000, 1));
    LinkSettings plain = link(4, 16);
    plain.encoding = false;
    CHECK(data_rate_bps(plain) == Ratio(256'000'000'000, 1));
}

TEST_CASE("byte times are exact fractions of a femtosecond") {
    CHECK(byte_time_fs(link(1, 1)) == Ratio(4'000'000, 1));
    CHECK(byte_time_fs(link(3, 1)) == Ratio(1'015'625, 1));
    CHECK(byte_time_fs(link(5, 16)) == Ratio(1'015'625, 64));
    CHECK(byte_time_fs(link(6, 1)) == Ratio(16'000'000, 121));
    CHECK(byte_time_fs(link(1, 1, DllpMode::spec)) == Ratio(4'000'000, 1) * Ratio(1538, 1534));
    CHECK(byte_time_fs(link(3, 8, DllpMode::spec)) == Ratio(1'015'625, 8) * Ratio(375, 374));
    // 203 symbols: 1 - 16/203 - 4/1538 = 143397 / 156107
    CHECK(byte_time_fs(link(3, 8, DllpMode::analytic)) == Ratio(1'015'625, 8) * Ratio(156'107, 143'397));
}

TEST_CASE("a symbol is ten bits of 8b/10b and eight bits above") {
    const time_fs expected[] = {4'000'000, 2'000'000, 1'000'000, 500'000, 250'000, 125'000, 62'500};
    for (std::uint32_t generation = 1; generation <= 7; ++generation)
        CHECK(symbol_time_fs(link(generation, 16)) == expected[generation - 1]);
}
