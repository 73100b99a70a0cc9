// SPDX-License-Identifier: BSD-3-Clause
// What it costs to trace all TLPs of the reference load: processor time of the simulation without and with
// it. The reader takes the buffers over, and does nothing with them.
#include "../account/configured.hpp"
#include "measure.hpp"

#include <tlmetry/trace/recorder.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace tlmetry;

constexpr time_fs run = 20 * fs_per_ms;

double untraced(const device::SimulatedCard::Config& config) {
    device::SimulatedCard card(config);
    const double start = bench::cpu_seconds();
    card.sleep(run);
    return bench::cpu_seconds() - start;
}

double traced(const device::SimulatedCard::Config& config, ptt::Format format) {
    device::SimulatedCard card(config);
    trace::Recorder::Config how;
    how.trace.filter |= 1;
    how.trace.both_directions = true;
    how.trace.format = format;
    std::vector<std::vector<std::uint8_t>> ring(ptt::TraceDriver::buffers,
                                                std::vector<std::uint8_t>(how.buffer_bytes));
    std::uint64_t bytes = 0;
    trace::Recorder recorder(card, how, {ring[0].data(), ring[1].data(), ring[2].data(), ring[3].data()},
                             [&](std::uint8_t* data, std::size_t size) {
                                 bytes += size;
                                 return data;
                             });
    const double start = bench::cpu_seconds();
    recorder.start();
    card.sleep(run);
    recorder.stop();
    const double seconds = bench::cpu_seconds() - start;
    const std::uint64_t records = recorder.unit_statistics().traced;
    if (records < 90'000'000 * static_cast<std::uint64_t>(run / fs_per_ms) / 1000 ||
        bytes != records * ptt::record_bytes(format))
        throw std::runtime_error("not everything was traced");
    return seconds;
}

}  // namespace

int main() {
    try {
        const device::SimulatedCard::Config config = test::configured("reference_load.ini");
        // One after the other in turn, so that both meet the same moments of a shared machine.
        constexpr int rounds = 7;
        double without = 1e9;
        std::array<double, 2> with{1e9, 1e9};
        for (int round = 0; round < rounds; ++round) {
            without = std::min(without, untraced(config));
            with[0] = std::min(with[0], traced(config, ptt::Format::eight_dwords));
            with[1] = std::min(with[1], traced(config, ptt::Format::four_dwords));
        }
        bench::result("trace record, reference load, all TLPs, 8DW: speed with / without it",
                      without / with[0], "");
        bench::result("trace record, reference load, all TLPs, 4DW: speed with / without it",
                      without / with[1], "");
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
