// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/app/application.hpp>
#include <tlmetry/app/replay_command.hpp>

#include <iostream>

int main(int argc, char** argv) {
    using namespace tlmetry::app;
    const std::vector<Command> commands = {
        {"replay", replay_summary, replay},
    };
    return run_application(commands, {argv + 1, argv + argc}, std::cout, std::cerr);
}
