// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/ptt/record.hpp"

#include <tlmetry/base/bytes.hpp>

namespace tlmetry::ptt {

namespace {

constexpr std::uint32_t check_mask = 0xfffff800;
constexpr std::uint32_t check_word = 0xffffffff;
constexpr std::uint32_t time_mask_4dw = 0x7ff;

std::uint32_t first_word_4dw(const Record& record) {
    const std::uint32_t h = record.header[0];
    return (h >> 29 & 3) << 30 | (h >> 24 & 0x1f) << 25 | (h >> 23 & 1) << 24 | (h >> 19 & 1) << 23 |
           (h >> 16 & 1) << 22 | std::uint32_t{record.so} << 21 | (h & 0x3ff) << 11 |
           (record.time & time_mask_4dw);
}

std::uint32_t header_word_4dw(std::uint32_t first) {
    return (first >> 30) << 29 | (first >> 25 & 0x1f) << 24 | (first >> 24 & 1) << 23 |
           (first >> 23 & 1) << 19 | (first >> 22 & 1) << 16 | (first >> 11 & 0x3ff);
}

}  // namespace

void put_record(Format format, const Record& record, std::uint8_t* to) {
    if (format == Format::four_dwords) {
        put_word(first_word_4dw(record), to);
        for (unsigned i = 1; i < record.header.size(); ++i)
            put_word(record.header[i], to + std::size_t{4} * i);
        return;
    }
    const std::uint32_t words[] = {
        check_word, record.prefix, record.header[0], record.header[1], record.header[2], record.header[3],
        0,          record.time};
    for (const std::uint32_t word : words) {
        put_word(word, to);
        to += sizeof word;
    }
}

std::optional<Record> get_record(Format format, const std::uint8_t* from) {
    Record record;
    const std::uint32_t first = word_of(from);
    if (format == Format::four_dwords) {
        record.header = {header_word_4dw(first), word_of(from + 4), word_of(from + 8), word_of(from + 12)};
        record.so = (first >> 21 & 1) != 0;
        record.time = first & time_mask_4dw;
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
        const auto before = static_cast<std::uint32_t>(m_time) & time_mask_4dw;
        if (time < before) ++m_wraps;
        m_time += (time - before) & time_mask_4dw;
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
