// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/app/application.hpp>
#include <tlmetry/app/characterize_command.hpp>
#include <tlmetry/app/explain_command.hpp>
#include <tlmetry/app/explore_command.hpp>
#include <tlmetry/app/replay_command.hpp>
#include <tlmetry/app/run_command.hpp>
#include <tlmetry/app/serve_command.hpp>
#include <tlmetry/app/trace_command.hpp>

#include <cstdlib>
#include <iostream>
#include <systemc>

int sc_main(int argc, char** argv) {
    using namespace tlmetry::app;
    const std::vector<Command> commands = {
        {"run", run_summary, run},          {"characterize", characterize_summary, characterize},
        {"replay", replay_summary, replay}, {"explain", explain_summary, explain},
        {"serve", serve_summary, serve},    {"status", status_summary, status},
        {"trace", trace_summary, trace},    {"explore", explore_summary, explore},
    };
    return run_application(commands, {argv + 1, argv + argc}, std::cout, std::cerr);
}

int main(int argc, char** argv) {
    // The standard error is for what the user has to know; SystemC would print its version and copyright
    // there.
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
