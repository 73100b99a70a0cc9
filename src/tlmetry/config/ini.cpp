// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/ini.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/file.hpp>
#include <tlmetry/config/text.hpp>

#include <map>

namespace tlmetry::config {
namespace {

constexpr std::string_view escapes = "\\\\\"\"n\nr\r";  // pairs: letter after the backslash, character meant

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// Cuts off a comment: a # or ; at the beginning of the line or after a blank.
std::string_view without_comment(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        if ((line[i] == '#' || line[i] == ';') && (i == 0 || is_blank(line[i - 1]))) return line.substr(0, i);
    }
    return line;
}

/// The text in quotes at the beginning of `value`; only a comment may follow. False when it is badly formed.
bool unquote(std::string_view value, std::string& text) {
    text.clear();
    for (std::size_t i = 1; i < value.size(); ++i) {
        if (value[i] == '"') return trimmed(without_comment(value.substr(i + 1))).empty();
        if (value[i] != '\\') {
            text += value[i];
            continue;
        }
        if (++i == value.size()) return false;
        std::size_t pair = 0;
        while (pair < escapes.size() && escapes[pair] != value[i]) {
            pair += 2;
        }
        if (pair == escapes.size()) return false;
        text += escapes[pair + 1];
    }
    return false;
}

/// `text` such that it reads back from behind the equals sign as it is.
std::string quoted_if_needed(const std::string& text) {
    const bool plain =
        trimmed(text) == text && text.find_first_of("\n\r\"\\") == text.npos && without_comment(text) == text;
    if (plain) return text;
    std::string result = "\"";
    for (const char c : text) {
        std::size_t pair = 0;
        while (pair < escapes.size() && escapes[pair + 1] != c) {
            pair += 2;
        }
        result += pair < escapes.size() ? std::string{'\\', escapes[pair]} : std::string{c};
    }
    return result + '"';
}

}  // namespace

std::vector<Assignment> parse_ini(std::string_view text, const std::string& file) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);

    std::vector<Assignment> assignments;
    std::map<std::string, int> lines;
    std::string section;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view raw = trimmed(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        const std::string place = file + ":" + std::to_string(number);

        const std::string_view line = trimmed(without_comment(raw));
        if (line.empty()) continue;
        if (line.front() == '[') {
            section = trimmed(line.substr(1, line.size() - 2));
            if (line.back() != ']' || section.empty()) {
                throw UserError(place + ": expected a section such as [telemetry], found " + found(line));
            }
            section += '.';
            continue;
        }
        const std::size_t equals = line.find('=');
        const std::string key(trimmed(line.substr(0, equals)));
        if (equals == line.npos || key.empty()) {
            throw UserError(place + ": expected [section] or key = value, found " + found(line));
        }
        Assignment assignment{section + key, {}, place + ": " + shortened(section + key)};
        const std::string_view value = trimmed(raw.substr(equals + 1));
        if (!value.empty() && value.front() == '"') {
            if (!unquote(value, assignment.text)) {
                throw UserError(assignment.place + ": expected a text in double quotes, found " +
                                found(value));
            }
        } else {
            assignment.text = trimmed(line.substr(equals + 1));
        }
        const auto [first, added] = lines.emplace(assignment.name, number);
        if (!added) {
            throw UserError(assignment.place + " is set a second time, first in line " +
                            std::to_string(first->second));
        }
        assignments.push_back(std::move(assignment));
    }
    return assignments;
}

std::vector<Assignment> read_ini(const std::string& path) {
    return parse_ini(read_file("configuration file", path), path);
}

void load_ini(Registry& registry, const std::string& path) {
    registry.set(read_ini(path));
}

std::string dump_ini(const Registry& registry) {
    std::string result;
    for (const Registry::SectionInfo& section : registry.sections()) {
        result += (result.empty() ? "" : "\n") + wrapped(section.doc, "# ") + '[' + section.name + "]\n";
        for (const Parameter& parameter : registry.parameters()) {
            if (parameter.section() != section.name) continue;
            result += '\n' + wrapped(parameter.doc, "# ");
            result += wrapped("Value: " + parameter.expected + ".", "# ");
            const std::string value = quoted_if_needed(parameter.text());
            result += std::string(parameter.key()) + (value.empty() ? " =" : " = " + value) + '\n';
        }
    }
    return result;
}

}  // namespace tlmetry::config
