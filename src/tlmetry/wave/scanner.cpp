// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/base/error.hpp>
#include <tlmetry/wave/scanner.hpp>

#include <algorithm>
#include <cstring>

namespace tlmetry::wave {
namespace {

constexpr std::size_t max_word_bytes = 8U << 20;

std::uint64_t count_lines(const Byte* begin, const Byte* end) {
    std::uint64_t lines = 0;
    while (begin != end) {
        // A sum in one byte is what the compiler turns into the fastest code.
        const Byte* const stop = begin + std::min<std::ptrdiff_t>(end - begin, 255);
        Byte in_block = 0;
        for (; begin != stop; ++begin)
            in_block = static_cast<Byte>(in_block + (*begin == '\n'));
        lines += in_block;
    }
    return lines;
}

}  // namespace

Scanner::Scanner(Input input, std::size_t chunk_bytes)
    : m_input(std::move(input)), m_chunk_bytes(chunk_bytes), m_buffer(chunk_bytes + 2 * margin_bytes) {
    m_pos = m_mark = m_limit = m_end = text_begin();
}

bool Scanner::refill() {
    const auto window_before = m_limit - m_pos;
    const auto kept = static_cast<std::size_t>(m_end - m_pos);
    m_dropped_lines += count_lines(text_begin(), m_pos);
    m_dropped_bytes += static_cast<std::uint64_t>(m_pos - text_begin());
    std::memmove(text_begin(), m_pos, kept);
    std::size_t filled = kept;
    const auto place = [&] {
        const Byte* const start = text_begin();
        m_pos = m_mark = start;
        m_end = start + filled;
        m_limit = m_end;
        while (m_limit != start && !is_space(m_limit[-1]))
            --m_limit;
    };
    const auto reserve = [&](std::size_t size) {
        if (size > capacity()) m_buffer.resize(size + 2 * margin_bytes);
    };
    place();
    while (!m_input_ended && m_limit - m_pos <= window_before) {
        if (filled > max_word_bytes)
            fail("words of at most " + std::to_string(max_word_bytes) + " characters", "a longer one");
        reserve(filled + std::max(m_chunk_bytes, filled));
        const std::size_t want = capacity() - filled;
        const std::size_t got = m_input.read(text_begin() + filled, want);
        filled += got;
        m_input_ended = got < want;
        place();
    }
    if (m_limit - m_pos > window_before) return true;
    m_mark = m_limit;
    if (!m_input.defect().empty()) fail("the recording to go on", m_input.defect());
    if (m_limit == m_end) return false;
    if (text(m_limit, m_end) != "$end")
        fail("a line end behind " + shown(text(m_limit, m_end)),
             std::string(end_of_file) + " (it is cut off)");
    reserve(filled + 1);
    text_begin()[filled++] = '\n';
    place();
    return true;
}

std::string_view Scanner::next_word() {
    for (;;) {
        while (m_pos != m_limit && is_space(*m_pos))
            ++m_pos;
        m_mark = m_pos;
        if (m_pos != m_limit) break;
        if (!refill()) return {};
    }
    while (!is_space(*m_pos))
        ++m_pos;
    return text(m_mark, m_pos);
}

void Scanner::skip_section(const std::string& keyword) {
    const std::string opened = line_prefix();
    for (;;) {
        const std::string_view word = next_word();
        if (word == "$end") return;
        if (word.empty())
            throw UserError(opened + "expected $end behind " + keyword + ", found " + end_of_file);
    }
}

void Scanner::fail(const std::string& expected, const std::string& found) const {
    throw UserError(line_prefix() + "expected " + expected + ", found " + found);
}

std::string Scanner::line_prefix() const {
    const std::uint64_t line = m_dropped_lines + count_lines(text_begin(), m_mark) + 1;
    return m_input.name() + ":" + std::to_string(line) + ": ";
}

std::uint64_t Scanner::offset() const {
    return m_dropped_bytes + static_cast<std::uint64_t>(m_pos - text_begin());
}

std::string lower(std::string_view s) {
    std::string result(s);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string shown(std::string_view word) {
    constexpr std::size_t max_shown = 40;
    std::string result = "'";
    for (const char c : word.substr(0, max_shown))
        result += c >= ' ' && c <= '~' ? c : '?';
    return result + (word.size() > max_shown ? "...'" : "'");
}

}  // namespace tlmetry::wave
