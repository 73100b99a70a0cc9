// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::config {

/// `text` with its control characters shown as ?, so that a message stays on one line and does nothing to a
/// terminal.
std::string printable(std::string_view text);

/// What a user wrote, for an error message: printable, and cut after 60 characters.
std::string shortened(std::string_view text);

/// The same in quotes; `nothing` for an empty text.
std::string found(std::string_view text);

/// The candidate a mistyped `word` most likely means; empty when none comes near.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

/// Columns of what is printed to be read: help, notes, comments of a configuration.
inline constexpr unsigned text_width = 80;

/// Text broken at blanks into lines of at most text_width characters that begin with `indent`; ends with a
/// line break.
std::string wrapped(std::string_view text, std::string_view indent);

/// The items separated by commas, as what follows a headline: a line break in front of each line, which has
/// two blanks and at most text_width characters, and none at the end.
std::string wrapped_list(const std::vector<std::string>& items);

}  // namespace tlmetry::config
