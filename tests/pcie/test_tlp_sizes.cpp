// SPDX-License-Identifier: BSD-3-Clause
#include "csv.hpp"

#include <tlmetry/pcie/tlp_sizes.hpp>

#include <catch2/catch.hpp>

using namespace tlmetry::pcie;

TEST_CASE("the overhead of each TLP equals the published table") {
    for (const CsvRow& row : read_csv("pciebench_tlp_overhead.csv")) {
        INFO(row.all());
        LinkSettings settings;
        if (row.text("addr_bits") != "-") settings.address_bits = row.number("addr_bits");
        settings.ecrc = row.number("ecrc") == 1;
        const TlpSizes sizes(settings);
        const std::string& tlp = row.text("tlp");
        const std::uint32_t expected = row.number("total_B");
        if (tlp == "MWr") {
            CHECK(sizes.write(0, 64) == 64 + expected);
            CHECK(sizes.request_overhead() == expected);
        } else if (tlp == "MRd") {
            CHECK(sizes.read() == expected);
        } else {
            REQUIRE(tlp == "CplD");
            CHECK(sizes.completion(0, 64) == 64 + expected);
            CHECK(sizes.completion() == expected);
            CHECK(sizes.completion_overhead() == expected);
        }
    }
}

TEST_CASE("with dword padding a payload is every dword that it touches") {
    const TlpSizes sizes{LinkSettings{}};
    for (std::uint64_t address = 0xFFFF'FFF0; address < 0x1'0000'0010; ++address) {
        for (std::uint32_t bytes = 1; bytes < 40; ++bytes) {
            std::uint32_t dwords = 0;
            for (std::uint64_t dword = address / 4 * 4; dword < address + bytes; dword += 4)
                ++dwords;
            REQUIRE(sizes.payload(address, bytes) == 4 * dwords);
        }
    }
    CHECK(sizes.write(3, 2) == 24 + 8);
    CHECK(sizes.completion(3, 1) == 20 + 4);
}

TEST_CASE("without dword padding a payload is its bytes") {
    LinkSettings settings;
    settings.dword_padding = false;
    const TlpSizes sizes(settings);
    CHECK(sizes.write(3, 2) == 24 + 2);
    CHECK(sizes.completion(1, 257) == 20 + 257);
}
