// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/aux_source.hpp"

#include <tlmetry/base/bytes.hpp>
#include <tlmetry/base/error.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tlmetry::ptt {

namespace {

// perf.data, see tools/perf/Documentation/perf.data-file-format.txt of Linux.
constexpr std::string_view perf_magic = "PERFILE2";
constexpr std::string_view perf_magic_swapped = "2ELIFREP";
constexpr std::size_t perf_pipe_header_bytes = 16;
constexpr std::size_t perf_file_header_bytes = 56;  // as far as it is of use here
constexpr std::size_t event_header_bytes = 8;
constexpr std::size_t chunk_bytes = std::size_t{64} << 10;
constexpr std::size_t max_event_bytes = 65535;
constexpr std::uint32_t tracing_data_event = 66;
constexpr std::uint32_t auxtrace_info_event = 70;
constexpr std::uint32_t auxtrace_event = 71;
constexpr std::size_t auxtrace_event_bytes = 16;  // to the end of the size
constexpr std::uint32_t trace_of_hisi_ptt = 6;

std::uint64_t long_word_of(const std::uint8_t* bytes) {
    return word_of(bytes) | std::uint64_t{word_of(bytes + 4)} << 32;
}

}  // namespace

AuxSource::AuxSource(ByteSource bytes) : m_bytes(std::move(bytes)) {
    m_ahead.resize(perf_magic.size());
    m_ahead.resize(m_bytes.read(m_ahead.data(), m_ahead.size()));
    const std::string_view magic(reinterpret_cast<const char*>(m_ahead.data()), m_ahead.size());
    if (magic == perf_magic_swapped) refuse("a perf.data file of a little-endian machine", "another one");
    if (magic == perf_magic)
        begin_perf();
    else if (!m_bytes.total())
        m_kind = Kind::pipe;
}

bool AuxSource::next_buffer() {
    skip(m_buffer_left);
    m_buffer_left = 0;
    switch (m_kind) {
        case Kind::pipe:
            return next_piece();
        case Kind::perf:
            return next_perf_buffer();
        case Kind::file:
            break;
    }
    if (std::exchange(m_begun, true) || *m_bytes.total() == 0) return false;
    m_buffer_bytes = m_buffer_left = *m_bytes.total();
    return true;
}

std::size_t AuxSource::read(std::uint8_t* to, std::size_t size) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_buffer_left));
    const std::size_t got = fetch(to, wanted);
    m_buffer_left -= got;
    if (got < wanted) m_missing = std::exchange(m_buffer_left, 0);
    return got;
}

/// The perf layout says how long a buffer is before it begins, so that a piece has to be there as a whole.
bool AuxSource::next_piece() {
    m_continues = std::exchange(m_begun, true);
    m_ahead.erase(m_ahead.begin(), m_ahead.begin() + static_cast<std::ptrdiff_t>(m_ahead_next));
    m_ahead_next = 0;
    for (bool more = true; more && m_ahead.size() < piece_bytes;) {
        const std::size_t before = m_ahead.size();
        const std::size_t wanted = std::min(chunk_bytes, piece_bytes - before);
        m_ahead.resize(before + wanted);
        const std::size_t got = m_bytes.read(&m_ahead[before], wanted);
        m_ahead.resize(before + got);
        more = got == wanted;
    }
    m_buffer_bytes = m_buffer_left = m_ahead.size();
    return !m_ahead.empty();
}

void AuxSource::begin_perf() {
    m_kind = Kind::perf;
    std::array<std::uint8_t, perf_file_header_bytes> header{};
    if (fetch(header.data(), perf_pipe_header_bytes) < perf_pipe_header_bytes)
        refuse("the header of perf.data", "its end");
    // What perf writes into a pipe has nothing but its events behind the size.
    if (long_word_of(&header[8]) == perf_pipe_header_bytes) return;
    const std::size_t rest = header.size() - perf_pipe_header_bytes;
    if (fetch(&header[perf_pipe_header_bytes], rest) < rest) refuse("the header of perf.data", "its end");
    const std::uint64_t begin = long_word_of(&header[40]);
    const std::uint64_t bytes = long_word_of(&header[48]);
    if (begin < m_position)
        refuse("events behind the header of perf.data", "them at " + std::to_string(begin));
    if (!skip(begin - m_position)) refuse("events at " + std::to_string(begin), "the end of perf.data");
    // perf knows how many there are when it ends well, else the file ends with them.
    if (bytes != 0 && bytes <= m_events_end - begin) m_events_end = begin + bytes;
}

bool AuxSource::next_perf_buffer() {
    std::array<std::uint8_t, max_event_bytes> event{};
    while (m_position < m_events_end) {
        const std::string place = std::to_string(m_position);
        const std::size_t head = fetch(event.data(), event_header_bytes);
        if (head < event_header_bytes) {
            if (head != 0) m_missing = event_header_bytes - head;
            return false;
        }
        const std::uint32_t type = word_of(event.data());
        const std::size_t size = word_of(&event[4]) >> 16;
        if (size < event_header_bytes)
            refuse("an event of 8 bytes or more at byte " + place + " of perf.data",
                   "one of " + std::to_string(size));
        const std::size_t rest = size - event_header_bytes;
        const std::size_t got = fetch(&event[event_header_bytes], rest);
        if (got < rest) {
            m_missing = rest - got;
            return false;
        }
        if (type == auxtrace_info_event) check_trace(event.data(), size);
        if (type == tracing_data_event && size >= 12)
            skip((word_of(&event[8]) + std::uint64_t{7}) & ~std::uint64_t{7});
        if (type != auxtrace_event) continue;
        if (size < auxtrace_event_bytes)
            refuse("an AUXTRACE event with its size at byte " + place + " of perf.data",
                   "one of " + std::to_string(size) + " bytes");
        m_buffer_bytes = m_buffer_left = long_word_of(&event[8]);
        return true;
    }
    return false;
}

void AuxSource::check_trace(const std::uint8_t* event, std::size_t size) const {
    const std::uint32_t trace = size < 12 ? 0 : word_of(event + 8);
    if (trace != trace_of_hisi_ptt)
        refuse("a trace of HiSilicon PTT, type " + std::to_string(trace_of_hisi_ptt) + ", in perf.data",
               "type " + std::to_string(trace));
}

std::size_t AuxSource::fetch(std::uint8_t* to, std::size_t size) {
    const std::size_t ahead = std::min(size, m_ahead.size() - m_ahead_next);
    std::copy_n(m_ahead.begin() + static_cast<std::ptrdiff_t>(m_ahead_next), ahead, to);
    m_ahead_next += ahead;
    const std::size_t got = ahead == size ? size : ahead + m_bytes.read(to + ahead, size - ahead);
    m_position += got;
    return got;
}

bool AuxSource::skip(std::uint64_t size) {
    std::array<std::uint8_t, 4096> unused{};
    while (size != 0) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, unused.size()));
        if (fetch(unused.data(), wanted) < wanted) return false;
        size -= wanted;
    }
    return true;
}

void AuxSource::refuse(const std::string& expected, const std::string& found) const {
    throw UserError(name() + ": expected " + expected + ", found " + found);
}

}  // namespace tlmetry::ptt
