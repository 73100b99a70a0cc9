// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/trace_reader.hpp"

#include "tlmetry/generator/request.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace tlmetry::generator {

namespace {

constexpr std::size_t buffer_bytes = 65536;
constexpr std::size_t max_line_bytes = 1024;
constexpr std::size_t max_shown_bytes = 40;
constexpr std::uint64_t max_time_ns = (never - 1) / fs_per_ns;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The text up to the next comma, which is removed from `rest` with it; nothing when there is none left.
std::optional<std::string_view> next_column(std::optional<std::string_view>& rest) {
    if (!rest) return std::nullopt;
    const std::size_t comma = rest->find(',');
    const std::string_view column = trimmed(rest->substr(0, comma));
    if (comma == std::string_view::npos) {
        rest.reset();
    } else {
        rest->remove_prefix(comma + 1);
    }
    return column;
}

std::optional<std::uint64_t> parse_digits(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_address(std::string_view text) {
    if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") return parse_digits(text.substr(2), 16);
    return parse_digits(text, 10);
}

std::optional<time_fs> parse_time(std::string_view text) {
    const std::size_t point = text.find('.');
    const std::optional<std::uint64_t> ns = parse_digits(text.substr(0, point), 10);
    if (!ns || *ns >= max_time_ns) return std::nullopt;
    const time_fs time = static_cast<time_fs>(*ns) * fs_per_ns;
    if (point == std::string_view::npos) return time;

    const std::string_view decimals = text.substr(point + 1);
    std::optional<std::uint64_t> fs = parse_digits(decimals, 10);
    if (!fs || decimals.size() > 6) return std::nullopt;
    for (std::size_t i = decimals.size(); i < 6; ++i)
        *fs *= 10;
    return time + static_cast<time_fs>(*fs);
}

}  // namespace

TraceReader::TraceReader(const std::string& path, std::uint32_t max_length)
    : m_path(path), m_max_length(max_length), m_stream(path, std::ios::binary), m_buffer(buffer_bytes) {
    if (!m_stream) throw UserError("request trace " + path + " cannot be opened: " + std::strerror(errno));
}

bool TraceReader::next(TraceEntry& entry) {
    for (std::string_view line; next_line(line);) {
        line = trimmed(line);
        if (line.empty() || line.front() == '#') continue;
        const bool names = m_names_allowed && is_letter(line.front());
        m_names_allowed = false;
        if (names) continue;
        parse(line, entry);
        if (entry.time < m_last_time) refuse("a time not before that of the line above", line);
        m_last_time = entry.time;
        return true;
    }
    return false;
}

bool TraceReader::next_line(std::string_view& line) {
    while (true) {
        const auto begin = m_buffer.begin() + static_cast<std::ptrdiff_t>(m_begin);
        const auto end = m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end);
        const auto length = static_cast<std::size_t>(std::find(begin, end, '\n') - begin);
        const bool complete = m_begin + length < m_end;
        if (!complete && length <= max_line_bytes && fill()) continue;
        if (!complete && length == 0) return false;
        ++m_line;
        line = std::string_view(m_buffer.data() + m_begin, length);
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (m_line == 1 && line.substr(0, 3) == byte_order_mark) line.remove_prefix(3);
        if (length > max_line_bytes) {
            refuse("at most " + std::to_string(max_line_bytes) + " characters in a line", line);
        }
        m_begin += length + (complete ? 1 : 0);
        return true;
    }
}

/// Reads more behind what is left of the buffer; false at the end of the file.
bool TraceReader::fill() {
    std::copy(m_buffer.begin() + static_cast<std::ptrdiff_t>(m_begin),
              m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end), m_buffer.begin());
    m_end -= m_begin;
    m_begin = 0;
    m_stream.read(m_buffer.data() + m_end, static_cast<std::streamsize>(m_buffer.size() - m_end));
    if (m_stream.bad()) throw UserError("request trace " + m_path + " cannot be read");
    m_end += static_cast<std::size_t>(m_stream.gcount());
    return m_stream.gcount() > 0;
}

void TraceReader::parse(std::string_view line, TraceEntry& entry) const {
    std::optional<std::string_view> rest = line;
    const auto column = [&](const char* name) {
        const std::optional<std::string_view> text = next_column(rest);
        if (!text) refuse(std::string("time_ns, R|W, address, length[, flags] with ") + name, line);
        return *text;
    };

    const std::string_view time_text = column("a time");
    const std::optional<time_fs> time = parse_time(time_text);
    if (!time) {
        refuse("a time in ns with at most 6 decimals, below " + std::to_string(max_time_ns), time_text);
    }
    entry.time = *time;

    const std::string_view direction = column("a direction");
    entry.read = direction == "R" || direction == "r";
    if (!entry.read && direction != "W" && direction != "w") refuse("R or W", direction);

    const std::string_view address_text = column("an address");
    const std::optional<std::uint64_t> address = parse_address(address_text);
    if (!address) refuse("an address of at most 64 bits, decimal or after 0x", address_text);
    entry.address = *address;

    const std::string_view length_text = column("a length");
    const std::optional<std::uint64_t> length = parse_digits(length_text, 10);
    if (!length || *length < 1 || *length > m_max_length) {
        refuse("a length from 1 to " + std::to_string(m_max_length) + " bytes", length_text);
    }
    entry.length = static_cast<std::uint32_t>(*length);
    if (entry.address > ~std::uint64_t{0} - (entry.length - 1)) {
        refuse("an end of the operation within 64 bits", address_text);
    }

    entry.flags = 0;
    if (!rest) return;
    const std::string_view flags_text = column("flags");
    const std::optional<std::uint64_t> flags = parse_digits(flags_text, 10);
    if (!flags || *flags > (flag::no_snoop | flag::relaxed_ordering)) {
        refuse("flags from 0 to 3 (1 no snoop, 2 relaxed ordering)", flags_text);
    }
    if (rest) refuse("no column after the flags", line);
    entry.flags = static_cast<std::uint8_t>(*flags);
}

void TraceReader::refuse(const std::string& expected, std::string_view found) const {
    std::string shown(found.substr(0, max_shown_bytes));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
        '?');
    throw UserError("request trace " + m_path + ", line " + std::to_string(m_line) + ": expected " +
                    expected + ", found \"" + shown + (found.size() > max_shown_bytes ? "...\"" : "\""));
}

}  // namespace tlmetry::generator
