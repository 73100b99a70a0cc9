// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/histogram.hpp"

#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

namespace tlmetry::host {

namespace {

constexpr std::size_t max_bins = 65535;
constexpr std::size_t max_line_bytes = 1024;
constexpr std::size_t max_shown_bytes = 40;
constexpr std::uint64_t max_ns = fs_per_s / fs_per_ns;
constexpr std::uint64_t max_count = std::uint64_t{1} << 53;  // a double holds all of these

std::optional<std::uint64_t> parse_digits(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<time_fs> parse_latency(std::string_view text) {
    const std::size_t point = text.find('.');
    const std::optional<std::uint64_t> ns = parse_digits(text.substr(0, point));
    if (!ns || *ns >= max_ns) return std::nullopt;
    time_fs result = static_cast<time_fs>(*ns) * fs_per_ns;
    if (point == std::string_view::npos) return result;
    const std::string_view decimals = text.substr(point + 1);
    std::optional<std::uint64_t> fs = parse_digits(decimals);
    if (!fs || decimals.size() > 6) return std::nullopt;
    for (std::size_t i = decimals.size(); i < 6; ++i)
        *fs *= 10;
    return result + static_cast<time_fs>(*fs);
}

/// The next word of `line`, which is removed from it; empty at its end.
std::string_view next_word(std::string_view& line) {
    constexpr const char* blanks = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

/// The next line, or its first max_line_bytes + 1 characters; false at the end of the file.
bool next_line(std::istream& in, std::string& line) {
    line.clear();
    for (char c; line.size() <= max_line_bytes && in.get(c);) {
        if (c == '\n') return true;
        line += c;
    }
    return !line.empty();
}

}  // namespace

std::vector<HistogramBin> read_histogram(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw UserError("histogram " + path + " cannot be opened: " + std::strerror(errno));
    std::vector<HistogramBin> bins;
    std::string line;
    std::uint64_t number = 0;
    const auto refuse = [&](const std::string& expected, std::string_view found) {
        std::string shown(found.substr(0, max_shown_bytes));
        std::replace_if(
            shown.begin(), shown.end(),
            [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
        throw UserError("histogram " + path + ", line " + std::to_string(number) + ": expected " + expected +
                        ", found \"" + shown + (found.size() > max_shown_bytes ? "...\"" : "\""));
    };
    while (next_line(in, line)) {
        ++number;
        if (line.size() > max_line_bytes)
            refuse("at most " + std::to_string(max_line_bytes) + " characters in a line", line);
        std::string_view rest = line;
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (number == 1 && rest.substr(0, 3) == byte_order_mark) rest.remove_prefix(3);
        const std::string_view latency_text = next_word(rest);
        if (latency_text.empty() || latency_text.front() == '#') continue;
        const std::string_view count_text = next_word(rest);
        if (count_text.empty() || !next_word(rest).empty()) refuse("a latency in ns and a count", line);
        const std::optional<time_fs> latency = parse_latency(latency_text);
        if (!latency) {
            refuse("a latency in ns with at most 6 decimals, below " + std::to_string(max_ns), latency_text);
        }
        const std::optional<std::uint64_t> count = parse_digits(count_text);
        if (!count || *count > max_count) {
            refuse("a count from 0 to " + std::to_string(max_count), count_text);
        }
        if (*count == 0) continue;
        if (bins.size() == max_bins) refuse("at most " + std::to_string(max_bins) + " latencies", line);
        bins.push_back({*latency, *count});
    }
    if (in.bad()) throw UserError("histogram " + path + " cannot be read");
    if (bins.empty()) {
        throw UserError("histogram " + path + ", line " + std::to_string(number) +
                        ": expected a latency with a count above 0, found none up to the end");
    }
    return bins;
}

}  // namespace tlmetry::host
