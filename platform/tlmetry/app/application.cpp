// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/application.hpp"

#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/describe.hpp>
#include <tlmetry/config/text.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <ostream>

namespace tlmetry::app {

namespace {

constexpr std::string_view help_command = "help";

std::string usage(const std::vector<Command>& commands) {
    std::size_t width = help_command.size();
    for (const Command& command : commands)
        width = std::max(width, command.name.size());
    std::string text =
        "Usage: tlmetry COMMAND [arguments and options]\n"
        "       tlmetry COMMAND --help | --help | --version\n\n"
        "A virtual platform of the PCIe telemetry of an FPGA network card.\n\nCommands:\n";
    const auto line = [&](std::string_view name, std::string_view summary) {
        text += "  " + std::string(name) + std::string(width - name.size() + 2, ' ') + std::string(summary) +
                "\n";
    };
    for (const Command& command : commands)
        line(command.name, command.summary);
    line(help_command, "explain a command or a parameter, or list a section");
    return text;
}

const Command& find_command(const std::vector<Command>& commands, const std::string& name) {
    std::vector<std::string> names = {"--help", "--version", std::string(help_command)};
    for (const Command& command : commands) {
        if (command.name == name) return command;
        names.emplace_back(command.name);
    }
    const std::string best = config::closest(name, names);
    throw UserError("no command has the name " + config::found(name) +
                    (best.empty() ? ", see tlmetry --help" : ", did you mean " + best + "?"));
}

/// Explains commands, parameters, sections and the beginnings of names; without a name, lists commands and
/// sections.
void help(const std::vector<Command>& commands, const std::vector<std::string>& words, std::ostream& out,
          std::ostream& err) {
    RunParameters parameters;
    config::Registry registry;
    parameters.bind(registry);
    if (words.empty()) {
        out << usage(commands) << "\n"
            << config::wrapped(
                   "tlmetry help NAME explains a command or a parameter, or lists those whose names begin "
                   "so. "
                   "Sections:",
                   "")
            << config::list_sections(registry);
    }
    for (const std::string& name : words) {
        const auto found = std::find_if(commands.begin(), commands.end(),
                                        [&](const Command& known) { return known.name == name; });
        const bool command = found != commands.end();
        if (command) found->run({"--help"}, out, err);
        const auto& sections = registry.sections();
        const bool section = std::any_of(sections.begin(), sections.end(),
                                         [&](const auto& known) { return known.name == name; });
        if (command && section) out << "\nParameters of the section " << name << ":\n\n";
        if (!command || section) out << config::help_text(registry, name);
    }
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
    if (words[0] == help_command) {
        help(commands, {words.begin() + 1, words.end()}, out, err);
        return exit_ok;
    }
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
    } catch (const std::filesystem::filesystem_error& error) {
        err << "tlmetry: " << config::printable(error.path1().string() + ": " + error.code().message())
            << "\n";
        return exit_usage;
    } catch (const std::exception& error) {
        err << "tlmetry: internal error: " << config::printable(error.what()) << "\n";
        return exit_internal;
    }
}

}  // namespace tlmetry::app
