// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/trace_reader.hpp"

#include <algorithm>
#include <utility>

namespace tlmetry::ptt {

namespace {

constexpr std::size_t window_bytes = std::size_t{64} << 10;
constexpr std::size_t word_bytes = 4;

}  // namespace

TraceReader::TraceReader(AuxSource source, std::optional<Format> format)
    : m_source(std::move(source)), m_given(format), m_window(window_bytes) {}

bool TraceReader::next_buffer() {
    if (!m_source.next_buffer()) {
        m_counts.missing_bytes = m_source.missing_bytes();
        return false;
    }
    m_next = m_end = 0;
    m_offset = 0;
    if (!m_source.continues()) {
        fill();
        const Format before = m_format;
        m_format = m_given              ? *m_given
                   : m_end < word_bytes ? Format::four_dwords
                                        : detect_format(m_window.data());
        // Another format is another recording.
        if (m_format != before) m_time.restart();
    }
    ++m_counts.buffers;
    m_counts.formats[static_cast<unsigned>(m_format)] = true;
    m_buffer_bytes = m_source.buffer_bytes() / record_bytes(m_format) * record_bytes(m_format);
    return true;
}

bool TraceReader::next(TracedTlp& tlp) {
    const std::size_t size = record_bytes(m_format);
    for (;;) {
        if (m_end - m_next < size) fill();
        if (m_end - m_next < size) {
            m_counts.left_over_bytes += m_end - m_next;
            m_next = m_end;
            return false;
        }
        const std::uint8_t* bytes = &m_window[m_next];
        const std::uint64_t offset = m_offset;
        m_next += size;
        m_offset += size;
        const std::optional<Record> record = get_record(m_format, bytes);
        const auto header = record ? tlp::decode(record->header) : std::nullopt;
        if (!header) {
            ++m_counts.damaged;
            continue;
        }
        ++m_counts.records;
        tlp = {m_format, offset, bytes, m_time.add(m_format, record->time), *record, *header};
        m_counts.wraps = m_time.wraps();
        return true;
    }
}

void TraceReader::fill() {
    const std::size_t left = m_end - m_next;
    std::copy_n(m_window.begin() + static_cast<std::ptrdiff_t>(m_next), left, m_window.begin());
    m_next = 0;
    m_end = left + m_source.read(m_window.data() + left, m_window.size() - left);
}

}  // namespace tlmetry::ptt
