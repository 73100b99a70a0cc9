// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/byte_source.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tlmetry::ptt {

/// The trace data of a file: raw AUX data, or a perf.data file that holds it. They consist of buffers, one
/// after the other: those of perf.data as perf wrote them, a raw file as a whole, and raw data whose length
/// nobody knows beforehand, those of a pipe, in pieces of 4 MiB. Constant memory.
class AuxSource {
public:
    explicit AuxSource(ByteSource bytes);

    /// Goes on to the next buffer, behind what read() has left of this one; false when there is none. Throws
    /// UserError for a perf.data file that is damaged or holds something else.
    bool next_buffer();

    /// Bytes of this buffer; at the end of a file that is cut off it has fewer.
    std::uint64_t buffer_bytes() const { return m_buffer_bytes; }

    /// True if this buffer goes on with the one before, as it was cut for want of a known length.
    bool continues() const { return m_continues; }

    /// Stores `size` bytes of this buffer, fewer only at its end.
    std::size_t read(std::uint8_t* to, std::size_t size);

    /// Bytes of the last buffer that are not in the file.
    std::uint64_t missing_bytes() const { return m_missing; }

    const std::string& name() const { return m_bytes.name(); }

    static constexpr std::size_t piece_bytes = std::size_t{4} << 20;

private:
    enum class Kind : std::uint8_t { file, pipe, perf };

    bool next_piece();
    void begin_perf();
    bool next_perf_buffer();
    void check_trace(const std::uint8_t* event, std::size_t size) const;
    std::size_t fetch(std::uint8_t* to, std::size_t size);
    bool skip(std::uint64_t size);
    [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

    ByteSource m_bytes;
    Kind m_kind = Kind::file;
    std::vector<std::uint8_t> m_ahead;  // fetched, but from m_ahead_next on not used yet
    std::size_t m_ahead_next = 0;
    std::uint64_t m_position = 0;  // in the file
    std::uint64_t m_events_end = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t m_buffer_bytes = 0;
    std::uint64_t m_buffer_left = 0;
    std::uint64_t m_missing = 0;
    bool m_begun = false;
    bool m_continues = false;
};

}  // namespace tlmetry::ptt
