// SPDX-License-Identifier: BSD-3-Clause
// The main of every test program with SystemC: runs Catch2 inside sc_main at a resolution of 1 fs. A warning
// of SystemC that no test has silenced makes the program fail.
#define CATCH_CONFIG_RUNNER
#include <tlmetry/systemc/time.hpp>

#include <catch2/catch.hpp>

#include <iostream>
#include <systemc>

namespace {

int warnings = 0;

void count_warnings(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING && actions != sc_core::SC_DO_NOTHING) ++warnings;
    sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

// Called by the address sanitizer where a program is built with it. Its leak check crashes on the stacks of
// SystemC's threads; everything else it checks stays.
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}

int sc_main(int argc, char* argv[]) {
    tlmetry::use_fs_resolution();
    sc_core::sc_report_handler::set_handler(count_warnings);
    const int result = Catch::Session().run(argc, argv);
    if (result == 0 && warnings > 0) {
        std::cerr << "SystemC reported " << warnings << " warning(s)\n";
        return 1;
    }
    return result;
}
