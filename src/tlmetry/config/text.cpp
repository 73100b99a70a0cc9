// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/text.hpp"

#include <algorithm>
#include <numeric>

namespace tlmetry::config {
namespace {

/// Number of characters to insert, delete or replace to get from `a` to `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown(text);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; }, '?');
    return shown;
}

std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 60;
    if (text.size() <= longest) return printable(text);
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {  // within a UTF-8 character
        --end;
    }
    return printable(text.substr(0, end)) + "...";
}

std::string found(std::string_view text) {
    return text.empty() ? "nothing" : "'" + shortened(text) + "'";
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t smallest = std::max<std::size_t>(2, word.size() / 4) + 1;
    for (const std::string& candidate : candidates) {
        // A key given without its section is a frequent slip and no matter of single letters.
        const std::size_t dot = candidate.rfind('.');
        const bool bare_key = dot != candidate.npos && candidate.compare(dot + 1, candidate.npos, word) == 0;
        // Words that differ in length by more are no slip of each other, and may be very long.
        const std::size_t longer = std::max(word.size(), candidate.size());
        if (!bare_key && longer - std::min(word.size(), candidate.size()) >= smallest) continue;
        const std::size_t distance = bare_key ? 0 : edit_distance(word, candidate);
        if (distance < smallest) {
            smallest = distance;
            best = candidate;
        }
    }
    return best;
}

std::string wrapped(std::string_view text, std::string_view indent) {
    std::string result;
    std::string line(indent);
    bool empty = true;
    while (!text.empty()) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, blank);
        if (!empty && line.size() + 1 + word.size() > text_width) {
            result += line + '\n';
            line = indent;
            empty = true;
        }
        line.append(empty ? "" : " ").append(word);
        empty = false;
        text.remove_prefix(std::min(blank + 1, text.size()));
    }
    return result + line + '\n';
}

std::string wrapped_list(const std::vector<std::string>& items) {
    const std::string indent = "\n  ";
    std::string result;
    std::string line = indent;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
        if (line != indent && line.size() + item.size() > text_width) {  // the line break is one of them
            result += line;
            line = indent;
        }
        line += (line == indent ? "" : " ") + item;
    }
    return result + line;
}

}  // namespace tlmetry::config
