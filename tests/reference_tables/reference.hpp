// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../sw/files.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

namespace tlmetry::test {

struct Result {
    int code;
    std::string out, err;
};

/// Runs tlmetry-reference as a user does.
inline Result reference(const std::string& arguments) {
    TemporaryFolder folder;
    const std::string command = TLMETRY_REFERENCE " " + arguments;
    const int status =
        std::system((command + " >" + folder.path("out") + " 2>" + folder.path("err")).c_str());
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), read_file(folder.path("out")), read_file(folder.path("err"))};
}

inline std::string shipped(const std::string& name) {
    return TLMETRY_TEST_DATA "/" + name + ".csv";
}

/// The result of one file.
inline nlohmann::json json_of(const std::string& arguments, int code) {
    const Result result = reference(arguments + " --json --jobs 1");
    CAPTURE(arguments, result.err);
    REQUIRE(result.code == code);
    const auto json = nlohmann::json::parse(result.out);
    CHECK(json.at("schema") == "tlmetry.reference/1");
    CHECK(json.at("passed") == (code == 0));
    REQUIRE(json.at("files").size() == 1);
    return json.at("files").at(0);
}

}  // namespace tlmetry::test
