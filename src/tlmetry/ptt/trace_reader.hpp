// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/ptt/aux_source.hpp>
#include <tlmetry/ptt/record.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace tlmetry::ptt {

/// One TLP of a trace.
struct TracedTlp {
    Format format = Format::four_dwords;
    std::uint64_t offset = 0;             ///< of the record in its buffer
    const std::uint8_t* bytes = nullptr;  ///< the record as it lies there; until the next one is read
    std::uint64_t time = 0;               ///< in ticks of the trace unit, not wrapping
    Record record;
    tlp::Header header;
};

/// Reads the records of a trace one after the other.
class TraceReader {
public:
    struct Counts {
        std::uint64_t buffers = 0;
        std::uint64_t records = 0;          ///< good ones
        std::uint64_t damaged = 0;          ///< bad check bits, or a header that no TLP has: skipped
        std::uint64_t left_over_bytes = 0;  ///< behind the last whole record of a buffer
        std::uint64_t missing_bytes = 0;    ///< that the file should have but ends before
        std::uint64_t wraps = 0;            ///< of the time
        bool formats[2] = {false, false};   ///< seen, by Format
    };

    /// Finds out the format of each buffer unless it is given.
    explicit TraceReader(AuxSource source, std::optional<Format> format = {});

    /// Goes on to the next buffer; false when there is none. Throws UserError as AuxSource does.
    bool next_buffer();

    Format format() const { return m_format; }

    /// Bytes of the whole records that the buffer has room for.
    std::uint64_t buffer_bytes() const { return m_buffer_bytes; }

    /// The next good record of this buffer; false when there is none.
    bool next(TracedTlp& tlp);

    const Counts& counts() const { return m_counts; }

private:
    void fill();

    AuxSource m_source;
    std::optional<Format> m_given;
    Format m_format = Format::four_dwords;
    std::vector<std::uint8_t> m_window;
    std::size_t m_next = 0;
    std::size_t m_end = 0;
    std::uint64_t m_offset = 0;  // of m_next in the buffer
    std::uint64_t m_buffer_bytes = 0;
    GrowingTime m_time;
    Counts m_counts;
};

}  // namespace tlmetry::ptt
