// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/application.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <exception>
#include <ostream>

namespace tlmetry::app {

namespace {

std::string usage(const std::vector<Command>& commands) {
    std::size_t width = 0;
    for (const Command& command : commands)
        width = std::max(width, command.name.size());
    std::string text =
        "Usage: tlmetry COMMAND [arguments and options]\n"
        "       tlmetry COMMAND --help | --help | --version\n\n"
        "A virtual platform of the PCIe telemetry of an FPGA network card.\n\nCommands:\n";
    for (const Command& command : commands) {
        text += "  " + std::string(command.name) + std::string(width - command.name.size() + 2, ' ') +
                std::string(command.summary) + "\n";
    }
    return text;
}

const Command& find_command(const std::vector<Command>& commands, const std::string& name) {
    std::vector<std::string> names = {"--help", "--version"};
    for (const Command& command : commands) {
        if (command.name == name) return command;
        names.emplace_back(command.name);
    }
    const std::string best = config::closest(name, names);
    throw UserError("no command has the name " + config::found(name) +
                    (best.empty() ? ", see tlmetry --help" : ", did you mean " + best + "?"));
}

int dispatch(const std::vector<Command>& commands, const std::vector<std::string>& words, std::ostream& out,
             std::ostream& err) {
    if (words.empty()) throw UserError("expected a command, found none: see tlmetry --help");
    if (words[0] == "--help" || words[0] == "-h") {
        out << usage(commands);
        return exit_ok;
    }
    if (words[0] == "--version") {
        out << "tlmetry " TLMETRY_VERSION "\n";
        return exit_ok;
    }
    if (words.size() == 1 && words[0] == "help") out << usage(commands) << "\n";
    return find_command(commands, words[0]).run({words.begin() + 1, words.end()}, out, err);
}

}  // namespace

int run_application(const std::vector<Command>& commands, const std::vector<std::string>& words,
                    std::ostream& out, std::ostream& err) {
    try {
        const int code = dispatch(commands, words, out, err);
        out.flush();
        // Whoever returns exit_usage has said what is wrong.
        if (!out && code != exit_usage) throw UserError("the output cannot be written");
        return code;
    } catch (const UserError& error) {
        err << "tlmetry: " << config::printable(error.what()) << "\n";
        return exit_usage;
    } catch (const std::exception& error) {
        err << "tlmetry: internal error: " << config::printable(error.what()) << "\n";
        return exit_internal;
    }
}

}  // namespace tlmetry::app
