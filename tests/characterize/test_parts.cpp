// SPDX-License-Identifier: BSD-3-Clause
// What is measured, against what is known about it.
#include "cards.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <sstream>

using namespace tlmetry;
using namespace tlmetry::characterize;
using endpoint::ReadLatencies;
using host::Statistics;
using test::card_of;
using test::value;

namespace {

using CsvRow = std::map<std::string, std::string>;

std::vector<CsvRow> read_csv(const std::string& name) {
    std::ifstream file(TLMETRY_TEST_DATA "/reference_tables/" + name);
    const auto fields = [](const std::string& line) {
        std::vector<std::string> result;
        std::stringstream stream(line.substr(0, line.find('\r')));
        for (std::string field; std::getline(stream, field, ',');)
            result.push_back(field);
        return result;
    };
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> keys = fields(line);
    std::vector<CsvRow> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> values = fields(line);
        CsvRow& row = rows.emplace_back();
        for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i)
            row[keys[i]] = values[i];
    }
    return rows;
}

std::uint32_t integer(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 0));
}

std::vector<std::pair<std::string, std::string>> open_card() {
    return {{"card.shape", "open"},         {"link.generation", "1"}, {"link.lanes", "8"},
            {"link.mps", "4096"},           {"link.mrrs", "4096"},    {"link.dllp", "off"},
            {"link.dword_padding", "false"}};
}

}  // namespace

TEST_CASE("requests across cache lines cost what the table of alignments says") {
    const Subject subject(card_of(open_card()), false);
    std::vector<Point> points;
    const std::vector<CsvRow> rows = read_csv("seed003_alignment.csv");
    REQUIRE(rows.size() == 6);
    for (const CsvRow& row : rows) {
        const std::uint32_t offset = integer(row.at("addr")) % 4096;
        points.push_back({subject.at_offset(Mix::reads, integer(row.at("bytes")), offset)});
        points.push_back({subject.at_offset(Mix::writes, integer(row.at("bytes")), offset)});
    }
    const std::vector<Measurement> results = test::runner().run(points);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].at("request"));
        const auto expected = [&](const char* key) { return integer(rows[i].at(key)); };
        const Measurement& read = results[2 * i];
        const Measurement& write = results[2 * i + 1];
        CHECK(read.per_request(&Statistics::lines_snooped) == expected("rd_snoops"));
        CHECK(read.per_request(&Statistics::lines_read) == expected("rd_mem_reads"));
        CHECK(write.per_request(&Statistics::lines_snooped) == expected("wr_snoops"));
        CHECK(write.per_request(&Statistics::lines_merged) == expected("wr_mem_reads"));
        CHECK(write.per_request(&Statistics::lines_written) == expected("wr_mem_writes"));
    }
}

TEST_CASE("requests at every offset cost what the sweep says") {
    const Subject subject(card_of(open_card()), false);
    std::vector<Point> points;
    const std::vector<CsvRow> rows = read_csv("seed003_alignment_sweep.csv");
    REQUIRE(rows.size() == 160);
    for (const CsvRow& row : rows) {
        const std::uint32_t bytes = integer(row.at("bytes"));
        points.push_back({subject.at_offset(Mix::reads, bytes, integer(row.at("offset")))});
        points.push_back({subject.at_offset(Mix::writes, bytes, integer(row.at("offset")))});
    }
    const std::vector<Measurement> results = test::runner().run(points);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].at("offset"), rows[i].at("bytes"));
        const auto expected = [&](const char* key) { return integer(rows[i].at(key)); };
        const Measurement& read = results[2 * i];
        const Measurement& write = results[2 * i + 1];
        CHECK(read.per_request(&Statistics::lines_read) == expected("lines(=snoops=reads for read)"));
        CHECK(read.per_request(&Statistics::lines_snooped) == expected("lines(=snoops=reads for read)"));
        CHECK(write.per_request(&Statistics::lines_merged) == expected("partial_lines(=reads for write)"));
        CHECK(write.per_request(&Statistics::lines_written) == expected("line_writes_for_write"));
    }
}

