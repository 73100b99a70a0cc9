// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/trace_command.hpp"

#include <tlmetry/app/application.hpp>
#include <tlmetry/app/trace_decode_command.hpp>
#include <tlmetry/app/trace_record_command.hpp>
#include <tlmetry/app/trace_tune_command.hpp>
#include <tlmetry/base/alternatives.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>
#include <tlmetry/report/table.hpp>

#include <algorithm>
#include <array>
#include <ostream>

namespace tlmetry::app {

namespace {

constexpr std::array commands = {
    Command{"record", trace_record_summary, trace_record},
    Command{"tune", trace_tune_summary, trace_tune},
    Command{"decode", trace_decode_summary, trace_decode},
};

std::string usage() {
    std::string text =
        "Usage: tlmetry trace COMMAND [arguments and options]\n"
        "       tlmetry trace COMMAND --help\n\n"
        "Traces of TLP headers, as the PTT device of a HiSilicon root complex makes them.\n"
        "See docs/trace.md.\n\nCommands:\n";
    for (const Command& command : commands)
        text += "  " + report::pad_right(std::string(command.name), 8) + std::string(command.summary) + "\n";
    return text;
}

}  // namespace

int trace(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    std::vector<std::string> all;
    all.reserve(commands.size());
    for (const Command& command : commands)
        all.emplace_back(command.name);
    const std::string names = alternatives(all);
    if (words.empty()) throw UserError("trace: expected a command, " + names + ", found none");
    if (words[0] == "--help" || words[0] == "-h") {
        out << usage();
        return exit_ok;
    }
    const auto* const found = std::find_if(commands.begin(), commands.end(),
                                           [&](const Command& command) { return command.name == words[0]; });
    if (found == commands.end())
        throw UserError("trace: expected a command, " + names + ", found " + config::found(words[0]));
    return found->run({words.begin() + 1, words.end()}, out, err);
}

}  // namespace tlmetry::app
