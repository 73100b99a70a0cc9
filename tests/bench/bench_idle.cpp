// SPDX-License-Identifier: BSD-3-Clause
// Processor time of one simulated second of an idle platform: the driver reads all counters every 10 ms.
#include "measure.hpp"

#include <tlmetry/driver/telemetry.hpp>
#include <tlmetry/platform/platform.hpp>
#include <tlmetry/systemc/time.hpp>

#include <cstdlib>
#include <systemc>

using namespace tlmetry;

namespace {

constexpr int rounds = 10;
constexpr int readings = 100;
constexpr double pause_s = 0.01;

}  // namespace

/// The argument is the number of endpoints, 1 by default.
int sc_main(int argc, char* argv[]) {
    use_fs_resolution();
    platform::Platform::Config config;
    config.requests = false;
    config.pins.kind = traffic::Kind::idle;
    config.telemetry.generics.pcie_endpoints = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 1;
    config.telemetry.clocks.pcie.resize(config.telemetry.generics.pcie_endpoints,
                                        config.telemetry.clocks.pcie[0]);
    platform::Platform platform("platform", config, [&](driver::MiBus& bus, driver::Clock& clock) {
        driver::Telemetry telemetry(bus, clock);
        const double seconds = bench::best_seconds(rounds, [&] {
            for (int i = 0; i < readings; ++i) {
                telemetry.snapshot();
                clock.sleep(pause_s);
            }
        });
        bench::result("idle platform, all counters read every 10 ms: time of a simulated second",
                      seconds * 1e3, "ms");
    });
    platform.run();
    return 0;
}
