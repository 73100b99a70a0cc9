// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/wave/input.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::wave {

/// The text of a recording as a moving window of whole words. Knows the line of every place in it.
///
/// Everything between pos() and limit() consists of complete words, each followed by white space inside the
/// window, so whoever stands on a character of a word can run to its end without looking at the limit.
class Scanner {
public:
    /// `chunk_bytes` are read at a time.
    Scanner(Input input, std::size_t chunk_bytes);

    const Byte* pos() const { return m_pos; }
    const Byte* limit() const { return m_limit; }

    /// Everything before `pos` is done with; fail() speaks about the line of `pos`.
    void set_pos(const Byte* pos) { m_pos = m_mark = pos; }

    /// Reads on, keeping what starts at pos(); pointers into the window change. False when there is no more.
    /// Throws UserError when the input is damaged, ends inside a word or has an absurdly long one.
    bool refill();

    /// The next word, valid until the next call; empty at the end. fail() then speaks about its line.
    std::string_view next_word();

    /// Leaves a section such as $comment behind, up to and with its $end.
    void skip_section(const std::string& keyword);

    /// Throws UserError "file:line: expected ..., found ...".
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

    /// Number of characters before pos().
    std::uint64_t offset() const;

    const Input& input() const { return m_input; }

private:
    std::string line_prefix() const;
    Byte* text_begin() { return m_buffer.data() + margin_bytes; }
    const Byte* text_begin() const { return m_buffer.data() + margin_bytes; }
    std::size_t capacity() const { return m_buffer.size() - 2 * margin_bytes; }

    static constexpr std::size_t margin_bytes = 8;

    Input m_input;
    std::size_t m_chunk_bytes;
    std::vector<Byte> m_buffer;
    const Byte* m_pos;
    const Byte* m_mark;
    const Byte* m_limit;
    const Byte* m_end;  // of the bytes read; an incomplete word stands between limit and end
    bool m_input_ended = false;
    std::uint64_t m_dropped_lines = 0;
    std::uint64_t m_dropped_bytes = 0;
};

inline bool is_space(Byte c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

inline std::string_view text(const Byte* begin, const Byte* end) {
    return {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)};
}

/// ASCII letters in lower case, the rest as it is.
std::string lower(std::string_view text);

/// A word of the file in quotes, shortened and printable, for messages.
std::string shown(std::string_view word);

inline constexpr const char* end_of_file = "the end of the file";

}  // namespace tlmetry::wave
