// SPDX-License-Identifier: BSD-3-Clause
// MI accesses of software inside the platform, through the interface that the driver uses: driver bus -> TLM
// initiator
// -> MI bus -> MI target -> telemetry.
#include "measure.hpp"

#include <tlmetry/platform/platform.hpp>
#include <tlmetry/regs/telemetry_registers.hpp>
#include <tlmetry/systemc/time.hpp>

#include <systemc>

using namespace tlmetry;

namespace {

constexpr int accesses = 1'000'000;
constexpr int rounds = 5;

template <class Access>
void measure(const char* name, const Access& access) {
    const double seconds = bench::best_seconds(rounds, [&] {
        for (int i = 0; i < accesses; ++i)
            access();
    });
    bench::result(name, accesses / seconds / 1e6, "M accesses/s");
}

}  // namespace

int sc_main(int, char*[]) {
    use_fs_resolution();
    platform::Platform::Config config;
    config.requests = false;
    config.pins.kind = traffic::Kind::idle;
    std::uint64_t sum = 0;  // what is read must be used
    platform::Platform platform("platform", config, [&](driver::MiBus& bus, driver::Clock&) {
        measure("software in the platform: reads of a configuration register",
                [&] { sum += bus.read32(regs::cfg_layout); });
        measure("software in the platform: reads of STATUS", [&] { sum += bus.read32(regs::status); });
        measure("software in the platform: reads of PCIE_TAGS", [&] { sum += bus.read32(regs::pcie_tags); });
        measure("software in the platform: reads of a counter",
                [&] { sum += bus.read32(regs::counter_window); });
        measure("software in the platform: writes of READ_SEL", [&] { bus.write32(regs::read_sel, 0); });
    });
    platform.run();
    return sum == 0 ? 1 : 0;
}
