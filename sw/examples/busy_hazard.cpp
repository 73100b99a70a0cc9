// SPDX-License-Identifier: BSD-3-Clause
// A hazard of the component, and the way round it: BUSY rises two cycles after the write of a command, so a
// driver that polls STATUS in the very next cycle takes the old snapshot for the new one.
//
//     $ c++ -shared -fPIC -I PREFIX/include busy_hazard.cpp -o busy_hazard.so
//     $ tlmetry run configs/default.ini --software ./busy_hazard.so
#include <tlmetry/software/tlmetry.h>

#include <cstdint>
#include <cstdio>

namespace {

constexpr std::uint32_t command = 0x20;
constexpr std::uint32_t status = 0x24;
constexpr std::uint32_t first_counter = 0x8000;  // elapsed cycles of the PCIe clock
constexpr std::uint32_t take_snapshot = 1;
constexpr std::uint32_t busy = 1;

constexpr std::uint64_t pause_us = 100;
constexpr int most_polls = 100000;  // a snapshot takes far fewer

struct AccessFailed {};

void require(int result) {
    if (result != 0) throw AccessFailed();
}

/// Takes a snapshot and reads a counter of it, 0 where the snapshot does not end; `flush` reads STATUS once
/// before it polls.
std::uint32_t measure(const tlmetry_card* t, bool flush, int& polls) {
    std::uint32_t word = 0;
    require(tlmetry_write32(t, command, take_snapshot));
    if (flush) require(tlmetry_read32(t, status, &word));
    const auto is_busy = [&] {
        require(tlmetry_read32(t, status, &word));
        return (word & busy) != 0;
    };
    for (polls = 1; is_busy(); ++polls) {
        if (polls < most_polls) continue;
        tlmetry_log(t, "STATUS is still busy after %d polls", polls);
        return 0;
    }
    std::uint32_t cycles = 0;
    require(tlmetry_read32(t, first_counter, &cycles));
    return cycles;
}

/// Cycles that a measurement of 100 us shows. Snapshots end at the read-outs of the counters, so it may be
/// off by one of them.
std::uint32_t cycles_of_pause(const tlmetry_card* t, bool flush) {
    int polls = 0;
    const std::uint32_t first = measure(t, flush, polls);
    require(tlmetry_sleep_us(t, pause_us));
    const std::uint32_t second = measure(t, flush, polls);
    tlmetry_log(t, "%s: %d polls, %u cycles in 100 us", flush ? "with a read in between" : "polled at once",
                polls, static_cast<unsigned>(second - first));
    require(tlmetry_sleep_us(t, pause_us));  // for a snapshot that still runs
    return second - first;
}

}  // namespace

extern "C" int tlmetry_main(const struct tlmetry_card* t) try {
    const std::uint32_t hasty = cycles_of_pause(t, false);
    const std::uint32_t careful = cycles_of_pause(t, true);
    if (careful == 0) return 1;
    std::printf("a driver that polls at once finds %u cycles, one that reads in between %u%s\n",
                static_cast<unsigned>(hasty), static_cast<unsigned>(careful),
                hasty == careful ? ": this bus hides the hazard" : "");
    return 0;
} catch (const AccessFailed&) {
    tlmetry_log(t, "%s", tlmetry_error(t));
    return 1;
}
