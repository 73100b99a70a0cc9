// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tlmetry::generator {

/// One operation of a trace.
struct TraceEntry {
    time_fs time = 0;
    std::uint64_t address = 0;
    std::uint32_t length = 0;  ///< bytes
    bool read = false;
    std::uint8_t flags = 0;  ///< flag::no_snoop, flag::relaxed_ordering
};

/// Reads a text file of operations line by line, in constant memory. A line is
///
///     time_ns, R|W, address, length[, flags]
///
/// with the time in nanoseconds (up to 6 decimals, never decreasing), the address decimal or hexadecimal
/// after 0x, the length in bytes, and the flags as in Attr[1:0] of the TLP header: 1 no snoop, 2 relaxed
/// ordering, 3 both. Empty lines, lines that begin with # and a first line of column names are skipped.
class TraceReader {
public:
    /// Lengths from 1 to `max_length` are accepted. Throws UserError when the file cannot be opened.
    TraceReader(const std::string& path, std::uint32_t max_length);

    /// The next operation; false at the end. Throws UserError naming the file and the line of a mistake.
    bool next(TraceEntry& entry);

private:
    bool next_line(std::string_view& line);
    bool fill();
    void parse(std::string_view line, TraceEntry& entry) const;
    [[noreturn]] void refuse(const std::string& expected, std::string_view found) const;

    std::string m_path;
    std::uint32_t m_max_length;
    std::ifstream m_stream;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;  // unread part of the buffer
    std::size_t m_end = 0;
    std::uint64_t m_line = 0;
    bool m_names_allowed = true;  // until the first line that says something
    time_fs m_last_time = 0;
};

}  // namespace tlmetry::generator