TEST_CASE("a saturated link carries the share of payload that the table of efficiencies says") {
    std::vector<Point> points;
    const std::vector<CsvRow> rows = read_csv("seed003_efficiency.csv");
    REQUIRE(rows.size() == 20);
    for (const CsvRow& row : rows) {
        auto parameters = open_card();
        parameters.emplace_back("link.address_bits", row.at("header_dw") == "3" ? "32" : "64");
        if (row.at("header_dw") == "3") parameters.emplace_back("traffic.base", "0x1000_0000");
        const Subject subject(card_of(parameters), false);
        points.push_back({subject.saturated(Mix::writes, integer(row.at("payload_B")))});
        points.push_back({subject.saturated(Mix::reads, integer(row.at("payload_B")))});
    }
    const std::vector<Measurement> results = test::runner().run(points);
    constexpr double link_gbytes = 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].at("payload_B"), rows[i].at("header_dw"));
        const double efficiency = std::stod(rows[i].at("efficiency"));
        const Measurement& write = results[2 * i];
        CHECK(write.write_gbytes() / link_gbytes == Approx(efficiency).epsilon(0.01));
        CHECK(write.write_gbytes() == Approx(std::stod(rows[i].at("gen1_x8_one_way_GBps"))).epsilon(0.01));
        CHECK(write.percent_of_header_bound() == Approx(100).epsilon(0.01));
        CHECK(write.predicted_gbytes() == Approx(write.write_gbytes()).epsilon(0.01));
        // Completions have a header of three dwords. Requests for less than they weigh bind before them.
        const Measurement& read = results[2 * i + 1];
        const double payload = std::stod(rows[i].at("payload_B"));
        if (rows[i].at("header_dw") == "3")
            CHECK(read.read_gbytes() / link_gbytes == Approx(payload / (payload + 20)).epsilon(0.01));
    }
}

TEST_CASE("the latency of an idle card is what its configuration says") {
    const auto idle = [](const std::string& latency) {
        const Subject subject(card_of({{"host.latency", latency}}), true);
        return measure({subject.saturated(Mix::reads, 256)}).idle;
    };
    const account::IdleLatency usual = idle("500ns");
    const account::IdleLatency slower = idle("750ns");
    CHECK(usual.stages[ReadLatencies::host].mean_fs() == 500e6);
    CHECK(slower.stages[ReadLatencies::host].mean_fs() == 750e6);
    double sum = 0;
    for (std::size_t stage = 0; stage < ReadLatencies::whole; ++stage)
        sum += usual.stages[stage].mean_fs();
    CHECK(usual.stages[ReadLatencies::whole].mean_fs() == Approx(sum));
    // At the DMA port it is seen in steps of its clock.
    CHECK(slower.read.whole_s - usual.read.whole_s == Approx(250e-9).margin(5e-9));
}

TEST_CASE("one read under way at a time gives its size per latency, more of them up to a limit give more") {
    const Subject subject(card_of({}), false);
    const Part part = outstanding(subject, test::runner());
    const page::Table& table = part.tables[0];
    const double bytes = subject.read_bytes();
    REQUIRE(table.rows.size() == 9);
    CHECK(value(table, 0, "outstanding") == 1);
    CHECK(value(table, 0, "read_GB_per_s") == Approx(bytes / value(table, 0, "mean_ns")).epsilon(0.005));
    CHECK(value(table, 1, "read_GB_per_s") == Approx(2 * value(table, 0, "read_GB_per_s")).epsilon(0.01));
    for (std::size_t row = 1; row < table.rows.size(); ++row)
        CHECK(value(table, row, "read_GB_per_s") >= 0.999 * value(table, row - 1, "read_GB_per_s"));
    CHECK(value(table, 8, "outstanding") == 256);
    CHECK(value(table, 8, "share_of_most_percent") == Approx(100).epsilon(0.001));
}

