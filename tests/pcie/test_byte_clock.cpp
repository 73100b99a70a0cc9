// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/random.hpp>
#include <tlmetry/pcie/byte_clock.hpp>
#include <tlmetry/pcie/link_rate.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace tlmetry;
using namespace tlmetry::pcie;

namespace {

__extension__ using Wide = __int128;

/// Whole femtoseconds of `bytes`, by a plain division.
time_fs exact(std::int64_t bytes, Ratio byte_time) {
    return static_cast<time_fs>(Wide{bytes} * byte_time.numerator() / byte_time.denominator());
}

std::vector<LinkSettings> every_link() {
    std::vector<LinkSettings> links;
    for (const DllpMode dllp : {DllpMode::spec, DllpMode::analytic, DllpMode::off}) {
        for (const bool encoding : {true, false}) {
            for (std::uint32_t generation = 1; generation <= 7; ++generation) {
                for (const std::uint32_t lanes : {1U, 2U, 4U, 8U, 12U, 16U, 32U}) {
                    for (const std::uint32_t mps : {128U, 256U, 512U, 1024U, 2048U, 4096U}) {
                        LinkSettings settings;
                        settings.generation = generation;
                        settings.lanes = lanes;
                        settings.mps_bytes = mps;
                        settings.encoding = encoding;
                        settings.dllp = dllp;
                        links.push_back(settings);
                    }
                }
            }
        }
    }
    return links;
}

}  // namespace

TEST_CASE("transfers back to back end exactly when all their bytes would, on every link") {
    Random random(1, "byte_clock");
    for (const LinkSettings& settings : every_link()) {
        const Ratio byte_time = byte_time_fs(settings);
        const time_fs start = 12'345;
        ByteClock clock(byte_time, start);
        std::int64_t sent = 0;
        for (int i = 0; i < 200; ++i) {
            const std::uint32_t bytes = i % 50 == 0 ? 0x7FFF'FFFF : random.between(1, 5000);
            sent += bytes;
            REQUIRE(clock.send(0, bytes) == start + exact(sent, byte_time));
            REQUIRE(clock.free_at() == start + exact(sent, byte_time));
            REQUIRE(clock.duration(bytes) == exact(bytes, byte_time));
        }
    }
}

TEST_CASE("a transfer begins when the line is free, but not before it is wanted") {
    ByteClock clock(Ratio(5, 2));
    CHECK(clock.send(0, 1) == 2);   // ends at 2.5
    CHECK(clock.send(2, 1) == 5);   // wanted while the line is busy: from 2.5
    CHECK(clock.send(5, 1) == 7);   // just free
    CHECK(clock.send(8, 1) == 10);  // free since 7.5: begins anew at 8, ends at 10.5
    CHECK(clock.send(100, 2) == 105);
    clock.block_until(104);
    CHECK(clock.free_at() == 105);
    clock.block_until(200);
    CHECK(clock.send(150, 2) == 205);
}

TEST_CASE("no fraction of a femtosecond is lost over seconds") {
    LinkSettings settings;
    settings.generation = 6;
    settings.dllp = DllpMode::off;
    ByteClock clock(byte_time_fs(settings));
    // 121 GB/s: 10^6 transfers of 121000 bytes are one second.
    for (int i = 0; i < 1'000'000; ++i)
        clock.send(0, 121'000);
    CHECK(clock.free_at() == fs_per_s);
}

TEST_CASE("a byte time that cannot be divided exactly is refused") {
    CHECK_NOTHROW(ByteClock(Ratio(1, 0xFFFF'FFFF)));
    CHECK_THROWS_AS(ByteClock(Ratio(1, 0x1'0000'0000)), std::logic_error);
}
