// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/config/ini.hpp>
#include <tlmetry/telemetry/config.hpp>

#include <iostream>

int main() {
    tlmetry::telemetry::Config telemetry;
    tlmetry::config::Registry registry;
    registry.section("telemetry", "The component.")
        .add("cnt_width", telemetry.cnt_width, tlmetry::config::integer(33, 64, "bits"),
             "Width of the counters.");
    registry.set(tlmetry::config::parse_ini("[telemetry]\ncnt_width = 64\n", "inline"));
    telemetry.validate();
    std::cout << tlmetry::config::dump_ini(registry);
    return telemetry.cnt_width == 64 ? 0 : 1;
}
