// SPDX-License-Identifier: BSD-3-Clause
// The yardstick of all speeds: one sc_clock and one method sensitive to it, nothing else.
#include "measure.hpp"

#include <systemc>

namespace {

SC_MODULE(Yardstick) {
    sc_core::sc_clock clock{"clock", sc_core::sc_time(10, sc_core::SC_NS)};
    std::uint64_t cycles = 0;

    SC_CTOR(Yardstick) {
        SC_METHOD(count);
        sensitive << clock.posedge_event();
        dont_initialize();
    }
    void count() {
        ++cycles;
    }
};

}  // namespace

int sc_main(int, char*[]) {
    Yardstick yardstick("yardstick");
    const double seconds =
        tlmetry::bench::best_seconds(5, [&] { sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_MS)); });
    tlmetry::bench::result("yardstick: bare sc_clock with one method", 1e6 / seconds / 1e6, "M cycles/s");
    return yardstick.cycles == 0 ? 1 : 0;
}
