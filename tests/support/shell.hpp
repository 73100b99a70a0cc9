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

}  // namespace tlmetry::test
