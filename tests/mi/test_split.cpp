// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/mi/split.hpp>

#include <catch2/catch.hpp>

#include <set>
#include <utility>
#include <vector>

using namespace tlmetry::mi;

namespace {

using Bytes = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  // (address, index in the data)

// The definition of the generic payload, byte by byte.
Bytes bytes_of(const Transfer& t) {
    Bytes bytes;
    for (std::uint32_t i = 0; i < t.length; ++i) {
        if (t.enables != nullptr && t.enables[i % t.enable_length] == 0) continue;
        bytes.emplace_back(t.address + i % t.streaming_width, i);
    }
    return bytes;
}

void check(const Transfer& t) {
    Bytes found;
    std::size_t accesses = 0;
    split(t, [&](const WordAccess& a) {
        ++accesses;
        REQUIRE(a.address % 4 == 0);
        REQUIRE(a.enables != 0);
        REQUIRE(a.lane + a.count <= 4);
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            if ((a.enables >> lane & 1U) == 0) continue;
            REQUIRE(lane >= a.lane);
            REQUIRE(lane < a.lane + a.count);
            found.emplace_back(a.address + lane, a.offset + lane - a.lane);
        }
    });
    const Bytes expected = bytes_of(t);
    REQUIRE(found == expected);
    // One access for each word of each repetition of the streaming width that has an enabled byte, and no
    // more.
    std::set<std::pair<std::uint32_t, std::uint64_t>> words;
    for (const auto& [address, index] : expected) {
        words.emplace(index / t.streaming_width, address / 4);
    }
    REQUIRE(accesses == words.size());
}

}  // namespace

TEST_CASE("a transfer of any alignment, length and streaming width splits into word accesses") {
    for (std::uint64_t address : {0U, 1U, 2U, 3U, 4U, 0xFFFDU}) {
        for (std::uint32_t length = 0; length <= 17; ++length) {
            for (std::uint32_t width = 1; width <= 18; ++width) {
                check({address, length, width, nullptr, 0});
            }
        }
    }
}

TEST_CASE("byte enables of any length repeat over the data") {
    for (std::uint32_t pattern = 0; pattern < 128; ++pattern) {
        std::vector<std::uint8_t> enables;
        for (unsigned bit = 0; bit < 7; ++bit) {
            enables.push_back((pattern >> bit & 1U) != 0 ? 0xFF : 0);
        }
        for (std::uint32_t enable_length : {1U, 2U, 3U, 4U, 5U, 7U}) {
            for (std::uint64_t address : {0U, 3U}) {
                for (std::uint32_t length : {1U, 4U, 6U, 11U}) {
                    for (std::uint32_t width : {2U, 4U, 5U, 11U}) {
                        check({address, length, width, enables.data(), enable_length});
                    }
                }
            }
        }
    }
}

TEST_CASE("the largest streaming width does not wrap") {
    check({2, 9, 0xFFFFFFFF, nullptr, 0});
}
