// SPDX-License-Identifier: BSD-3-Clause
// A program that keeps SystemC's default resolution of 1 ps: the modules must say so instead of rounding
// times.
#include <tlmetry/mi/initiator.hpp>

#include <cstring>
#include <iostream>
#include <systemc>

int sc_main(int, char*[]) {
    try {
        tlmetry::mi::MiInitiator initiator("initiator", {});
    } catch (const sc_core::sc_report& report) {
        return std::strstr(report.get_msg(), "use_fs_resolution") != nullptr ? 0 : 1;
    }
    std::cerr << "a resolution of 1 ps was accepted\n";
    return 1;
}
