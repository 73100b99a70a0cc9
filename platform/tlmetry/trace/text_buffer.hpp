// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string_view>
#include <vector>

namespace tlmetry::trace {

/// Collects text for a stream, which gets it in large pieces. begin_line() has to come before each line.
class TextBuffer {
public:
    static constexpr std::size_t max_line_bytes = 4096;

    explicit TextBuffer(std::ostream& out) : m_out(out), m_bytes(capacity) {}
    TextBuffer(const TextBuffer&) = delete;
    TextBuffer& operator=(const TextBuffer&) = delete;

    /// Makes room for a line of up to max_line_bytes.
    void begin_line() {
        if (m_used + max_line_bytes > capacity) flush();
        m_line = m_used;
    }

    /// False when the stream takes no more.
    bool good() const { return m_good; }

    void flush() {
        m_out.write(m_bytes.data(), static_cast<std::streamsize>(m_used));
        m_good = m_good && static_cast<bool>(m_out);
        m_used = 0;
    }

    void add(char c) { m_bytes[m_used++] = c; }

    void add(std::string_view text) {
        std::memcpy(&m_bytes[m_used], text.data(), text.size());
        m_used += text.size();
    }

    void add_decimal(std::uint64_t value) {
        char* const begin = &m_bytes[m_used];
        m_used += static_cast<std::size_t>(std::to_chars(begin, begin + max_digits, value).ptr - begin);
    }

    /// As many digits as given, or more when the value has more.
    void add_hex(std::uint64_t value, unsigned digits) {
        constexpr char names[] = "0123456789abcdef";
        while (digits < 16 && value >> (4 * digits) != 0)
            ++digits;
        for (unsigned i = digits; i-- > 0;)
            m_bytes[m_used++] = names[value >> (4 * i) & 15];
    }

    void add_bdf(std::uint16_t id) {
        add_hex(id >> 8U, 2);
        add(':');
        add_hex(id >> 3U & 0x1fU, 2);
        add('.');
        add_hex(id & 7U, 1);
    }

    /// Blanks up to a column of this line, counted from 0.
    void pad_to(std::size_t column) {
        while (m_used - m_line < column)
            add(' ');
    }

private:
    static constexpr std::size_t capacity = std::size_t{64} << 10;
    static constexpr std::size_t max_digits = 20;

    std::ostream& m_out;
    std::vector<char> m_bytes;
    std::size_t m_used = 0;
    std::size_t m_line = 0;
    bool m_good = true;
};

}  // namespace tlmetry::trace
