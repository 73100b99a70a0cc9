// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../sw/files.hpp"

#include <tlmetry/explore/plan.hpp>

#include <string>

namespace tlmetry::test {

/// The plan that a file of this text is.
inline explore::Plan plan_of(const TemporaryFolder& folder, const std::string& text) {
    return explore::Plan::load(folder.write("plan.ini", text));
}

/// A card of reads that are short of tags; a point takes milliseconds.
inline const std::string quick_plan =
    "[explore]\n"
    "base = " TLMETRY_CONFIGS
    "/case_01_32_tags.ini\n"
    "[run]\n"
    "duration = 20us\n"
    "warmup = 10us\n"
    "[link]\n"
    "extended_tag = true\n";

}  // namespace tlmetry::test
