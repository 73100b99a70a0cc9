// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>
#include <tlmetry/pcie/request_rules.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace tlmetry::pcie;

namespace {

RequestFault write_fault(std::uint64_t address, std::uint32_t bytes) {
    return check_request(false, address, bytes, 256, 512);
}

RequestFault read_fault(std::uint64_t address, std::uint32_t bytes) {
    return check_request(true, address, bytes, 256, 512);
}

}  // namespace

TEST_CASE("requests within the rules are accepted up to the last byte") {
    CHECK(write_fault(0, 256) == RequestFault::none);
    CHECK(read_fault(0, 512) == RequestFault::none);
    CHECK(write_fault(3, 253) == RequestFault::none);
    CHECK(write_fault(0x1'0000'0F00, 256) == RequestFault::none);
    CHECK(read_fault(4095, 1) == RequestFault::none);
    CHECK(check_request(true, 0x7000, 4096, 128, 4096) == RequestFault::none);
}

TEST_CASE("each rule is named when it is broken by one byte") {
    CHECK(write_fault(0, 0) == RequestFault::zero_length);
    CHECK(read_fault(64, 0) == RequestFault::zero_length);
    CHECK(write_fault(0, 257) == RequestFault::above_mps);
    CHECK(read_fault(0, 513) == RequestFault::above_mrrs);
    CHECK(write_fault(3, 254) == RequestFault::above_mps);  // 65 dwords
    CHECK(read_fault(1, 512) == RequestFault::above_mrrs);
    CHECK(write_fault(3, 0xFFFF'FFFF) == RequestFault::above_mps);
    CHECK(write_fault(0x1'0000'0F04, 253) == RequestFault::crosses_4kib);
    CHECK(read_fault(4095, 2) == RequestFault::crosses_4kib);
    CHECK(describe(RequestFault::crosses_4kib) == std::string("across a 4 KiB boundary"));
}

TEST_CASE("A request is well formed if no rule finds a fault") {
    tlmetry::Random random(1, "requests");
    int good = 0;
    constexpr int count = 10'000;
    for (int i = 0; i < count; ++i) {
        const bool read = random.chance(1, 2);
        const std::uint64_t address = random.next();
        const std::uint32_t bytes = random.between(1, random.chance(1, 2) ? 300 : 5000);
        const std::uint32_t limit = 128u << random.below(6);
        const bool expected =
            check_request(read, address, bytes, read ? 0 : limit, read ? limit : 0) == RequestFault::none;
        REQUIRE(is_well_formed(address, bytes, limit) == expected);
        good += expected;
    }
    CHECK(good > count / 10);
    CHECK(good < count * 9 / 10);
}
