// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <catch2/catch.hpp>
#include <sw/files.hpp>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

namespace tlmetry::test {

struct Result {
    int code;
    std::string out, err;
};

/// Runs a command line; input and output may be redirected in it.
inline Result run_program(const std::string& program, const std::string& arguments) {
    const TemporaryFolder folder;
    const std::string command =
        program + " " + arguments + " >" + folder.path("out") + " 2>" + folder.path("err");
    const int status = std::system(command.c_str());
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), read_file(folder.path("out")), read_file(folder.path("err"))};
}

/// `tlmetry replay`.
inline Result replay(const std::string& arguments) {
    return run_program(TLMETRY, "replay " + arguments);
}

inline std::string wave(const std::string& name) {
    return std::string(TLMETRY_TEST_DATA) + "/waves/" + name + "/wave.vcd.gz";
}
inline std::string params(const std::string& name) {
    return std::string(TLMETRY_TEST_DATA) + "/waves/" + name + "/params.json";
}

}  // namespace tlmetry::test
