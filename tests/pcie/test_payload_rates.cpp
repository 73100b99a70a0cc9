// SPDX-License-Identifier: BSD-3-Clause
#include "csv.hpp"

#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/payload_rates.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry::pcie;

namespace {

/// Compares every row of a table to the last digit printed. Returns the number of rows.
std::size_t compare(const std::string& table) {
    const std::vector<CsvRow> rows = read_csv(table);
    for (const CsvRow& row : rows) {
        INFO(row.all());
        LinkSettings settings = analytic_link(row);
        settings.mrrs_bytes = row.number("mrrs");
        settings.rcb_bytes = row.number("rcb");
        settings.address_bits = row.number("addr");
        settings.ecrc = row.number("ecrc") == 1;
        settings.validate();
        const CompletionChunks chunks =
            row.number("rcb_chunks") == 1 ? CompletionChunks::rcb : CompletionChunks::mps;
        const PayloadRates rates = payload_rates(settings, row.number("size_B"), chunks);
        CHECK(printed(data_rate_bps(settings).value() / 1e9, 6) == row.text("raw_gbps"));
        CHECK(printed(tlp_rate_gbps(settings), 6) == row.text("tlp_gbps"));
        CHECK(printed(rates.write.payload_gbps, 6) == row.text("wr_eff_gbps"));
        CHECK(printed(rates.write.transfers_mps, 6) == row.text("wr_Mtps"));
        CHECK(printed(rates.read.payload_gbps, 6) == row.text("rd_eff_gbps"));
        CHECK(printed(rates.read.sent_gbps, 6) == row.text("rd_tx_raw_gbps"));
        CHECK(printed(rates.read.received_gbps, 6) == row.text("rd_rx_raw_gbps"));
        CHECK(printed(rates.read.transfers_mps, 6) == row.text("rd_Mtps"));
        CHECK(printed(rates.both.payload_gbps, 6) == row.text("rw_eff_gbps_per_dir"));
        CHECK(printed(rates.both.sent_gbps, 6) == row.text("rw_tx_raw_gbps"));
        CHECK(printed(rates.both.received_gbps, 6) == row.text("rw_rx_raw_gbps"));
        CHECK(printed(rates.both.transfers_mps, 6) == row.text("rw_Mtps"));
    }
    return rows.size();
}

}  // namespace

TEST_CASE("payload rates of gen3 x8 with completions of the MPS equal the published table") {
    CHECK(compare("pciebench_gen3x8_mpschunks.csv") == 81);
}

TEST_CASE("payload rates of gen3 x8 with completions of the RCB equal the published table") {
    CHECK(compare("pciebench_gen3x8_rcbchunks.csv") == 81);
}

TEST_CASE("payload rates over generations, widths, MPS, MRRS and RCB equal the published sample") {
    CHECK(compare("pciebench_matrix_sample.csv") == 110);
}

TEST_CASE("a slow link carries what is known of it") {
    // Gen2 x1, MPS 128, MRRS 512, 1500 B: write 3.16, read 3.25, both 3.04 Gb/s.
    LinkSettings settings;
    settings.generation = 2;
    settings.lanes = 1;
    settings.mps_bytes = 128;
    settings.dllp = DllpMode::analytic;
    const PayloadRates rates = payload_rates(settings, 1500, CompletionChunks::mps);
    CHECK(rates.write.payload_gbps == Approx(3.16).epsilon(0.03));
    CHECK(rates.read.payload_gbps == Approx(3.25).epsilon(0.03));
    CHECK(rates.both.payload_gbps == Approx(3.04).epsilon(0.03));
}
