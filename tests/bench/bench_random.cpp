// SPDX-License-Identifier: BSD-3-Clause
// Random activity on the pins at its default parameters through one endpoint: processor time per word that a
// bus moves, and simulated time per processor time.
#include "measure.hpp"

#include <tlmetry/platform/platform.hpp>
#include <tlmetry/systemc/time.hpp>

#include <systemc>

using namespace tlmetry;

namespace {

constexpr int rounds = 5;
constexpr double piece_s = 0.005;

/// Words moved so far by the four buses of the one endpoint.
std::uint64_t moved_words(const telemetry::Telemetry& component) {
    const telemetry::Layout& layout = component.layout();
    std::uint64_t words = 0;
    for (const std::uint32_t bus : {0u, 1u}) {
        words += component.counted(layout.pcie.bus_base(bus)) +
                 component.counted(layout.pcie.channels + layout.dma.bus_base(bus));
    }
    return words;
}

}  // namespace

int sc_main(int, char*[]) {
    use_fs_resolution();
    platform::Platform* running = nullptr;
    platform::Platform::Config config;
    config.requests = false;
    platform::Platform platform("platform", config, [&](driver::MiBus&, driver::Clock& clock) {
        const std::uint64_t before = moved_words(running->telemetry.core());
        const double seconds = bench::best_seconds(rounds, [&] { clock.sleep(piece_s); });
        const std::uint64_t words = moved_words(running->telemetry.core()) - before;
        bench::result("random traffic, 1 endpoint: words made and counted",
                      static_cast<double>(words) / rounds / seconds / 1e6, "M words/s");
        bench::result("random traffic, 1 endpoint: simulated / processor time", piece_s / seconds, "");
    });
    running = &platform;
    platform.run();
    return 0;
}
