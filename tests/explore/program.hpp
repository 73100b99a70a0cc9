// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../support/shell.hpp"
#include "plans.hpp"

#include <string>

namespace tlmetry::test {

/// `tlmetry explore` in the folder, with its words.
inline Result run_explore(const TemporaryFolder& folder, const std::string& words) {
    return shell("cd " + folder.path("") + " && " + TLMETRY_PROGRAM + " explore " + words);
}

}  // namespace tlmetry::test
