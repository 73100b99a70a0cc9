// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../sw/files.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

namespace tlmetry::test {

/// What became of a command.
struct Result {
    int code;
    std::string out, err;
};

/// Runs a command line in a shell; it must end by itself.
inline Result shell(const std::string& command) {
    const TemporaryFolder folder;
    const int status =
        std::system(("(" + command + ") >" + folder.path("out") + " 2>" + folder.path("err")).c_str());
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), read_file(folder.path("out")), read_file(folder.path("err"))};
}

/// The beginning of a line for shell(): starts a program in the background, as $pid, and goes on as soon as
/// the shell command `ready` succeeds. Nothing is waited for that takes longer on a loaded machine.
inline std::string in_background(const std::string& command, const std::string& ready) {
    return command + " & pid=$!; until " + ready + "; do sleep 0.02; done; ";
}

/// Succeeds when the process $pid is prepared for Ctrl-C, or has ended.
inline const std::string catches_interrupt =
    "[ ! -e /proc/$pid ] || [ $((0x$(sed -n 's/^SigCgt:.//p' /proc/$pid/status) & 2)) -ne 0 ]";

/// Runs a command that starts with the path of a program, presses Ctrl-C a moment after it is prepared for
/// that, and waits for its end.
inline Result interrupted(const std::string& command) {
    return shell(in_background(command, catches_interrupt) + "sleep 0.2; kill -INT $pid; wait $pid");
}

}  // namespace tlmetry::test
