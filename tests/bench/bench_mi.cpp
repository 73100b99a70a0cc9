// SPDX-License-Identifier: BSD-3-Clause
// MI accesses per second of wall time from software in an SC_THREAD: initiator -> bus -> target -> trivial
// device.
#include "measure.hpp"

#include <tlmetry/mi/bus.hpp>
#include <tlmetry/mi/initiator.hpp>
#include <tlmetry/mi/target.hpp>
#include <tlmetry/systemc/time.hpp>

#include <cstdlib>
#include <systemc>

using namespace tlmetry;

namespace {

constexpr int accesses = 1'000'000;
constexpr int rounds = 10;

class Register : public mi::MiDevice {
public:
    std::uint32_t read(cycle_t, std::uint32_t) override { return m_value; }
    void write(cycle_t, std::uint32_t, std::uint32_t data, std::uint8_t) override { m_value = data; }
    std::uint32_t peek(time_fs, std::uint32_t) override { return m_value; }

private:
    std::uint32_t m_value = 0;
};

class Software : public sc_core::sc_module {
public:
    mi::MiInitiator initiator;

    explicit Software(const sc_core::sc_module_name& name) : sc_module(name), initiator("initiator", {}) {
        SC_HAS_PROCESS(Software);
        SC_THREAD(run);
    }

private:
    template <class Access>
    void measure(const char* name, const Access& access) {
        const double seconds = bench::best_seconds(rounds, [&] {
            for (int i = 0; i < accesses; ++i)
                access(static_cast<std::uint32_t>(i));
        });
        bench::result(name, accesses / seconds / 1e6, "M accesses/s");
    }

    void run() {
        std::uint32_t sum = 0;
        measure("MI bus with a trivial device: reads", [&](std::uint32_t) { sum += initiator.read32(0x24); });
        measure("MI bus with a trivial device: writes", [&](std::uint32_t i) { initiator.write32(0x20, i); });
        measure("MI bus with a trivial device: writes and reads", [&](std::uint32_t i) {
            if (i % 2 == 0) {
                initiator.write32(0x20, i);
            } else {
                sum += initiator.read32(0x20);
            }
        });
        if (sum == 0) std::exit(1);  // what is read must be used
    }
};

}  // namespace

int sc_main(int, char*[]) {
    use_fs_resolution();
    const ClockDomain clock(10 * fs_per_ns, 0);
    Register device;
    mi::MiTarget target("target", {}, clock, device);
    mi::MiBus bus("bus", {}, clock);
    Software software("software");
    software.initiator.socket.bind(bus.initiators[0]);
    bus.devices[0].bind(target.socket);
    sc_core::sc_start();
    return 0;
}
