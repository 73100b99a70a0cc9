// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::app {

/// Exit codes of the program.
enum ExitCode : int {
    exit_ok = 0,
    exit_checks_failed = 1,  ///< of the run itself: an answer differs, say
    exit_usage = 2,          ///< a mistake in options, configuration or files
    exit_internal = 3,
    exit_interrupted = 130,  ///< by Ctrl-C, after the results so far
    exit_terminated = 143,   ///< by SIGTERM, after the results so far
};

/// One command of the program.
struct Command {
    std::string_view name;
    std::string_view summary;  ///< one line

    /// Runs it with the words behind its name; `--help` is one of its own options. Results go to `out`, log
    /// and progress to `err`. Returns an ExitCode; throws UserError for a mistake of the user.
    int (*run)(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
};

/// The program: picks the command that `words` begin with, or helps with parameters itself, and turns
/// whatever it throws into a sentence and an exit code.
int run_application(const std::vector<Command>& commands, const std::vector<std::string>& words,
                    std::ostream& out, std::ostream& err);

}  // namespace tlmetry::app
