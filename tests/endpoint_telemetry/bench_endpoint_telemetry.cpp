// SPDX-License-Identifier: BSD-3-Clause
// What it costs to count the logs of an endpoint: busy buses of two regions and frames of seven, drain period
// 4096.
#include "bench/measure.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/endpoint_telemetry/log_feed.hpp>

#include <algorithm>
#include <cstdint>

using namespace tlmetry;

namespace {

constexpr int commits = 100;
constexpr time_fs commit_fs = 100 * fs_per_us;

/// A component at its defaults and the logs of its endpoint.
struct Bench {
    Bench() {
        logs.rq.log = &mfb;
        logs.rc.log = &quiet_mfb;
        logs.ports.push_back({{&quiet_mfb}, {&quiet_mfb}, {&mvb}, {&quiet_mvb}});
        for (auto& pin : logs.brakes)
            pin = {&brake, &endpoint_telemetry::EndpointLogs::nothing};
        logs.tags = {&falls, &rises, 256};
        logs.words = {&quiet_steps, &quiet_steps, 1024};
    }

    /// Seconds that the commits take for which `fill` writes the logs up to a PCIe and a DMA cycle.
    template <class Fill>
    double seconds(const Fill& fill) {
        double best = 1e300;
        telemetry::Telemetry component({}, clocks);
        endpoint_telemetry::LogFeed feed(logs, component, 0);
        for (int i = 1; i <= commits; ++i) {
            const time_fs t = i * commit_fs;
            fill(clocks.pcie[0].first_at_or_after(t), clocks.dma.first_at_or_after(t));
            const double start = bench::cpu_seconds();
            feed.commit(t);
            best = std::min(best, bench::cpu_seconds() - start);
            component.advance_to(t);
        }
        return best;
    }

    telemetry::Clocks clocks{
        ClockDomain(10 * fs_per_ns, 0), ClockDomain(5 * fs_per_ns, 0), {ClockDomain(2'500'000, 0)}};
    endpoint::MfbLog mfb, quiet_mfb;
    endpoint::MvbLog mvb, quiet_mvb;
    endpoint::BrakeLog brake;
    endpoint::LevelLog falls, rises, quiet_steps;
    endpoint_telemetry::EndpointLogs logs;
};

void bench_pieces(bool mixed, const char* name) {
    Bench bench;
    Random random(1, "pieces");
    cycle_t cycle = 0;
    std::uint32_t place = 0;
    std::uint64_t pieces = 0;
    const double seconds = bench.seconds([&](cycle_t end, cycle_t) {
        pieces = 0;
        while (cycle < end) {
            const bool read = mixed && random.chance(1, 2);
            const std::uint32_t regions = read ? 1 : mixed ? random.between(1, 8) : 7;
            const cycle_t stall = mixed && place == 0 && random.chance(1, 4) ? random.between(1, 3) : 0;
            bench.mfb.push({cycle, cycle + stall, regions, static_cast<std::uint16_t>(random.below(8)),
                            static_cast<std::uint8_t>(place),
                            endpoint::Piece::flags_of(place == 0, true, true)});
            cycle += stall + (place + regions) / 2;
            place = (place + regions) % 2;
            ++pieces;
        }
    });
    bench::result(name, seconds * 1e9 / static_cast<double>(pieces), "ns");
}

void bench_headers() {
    Bench bench;
    Random random(1, "headers");
    cycle_t cycle = 0;
    std::uint64_t words = 0;
    const double seconds = bench.seconds([&](cycle_t, cycle_t end) {
        words = 0;
        while (cycle < end) {
            const cycle_t stall = random.chance(1, 2) ? random.between(1, 3) : 0;
            bench.mvb.push({cycle, cycle + stall, random.between(1, 2)});
            cycle += stall + 1;
            ++words;
        }
    });
    bench::result("endpoint telemetry: time a word of headers", seconds * 1e9 / static_cast<double>(words),
                  "ns");
}

void bench_brakes() {
    Bench bench;
    Random random(1, "brakes");
    bench.logs.brakes.fill({nullptr, &endpoint_telemetry::EndpointLogs::nothing});
    endpoint::BrakeLog quiet;
    for (auto& pin : bench.logs.brakes)
        pin.log = &quiet;
    bench.logs.brakes[0].log = &bench.brake;
    cycle_t cycle = 0;
    std::uint64_t intervals = 0;
    const double seconds = bench.seconds([&](cycle_t end, cycle_t) {
        intervals = 0;
        while (cycle < end) {
            const cycle_t to = cycle + random.between(1, 6);
            bench.brake.push({cycle, to});
            cycle = to + random.below(3);
            ++intervals;
        }
    });
    bench::result("endpoint telemetry: time an interval of a brake",
                  seconds * 1e9 / static_cast<double>(intervals), "ns");
}

/// Tags under full load: groups of two are taken as soon as tags are back.
void bench_steps() {
    Bench bench;
    Random random(1, "steps");
    cycle_t cycle = 0;
    std::int32_t free = 256;
    std::uint64_t steps = 0;
    const double seconds = bench.seconds([&](cycle_t end, cycle_t) {
        steps = 0;
        for (; cycle < end; ++cycle) {
            for (std::uint32_t back = random.below(3); back != 0 && free < 250; --back, ++free, ++steps)
                bench.rises.push({cycle, 1});
            if (free >= 2 && random.chance(2, 3)) {
                bench.falls.push({cycle, -2});
                free -= 2;
                ++steps;
            }
        }
    });
    bench::result("endpoint telemetry: time a step of a level", seconds * 1e9 / static_cast<double>(steps),
                  "ns");
}

}  // namespace

int main() {
    bench_pieces(false, "endpoint telemetry: time a piece, frames of 7 regions");
    bench_pieces(true, "endpoint telemetry: time a piece, reads and writes");
    bench_headers();
    bench_brakes();
    bench_steps();
}
