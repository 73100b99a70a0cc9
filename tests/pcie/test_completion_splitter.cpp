// SPDX-License-Identifier: BSD-3-Clause
#include "csv.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/pcie/completion_splitter.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace tlmetry;
using namespace tlmetry::pcie;

namespace {

std::vector<std::uint32_t> cut(const CompletionSplitter& splitter, std::uint64_t address,
                               std::uint32_t bytes) {
    std::vector<std::uint32_t> parts;
    CompletionSplitter::Rest rest{address, bytes};
    while (rest.bytes != 0)
        parts.push_back(splitter.next(rest).bytes);
    return parts;
}

std::string joined(const std::vector<std::uint32_t>& parts) {
    std::string text;
    for (const std::uint32_t part : parts)
        text += (text.empty() ? "" : "+") + std::to_string(part);
    return text;
}

/// Fewest parts that the rules allow, by trying every legal end of the first part.
std::uint32_t fewest(std::uint32_t address, std::uint32_t bytes, std::uint32_t mps, std::uint32_t rcb) {
    const std::uint32_t end = address + bytes;
    std::vector<std::uint32_t> best(bytes + 1, bytes);  // by bytes left
    best[0] = 0;
    for (std::uint32_t left = 1; left <= bytes; ++left) {
        const std::uint32_t from = end - left;
        for (std::uint32_t to = from + 1; to <= end; ++to) {
            const bool fits = (to + 3) / 4 - from / 4 <= mps / 4;
            if (fits && (to == end || to % rcb == 0)) best[left] = std::min(best[left], 1 + best[end - to]);
        }
    }
    return best[bytes];
}

}  // namespace

TEST_CASE("combined completions are the fewest and RCB blocks the most of the table") {
    for (const CsvRow& row : read_csv("completion_split.csv")) {
        INFO(row.all());
        const std::uint32_t mps = row.number("mps");
        const std::uint32_t rcb = row.number("rcb");
        const std::uint32_t address = row.number("addr_offset");
        const std::uint32_t bytes = row.number("request_B");
        const std::uint32_t min = row.number("min_completions");
        const std::uint32_t max = row.number("max_completions(rcb chunks)");
        const CompletionSplitter combined(mps, rcb, CompletionCut::combined);
        CHECK(combined.count(address, bytes) == min);
        CHECK(joined(cut(combined, address, bytes)) == row.text("min_split_payloads"));
        CHECK(CompletionSplitter(mps, rcb, CompletionCut::rcb_blocks).count(address, bytes) == max);
        const std::uint32_t blocks =
            CompletionSplitter(mps, rcb, CompletionCut::mps_blocks).count(address, bytes);
        CHECK(blocks >= min);
        CHECK(blocks <= max);
    }
}

TEST_CASE("no legal split from any byte address has fewer parts than the combined one") {
    for (const std::uint32_t rcb : {64U, 128U}) {
        for (const std::uint32_t mps : {128U, 256U}) {
            const CompletionSplitter splitter(mps, rcb, CompletionCut::combined);
            for (std::uint32_t address = 0; address < 128; address += 3) {
                for (const std::uint32_t bytes :
                     {1, 63, 125, 126, 127, 128, 129, 253, 254, 255, 256, 512, 700}) {
                    INFO(rcb << ' ' << mps << ' ' << address << ' ' << bytes);
                    REQUIRE(splitter.count(address, bytes) == fewest(address, bytes, mps, rcb));
                }
            }
        }
    }
}

TEST_CASE("the parts of a read are legal, in order and counted") {
    Random random(1, "completions");
    for (int i = 0; i < 20'000; ++i) {
        const std::uint32_t mps = 128U << random.below(6);
        const std::uint32_t rcb = 64U << random.below(2);
        const CompletionCut mode = random.chance(1, 3)   ? CompletionCut::combined
                                   : random.chance(1, 2) ? CompletionCut::rcb_blocks
                                                         : CompletionCut::mps_blocks;
        const std::uint64_t address = random.next() >> random.below(40);
        const std::uint32_t bytes = random.between(1, 4096);
        const CompletionSplitter splitter(mps, rcb, mode);
        CompletionSplitter::Rest rest{address, bytes};
        std::uint32_t parts = 0;
        while (rest.bytes != 0) {
            const std::uint64_t from = rest.address;
            const std::uint32_t left = rest.bytes;
            const CompletionPart part = splitter.next(rest);
            ++parts;
            REQUIRE(part.bytes > 0);
            REQUIRE(((from & 3) + part.bytes + 3) / 4 <= mps / 4);
            REQUIRE(part.byte_count == left);
            REQUIRE(part.lower_address == from % 128);
            REQUIRE(part.last == (rest.bytes == 0));
            REQUIRE(rest.address == from + part.bytes);
            REQUIRE(rest.bytes == left - part.bytes);
            if (!part.last) REQUIRE(rest.address % rcb == 0);
        }
        REQUIRE(parts == splitter.count(address, bytes));
    }
}

TEST_CASE("the modes cut one read as they say") {
    const auto parts = [](CompletionCut mode) {
        return joined(cut(CompletionSplitter(256, 64, mode), 0x130, 600));
    };
    CHECK(parts(CompletionCut::combined) == "208+256+136");
    CHECK(parts(CompletionCut::rcb_blocks) == "16+64+64+64+64+64+64+64+64+64+8");
    CHECK(parts(CompletionCut::mps_blocks) == "208+256+136");
    CHECK(parts(CompletionCut::mps_chunks) == "256+256+88");
    CHECK(parts(CompletionCut::rcb_chunks) == "64+64+64+64+64+64+64+64+64+24");
    // Combined parts may start at any RCB boundary and need not be aligned to the MPS.
    CHECK(joined(cut(CompletionSplitter(256, 64, CompletionCut::combined), 0x170, 600)) == "208+256+136");
    CHECK(joined(cut(CompletionSplitter(256, 64, CompletionCut::mps_blocks), 0x170, 600)) == "144+256+200");
}

TEST_CASE("the analytic cuts count as its formulae do, wherever the read begins") {
    for (std::uint32_t bytes = 1; bytes <= 4096; bytes += 5) {
        for (const std::uint32_t address : {0U, 1U, 60U, 64U, 4095U}) {
            REQUIRE(CompletionSplitter(256, 64, CompletionCut::mps_chunks).count(address, bytes) ==
                    (bytes + 255) / 256);
            REQUIRE(CompletionSplitter(256, 64, CompletionCut::rcb_chunks).count(address, bytes) ==
                    (bytes + 63) / 64);
            REQUIRE(cut(CompletionSplitter(256, 64, CompletionCut::mps_chunks), address, bytes).size() ==
                    (bytes + 255) / 256);
        }
    }
}
