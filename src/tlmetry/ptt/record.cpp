// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/record.hpp"

namespace tlmetry::ptt {

namespace {

constexpr std::uint32_t check_mask = 0xfffff800;
std::uint32_t header_word_4dw(std::uint32_t first) {
    return (first >> 30) << 29 | (first >> 25 & 0x1f) << 24 | (first >> 24 & 1) << 23 |
           (first >> 23 & 1) << 19 | (first >> 22 & 1) << 16 | (first >> 11 & 0x3ff);
}

}  // namespace

std::optional<Record> get_record(Format format, const std::uint8_t* from) {
    Record record;
    const std::uint32_t first = word_of(from);
    if (format == Format::four_dwords) {
        record.header = {header_word_4dw(first), word_of(from + 4), word_of(from + 8), word_of(from + 12)};
        record.so = (first >> 21 & 1) != 0;
        record.time = first & detail::time_mask_4dw;
        return record;
    }
    if ((first & check_mask) != check_mask) return std::nullopt;
    record.prefix = word_of(from + 4);
    record.header = {word_of(from + 8), word_of(from + 12), word_of(from + 16), word_of(from + 20)};
    record.time = word_of(from + 28);
    return record;
}

Format detect_format(const std::uint8_t* from) {
    return (word_of(from) & check_mask) == check_mask ? Format::eight_dwords : Format::four_dwords;
}

std::uint64_t GrowingTime::add(Format format, std::uint32_t time) {
    if (!m_begun) {
        m_begun = true;
        m_time = time;
        return m_time;
    }
    if (format == Format::four_dwords) {
        const auto before = static_cast<std::uint32_t>(m_time) & detail::time_mask_4dw;
        if (time < before) ++m_wraps;
        m_time += (time - before) & detail::time_mask_4dw;
        return m_time;
    }
    const auto before = static_cast<std::uint32_t>(m_time);
    const auto step = static_cast<std::int32_t>(time - before);
    if (step >= 0) {
        if (time < before) ++m_wraps;
        m_time += static_cast<std::uint32_t>(step);
    } else if (const std::uint64_t back = std::uint64_t{before - time}; back <= m_time) {
        m_time -= back;
    } else {
        m_time = time;  // half a turn before the beginning is none
    }
    return m_time;
}

}  // namespace tlmetry::ptt
