// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/driver/clock.hpp>

#include <chrono>
#include <thread>

namespace tlmetry::driver {

double HostClock::now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void HostClock::sleep(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace tlmetry::driver
