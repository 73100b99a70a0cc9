// SPDX-License-Identifier: BSD-3-Clause
// The telemetry core without a kernel: words told as runs, idle stretches, and overload by sixteen endpoints.
#include "measure.hpp"

#include <tlmetry/base/random.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <vector>

using namespace tlmetry;

namespace {

telemetry::Clocks default_clocks(std::uint32_t endpoints) {
    telemetry::Clocks clocks{
        ClockDomain(10 * fs_per_ns, 10 * fs_per_ns), ClockDomain(5 * fs_per_ns, 5 * fs_per_ns), {}};
    for (std::uint32_t e = 0; e < endpoints; ++e)
        clocks.pcie.emplace_back(2'500'000, 2'500'000);
    return clocks;
}

/// One read of a counter at the MI edge that comes first at or after `t`.
void look(telemetry::Telemetry& model, const telemetry::Clocks& clocks, time_fs t) {
    model.read(clocks.mi.first_at_or_after(t), regs::counter_window);
}

void bench_idle() {
    const telemetry::Clocks clocks = default_clocks(1);
    const double seconds = bench::best_seconds(5, [&] {
        telemetry::Telemetry model({}, clocks);
        for (int i = 1; i <= 100; ++i)
            look(model, clocks, i * 10 * fs_per_ms);
    });
    bench::result("core, idle, 1 endpoint, a read every 10 ms: time of a simulated second", seconds * 1e3,
                  "ms");
}

void bench_overload() {
    telemetry::Config config;
    config.pcie_endpoints = 16;
    const telemetry::Clocks clocks = default_clocks(16);
    const telemetry::Layout layout(config);
    const double seconds = bench::best_seconds(3, [&] {
        telemetry::Telemetry model(config, clocks);
        look(model, clocks, 100 * fs_per_ms);
    });
    const double drains =
        100e-3 / (4096 * 2.5e-9) * layout.pcie.channels + 100e-3 / (4096 * 5e-9) * layout.dma.channels;
    bench::result("core, overload, 16 idle endpoints: time a delta", seconds * 1e9 / (drains * 16), "ns");
    bench::result("core, overload, 16 idle endpoints: simulated / processor time", 100e-3 / seconds, "");
}

/// All four buses of one endpoint with a new word in every run, three cycles a run on average.
void bench_runs() {
    const telemetry::Clocks clocks = default_clocks(1);
    constexpr int runs = 2'000'000;
    const telemetry::Telemetry shape({}, clocks);
    Random random(1, "bench");
    std::vector<telemetry::MfbWord> words;
    for (int i = 0; i < 256; ++i) {
        telemetry::MfbPins pins;
        pins.src_rdy = random.chance(7, 8);
        pins.dst_rdy = random.chance(7, 8);
        pins.sof = random.below(4);
        pins.eof = random.below(4);
        pins.eof_pos = {random.below(8), random.below(8)};
        words.push_back(shape.pcie_bus(0).decode(pins));
    }
    const double seconds = bench::best_seconds(3, [&] {
        telemetry::Telemetry model({}, clocks);
        cycle_t cycle = 0;
        for (int i = 0; i < runs;) {
            for (int step = 0; step < 4096; ++step, ++i) {
                model.pcie_probe(0).mfb(0).hold(cycle, words[static_cast<std::size_t>(i) % 256]);
                cycle += 1 + i % 5;
            }
            look(model, clocks, clocks.pcie[0].time_of(cycle));
        }
    });
    bench::result("core: runs through one bus of a probe", runs / seconds / 1e6, "M runs/s");
}

void bench_reads() {
    const telemetry::Clocks clocks = default_clocks(1);
    constexpr int reads = 2'000'000;
    std::uint32_t sum = 0;
    const double seconds = bench::best_seconds(3, [&] {
        telemetry::Telemetry model({}, clocks);
        for (int i = 0; i < reads; ++i)
            sum += model.read(1000 + 2 * i, regs::counter_window + i % 96 * 4);
    });
    bench::result("core: counter reads, one every second MI cycle",
                  reads / seconds / 1e6 + (sum == 1 ? 1 : 0), "M reads/s");
}

}  // namespace

int main() {
    bench_runs();
    bench_reads();
    bench_idle();
    bench_overload();
}
