// SPDX-License-Identifier: BSD-3-Clause
#include "requests.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>

using namespace tlmetry;
using namespace tlmetry::host;

namespace {

/// The fields of each row but the first of a table.
std::vector<std::vector<std::string>> rows_of(const std::string& name) {
    std::ifstream in(TLMETRY_TEST_DATA "/host/" + name);
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::vector<std::string> fields;
        std::istringstream columns(line);
        for (std::string field; std::getline(columns, field, ',');)
            fields.push_back(field);
        rows.push_back(fields);
    }
    return rows;
}

std::uint64_t number(const std::string& text) {
    return std::stoull(text, nullptr, 0);
}

Statistics after_read(std::uint64_t address, std::uint64_t bytes, std::uint8_t flags = 0) {
    RootComplex host(Config(), 1, 1);
    endpoint::Arrival arrival = read_at(0, address, static_cast<std::uint32_t>(bytes));
    arrival.flags = flags;
    host.read(0, arrival);
    return host.total();
}

Statistics after_write(std::uint64_t address, std::uint64_t bytes, std::uint8_t flags = 0) {
    RootComplex host(Config(), 1, 1);
    host.write(0, write_at(0, address, static_cast<std::uint32_t>(bytes), flags));
    return host.total();
}

}  // namespace

TEST_CASE("Requests snoop, read, merge and write the lines of the reference table") {
    const auto rows = rows_of("alignment.csv");
    REQUIRE(rows.size() == 6);
    for (const auto& row : rows) {
        INFO(row[0] << ": " << row[3]);
        const std::uint64_t address = number(row[1]);
        const std::uint64_t bytes = number(row[2]);
        const Statistics read = after_read(address, bytes);
        CHECK(read.lines_snooped == number(row[4]));
        CHECK(read.lines_read == number(row[5]));
        CHECK(read.lines_read * line_bytes == number(row[9]));
        CHECK(read.lines_merged + read.lines_written == 0);
        const Statistics write = after_write(address, bytes);
        CHECK(write.lines_snooped == number(row[6]));
        CHECK(write.lines_merged == number(row[7]));
        CHECK(write.lines_written == number(row[8]));
        CHECK(write.lines_read == 0);
    }
}

TEST_CASE("Every offset and size touches the lines of the reference sweep") {
    const auto rows = rows_of("alignment_sweep.csv");
    REQUIRE(rows.size() == 160);
    for (const auto& row : rows) {
        INFO("offset " << row[0] << ", " << row[1] << " bytes");
        const std::uint64_t address = 0x2'0000'0000 + number(row[0]);
        const std::uint64_t bytes = number(row[1]);
        const Statistics read = after_read(address, bytes);
        CHECK(read.lines_snooped == number(row[2]));
        CHECK(read.lines_read == number(row[2]));
        const Statistics write = after_write(address, bytes);
        CHECK(write.lines_snooped == number(row[2]));
        CHECK(write.lines_merged == number(row[3]));
        CHECK(write.lines_written == number(row[4]));
    }
}

TEST_CASE("Requests without snoop snoop nothing and move the same lines") {
    const Statistics read = after_read(0x20, 64, no_snoop);
    CHECK(read.lines_snooped == 0);
    CHECK(read.lines_read == 2);
    const Statistics write = after_write(0x20, 64, no_snoop);
    CHECK(write.lines_snooped == 0);
    CHECK(write.lines_merged == 2);
    CHECK(write.lines_written == 2);
    CHECK(after_read(0x20, 64, relaxed_ordering).lines_snooped == 2);
}

TEST_CASE("Statistics are kept by endpoint, and have names of their own") {
    RootComplex host(Config(), 3, 1);
    host.read(0, read_at(0));
    host.read(2, read_at(0, 0, 256));
    host.write(1, write_at(0, 0, 128));
    CHECK(host.statistics(0).lines_read == 1);
    CHECK(host.statistics(1).lines_written == 2);
    CHECK(host.statistics(2).lines_read == 4);
    CHECK(host.total().lines_snooped == 7);
    for (std::size_t i = 0; i < statistic_fields.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(std::string(statistic_fields[i].name) != statistic_fields[j].name);
            CHECK(statistic_fields[i].value != statistic_fields[j].value);
        }
    }
    CHECK(statistic_fields.size() * sizeof(std::uint64_t) == sizeof(Statistics));
}
