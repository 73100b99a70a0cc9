// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace tlmetry {

/// The text without blanks, tabs and carriage returns at its ends.
constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace tlmetry