TEST_CASE("load makes reads slower") {
    const Part part = latency(Subject(card_of({}), true), test::runner());
    const page::Table& table = part.tables[0];
    REQUIRE(table.rows.size() == 5);
    for (std::size_t row = 1; row < 5; ++row) {
        CHECK(value(table, row, "whole_mean_ns") > value(table, row - 1, "whole_mean_ns"));
        CHECK(value(table, row, "read_GB_per_s") > value(table, row - 1, "read_GB_per_s"));
        CHECK(value(table, row, "p99_9_ns") >= value(table, row, "p50_ns"));
    }
    const double all = value(table, 4, "read_GB_per_s");
    CHECK(value(table, 1, "read_GB_per_s") == Approx(0.50 * all).epsilon(0.03));
    CHECK(value(table, 3, "read_GB_per_s") == Approx(0.95 * all).epsilon(0.03));
    CHECK(part.details[0].rows.size() == 5 * ReadLatencies::stages);
}

TEST_CASE("endpoints that share nothing scale perfectly") {
    const Part part = scaling(Subject(card_of({{"card.shape", "gen4x8x8_ptile"}}), true), test::runner());
    const page::Table& table = part.tables[0];
    REQUIRE(table.rows.size() == 12);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        CHECK(value(table, row, "endpoints") == static_cast<double>(row % 2 + 1));
        CHECK(value(table, row, "share_of_perfect_percent") == Approx(100).margin(0.1));
    }
}

TEST_CASE("endpoints that share a memory scale up to its rate") {
    const Part part = scaling(Subject(card_of({{"card.shape", "gen4x8x8_ptile"},
                                               {"host.memory_rate", "16GB/s"},
                                               {"link.posted_header_credits", "64"}}),
                                      true),
                              test::runner());
    const page::Table& table = part.tables[0];
    REQUIRE(table.rows.size() == 12);
    // Reads of 4096 B.
    CHECK(value(table, 3, "total_GB_per_s") == Approx(16).epsilon(0.01));
    CHECK(value(table, 3, "share_of_perfect_percent") == Approx(100 * 16 / 25.6).epsilon(0.01));
    // Writes of 4096 B.
    CHECK(value(table, 7, "total_GB_per_s") == Approx(16).epsilon(0.01));
}

TEST_CASE("without snooping no line is looked up") {
    const Part part = snoop(Subject(card_of({}), true), test::runner());
    const page::Table& table = part.tables[0];
    REQUIRE(table.rows.size() == 9);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        CHECK(value(table, row, "snoop_lines") >= 1);
        CHECK(value(table, row, "no_snoop_lines") == 0);
    }
}

TEST_CASE("combined completions are fewer and carry more") {
    auto parameters = open_card();
    parameters.emplace_back("traffic.read_size.bytes", "256");
    const Part part = combining(Subject(card_of(parameters), false), test::runner());
    const page::Table& table = part.tables[0];
    REQUIRE(table.rows.size() == 7);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double bytes = value(table, row, "size_B");
        CHECK(value(table, row, "single_completions") == Approx(bytes / 64).epsilon(0.01));
        CHECK(value(table, row, "combined_completions") == Approx(1).epsilon(0.01));
        CHECK(value(table, row, "single_GB_per_s") == Approx(2 * 64.0 / 84).epsilon(0.01));
        CHECK(value(table, row, "combined_GB_per_s") == Approx(2 * bytes / (bytes + 20)).epsilon(0.01));
    }
}

TEST_CASE("the advice is the smallest setting that is nearly the best") {
    auto parameters = open_card();
    parameters.emplace_back("traffic.read_share", "0");
    parameters.emplace_back("traffic.write_size.bytes", "1024");
    const Part part = settings(Subject(card_of(parameters), true), test::runner());
    const page::Table& table = part.tables[0];
    // Writes of 1024 B want an MPS as large; MRRS does not concern them.
    CHECK(value(table, 0, "enough_mps_B") == 1024);
    CHECK(value(table, 0, "enough_mrrs_B") == 128);
    CHECK(value(table, 0, "enough_GB_per_s") == Approx(2 * 1024.0 / 1048).epsilon(0.01));
    CHECK_THAT(part.findings[0],
               Catch::StartsWith("For the configured traffic, MPS 1024 B and MRRS 128 B are enough: 1.95"));
    CHECK(part.details[0].rows.size() == 36 * table.rows.size());
}
