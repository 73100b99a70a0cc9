// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace tlmetry::explore {

/// What became of a program.
struct Ended {
    int code = 0;  ///< as a shell tells it: 128 and the signal that ended it, if one did
    std::string out, err;
};

/// Runs a program of the PATH with these words, the first of which is its name, and waits for its end. A
/// Ctrl-C on the terminal does not reach it. Throws UserError if there is no such program.
Ended run_program(const std::vector<std::string>& words);

}  // namespace tlmetry::explore
